import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Sends every kind of frame from a stranger to an engine that has conversations and a group: apart from the one
/// request nothing is stored or shown.
@Suite struct StrangerFrameTests {
    /// Ada has written with Bob and is in a group with Bob and Cleo; Eve is linked and has said hello.
    private struct Scene {
        var bench: EngineBench
        var bob: RemotePeer
        var eve: RemotePeer
        let group: ConversationID
        let fromBob: StoredEvent

        init() throws {
            bob = try RemotePeer()
            eve = try RemotePeer(3, replica: 0x43)
            let cleo = try RemotePeer(4, replica: 0x44)
            bench = try EngineBench(peers: [bob.record(), cleo.record(name: "Cleo")])
            bench.open(1, with: bob)
            fromBob = bob.write("for Ada alone", to: bench.identity)
            bench.received(bob.events(fromBob.header.conversation, [fromBob]), on: 1)
            _ = try bench.ask(.send(who: "Bob", text: "for Bob alone"))
            _ = try bench.ask(.setPicture([2]))
            let nonce = [UInt8](repeating: 7, count: 16)
            let made = try bench.ask(.createGroup(title: "Bridge", who: ["Bob", "Cleo"], nonce: nonce))
            guard case .success(.group(let view)) = made else { throw EngineBench.Unexpected(what: "no group") }
            group = view.conversation
            _ = try bench.ask(.send(who: "Bridge", text: "for the group"))
            bench.opened(3, with: eve)
            bench.received(eve.hello("Eve"), on: 3)
            bench.pass(1_000)
            _ = bench.takeEffects()
        }

        /// Every conversation that a stranger may name.
        var places: [ConversationID] {
            [eve.conversation(with: bench.identity), bob.conversation(with: bench.identity), group]
        }
    }

    /// Whether a frame is malformed does not depend on what is shared (sync.md, "The frames").
    @Test func aMalformedWatermarkIsABreachOfAStrangerToo() throws {
        var scene = try Scene()
        var eve = scene.eve
        var mark = eve.mark(eve.write("let me in", to: scene.bench.identity))
        mark.sequence = 0
        scene.bench.received(eve.marks([mark], in: scene.places[0]), on: 3)
        #expect(scene.bench.closed == [LinkID(3)])
    }

    /// All frames, by their names in the .proto file.
    private static func frames(_ scene: Scene) -> [(name: String, kind: WireFrame.OneOf_Kind)] {
        let ada = scene.bench.identity
        var eve = scene.eve
        let own = eve.write("let me in", to: ada)
        var frames: [(String, WireFrame.OneOf_Kind)] = [
            ("hello", eve.hello("Eve again")), ("heartbeat", eve.hello("Bob").asHeartbeat),
            ("contact_answer", eve.answer(to: ada)), ("bye", eve.bye(.stale)), ("bye", eve.bye(.blocked)),
            ("watermarks", eve.readMark(own)), ("watermarks", eve.readMark(scene.fromBob)),
            ("contact_request", eve.request(String(repeating: "x", count: Limits.previewBytes + 1))),
        ]
        for place in scene.places {
            frames += about(place, scene, own)
        }
        frames.append(("invite", invitation(to: ada)))
        return frames
    }

    private static func about(
        _ place: ConversationID,
        _ scene: Scene,
        _ own: StoredEvent
    ) -> [(String, WireFrame.OneOf_Kind)] {
        let (eve, ada) = (scene.eve, scene.bench.identity)
        var inPlace = eve
        let written = inPlace.write("let me in", to: ada, in: place)
        let clock = Clock(entries: [eve.logID: Clock.Entry(position: own.position)])
        var wanted = WireBodiesWanted()
        wanted.conversation = Data(place.bytes)
        wanted.log = scene.bob.logID.wire
        wanted.sequences = [1]
        var bodies = WireBodies()
        (bodies.conversation, bodies.log) = (wanted.conversation, wanted.log)
        var fork = WireFork()
        (fork.conversation, fork.log) = (wanted.conversation, wanted.log)
        fork.branches = [WireFork.Branch(), WireFork.Branch()]
        var full = WireFull()
        (full.conversation, full.author) = (wanted.conversation, Data(eve.identity.bytes))
        full.milliseconds = 1_000
        var behind = WireBehind()
        behind.milliseconds = 1_000
        let face = SignedPicture([1], of: eve.identity, made: 1, with: eve.key)
        var pictureWanted = WirePictureWanted()
        pictureWanted.id = Data(PictureID(hashing: [2]).bytes)
        var charterEvents = WireCharterEvents()
        (charterEvents.charter, charterEvents.hash) = (Data(place.bytes), Data(count: 8))
        charterEvents.events = [written.wire]
        return [
            ("picture", .picture(face.wire)), ("picture_wanted", .pictureWanted(pictureWanted)),
            ("full", .full(full)), ("behind", .behind(behind)), ("typing", eve.typing(place)),
            ("summary", eve.summary(of: [(place, clock)])),
            ("clock", eve.clock(place, clock)), ("clock", eve.clock(place, Clock())), ("have", eve.have(place, clock)),
            ("events", eve.events(place, [written])), ("events", eve.events(place, [scene.fromBob])),
            ("refuse", eve.refuse(place, .blocked)), ("refuse", eve.refuse(place, .notMember)),
            ("invite", eve.invite(place, [written])), ("want", eve.want(place, scene.bob.logID, after: 0)),
            ("want", eve.want(place, LogID(author: ada, replica: EngineBench.ownReplica), after: 0)),
            ("bodies_wanted", .bodiesWanted(wanted)), ("bodies", .bodies(bodies)), ("fork", .fork(fork)),
            ("workspace_key", .workspaceKey(WireWorkspaceKey())), ("charter_events", .charterEvents(charterEvents)),
            ("prekeys", .prekeys(WirePrekeys())),
            ("deposit", .deposit(WireDeposit())), ("deposited", .deposited(WireDeposited())),
            ("hand_over", .handOver(WireHandOver())), ("taken", .taken(WireTaken())),
            ("addresses", .addresses(WireAddresses())),
            ("dial_back", .dialBack(WireDialBack())), ("dialed_back", .dialedBack(WireDialedBack())),
        ] + files(in: place)
    }

    private static func files(in place: ConversationID) -> [(String, WireFrame.OneOf_Kind)] {
        let file = Data(place.bytes)
        var ask = WireFileAsk()
        (ask.conversation, ask.file, ask.manifest) = (Data(place.bytes), file, true)
        var held = WireFileHeld()
        (held.file, held.chunks) = (file, Data([0x80]))
        var stop = WireFileStop()
        stop.file = file
        var want = WireFileWant()
        (want.file, want.count) = (file, 1)
        var piece = WireFilePiece()
        (piece.file, piece.bytes) = (file, Data([1]))
        return [
            ("file_ask", .fileAsk(ask)), ("file_held", .fileHeld(held)), ("file_stop", .fileStop(stop)),
            ("file_want", .fileWant(want)), ("file_piece", .filePiece(piece)),
        ]
    }

    /// A well-formed, signed group of the stranger's with Ada as a member.
    private static func invitation(to ada: PeerID) -> WireFrame.OneOf_Kind {
        guard var eve = try? RemotePeer(3, replica: 0x43) else { return .bye(WireBye()) }
        var member = WireMember()
        member.id = Data(ada.bytes)
        var body = WireCreateBody()
        body.nonce = Data(repeating: 9, count: 16)
        body.title = "Come in"
        body.members = [member]
        let bytes = body.encodedBytes()
        let group = ConversationID(creator: eve.identity, creation: bytes)
        let creation = eve.append(bytes, in: group, kind: .create)
        return eve.invite(group, [creation])
    }

    @Test func everyKindIsHere() throws {
        let proto = try String(
            contentsOf: VectorFiles.root.appending(path: "protocol/parlance.proto"),
            encoding: .utf8
        )
        let oneof = try #require(proto.split(separator: "oneof kind {").last?.split(separator: "}").first)
        let kinds = Set(oneof.matches(of: /\w+ (\w+) = \d+;/).map { String($0.1) })
        #expect(kinds == Set(Self.frames(try Scene()).map(\.name)))
    }

    @Test func nothingOfItIsStoredOrShown() throws {
        let scene = try Scene()
        // What people see if the stranger sends nothing.
        var silent = scene.bench
        silent.pass(2_000)
        let before = try views(&silent)
        for (number, frame) in Self.frames(scene).enumerated() {
            var bench = scene.bench
            let batches = bench.batches.count
            bench.received(frame.kind, on: 3)
            bench.pass(2_000)
            #expect(bench.batches.count == batches, "\(number) \(frame.name): it was stored")
            #expect(try views(&bench) == before, "\(number) \(frame.name): something is shown")
            for effect in bench.takeEffects() {
                #expect(isHarmless(effect), "\(number) \(frame.name): \(effect)")
            }
        }
    }

    /// What people can see of everybody except the stranger.
    private func views(_ bench: inout EngineBench) throws -> [Answer] {
        guard case .conversations(_, let groups) = try bench.ask(.listConversations).get() else {
            throw EngineBench.Unexpected(what: "no conversations")
        }
        let answers = try [bench.ask(.find(who: "Bob")).get(), bench.ask(.listDeliveries).get()]
        return answers + [.conversations([], groups)]
    }

    /// The stranger may be refused or disconnected; people may be told what it calls itself.
    private func isHarmless(_ effect: Effect) -> Bool {
        switch effect {
        case .notify(.peer(let view)): view.record.announcedName == "Bob" && view.displayName != "Bob"
        case .close(LinkID(3)), .report: true
        case .send(LinkID(3), let frame):
            switch frame.kind {
            case .refuse(let refuse): refuse.code == .notMember
            // The same answer for a file that is here and one that is not.
            case .fileStop(let stop): stop.reason == .notHeld
            case .bye: true
            default: false
            }
        default: false
        }
    }

    /// The proof of a fork can be as large as a frame. It is decoded only if the conversation is shared with its sender.
    @Test(arguments: [UInt64(1), 3]) func aMalformedProofOfAForkIsABreachOnlyOfAMember(on link: UInt64) throws {
        var scene = try Scene()
        var fork = WireFork()
        fork.conversation = Data(scene.group.bytes)
        fork.log = scene.bob.logID.wire
        fork.branches = [WireFork.Branch()]
        scene.bench.received(.fork(fork), on: link)
        #expect(scene.bench.closed == (link == 1 ? [LinkID(1)] : []))
        scene.bench.received(.fork(WireFork()), on: 3)
        #expect(scene.bench.closed.contains(LinkID(3)), "without a conversation")
    }

    @Test func itsOneRequestIsAllThatIsStored() throws {
        var scene = try Scene()
        let batches = scene.bench.batches.count
        let preview = String(repeating: "x", count: Limits.previewBytes)
        scene.bench.received(scene.eve.request(preview), on: 3)
        scene.bench.received(scene.eve.request("again"), on: 3)
        let stored = scene.bench.batches.dropFirst(batches)
        #expect(stored.count == 1)
        var expected = PersistBatch(id: try #require(stored.first).id)
        expected.peers = stored.first?.peers ?? []
        expected.wall = scene.bench.now.wall
        expected.ran = scene.bench.now.monotonic - EngineBench.start.monotonic
        #expect(stored.first == expected, "a row of a peer and nothing else")
        #expect(expected.peers.map(\.id) == [scene.eve.identity])
        #expect(expected.peers.first?.request?.preview == preview)
        let told = scene.bench.takeEffects().filter { if case .notify = $0 { true } else { false } }
        #expect(told.count == 1, "rung once")
    }

    /// The limit holds for the whole frame, whatever is in it.
    @Test(arguments: [(Limits.requestBytes, true), (Limits.requestBytes + 1, false)])
    func aRequestsFrameIsShort(_ bytes: Int, _ isTaken: Bool) throws {
        var scene = try Scene()
        var frame = WireFrame()
        frame.kind = scene.eve.request()
        scene.bench.feed(.frameReceived(LinkID(3), frame, bytes: bytes))
        #expect((try scene.bench.view(of: scene.eve.identity).record.request != nil) == isTaken)
        #expect(scene.bench.closed == (isTaken ? [] : [LinkID(3)]))
    }
}
