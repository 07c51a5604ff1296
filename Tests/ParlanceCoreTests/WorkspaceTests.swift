import Foundation
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// Members of a workspace: joining, being accepted, rotating the key, being left out.
@Suite struct WorkspaceTests {
    private static let day: Int64 = 86_400_000

    private func key(_ number: UInt8) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }

    private func world(_ names: [String] = ["ada", "bob", "cyd"], seed: UInt64) throws -> SimulatedWorld {
        let world = try SimulatedWorld(names: names, seed: seed)
        for index in names.indices { world.start(index) }
        return world
    }

    private func join(_ world: SimulatedWorld, _ nodes: [Int], _ number: UInt8 = 1) {
        for node in nodes { world.give(.workspace(.join(name: "Ship", key(number))), to: node) }
    }

    private func trust(_ world: SimulatedWorld, _ a: Int, of b: Int) -> Trust? {
        world.nodes[a].disk.peers[world.nodes[b].identity]?.trust
    }

    /// Moves all clocks forward at once: nothing happens on the days between.
    private func pass(days: Int64, _ world: SimulatedWorld) {
        world.skew = world.skew.map { $0 + days * Self.day }
    }

    private func newest(_ world: SimulatedWorld, _ node: Int) -> UInt64? {
        world.nodes[node].disk.snapshot.workspace?.keys.first?.number
    }

    @Test func membersMeetAndAcceptEachOtherAndNobodyElse() throws {
        let world = try world(seed: 1)
        #expect(try world.run(until: { try world.isLinked(0, with: 1, 2) }, within: 60_000))
        join(world, [0, 1])
        #expect(try world.run(until: { try world.linked(with: 0) == [world.nodes[1].identity] }, within: 120_000))
        #expect(world.run(until: { trust(world, 0, of: 1) == .accepted }, within: 60_000))
        #expect(world.run(until: { trust(world, 1, of: 0) == .accepted }, within: 60_000))
        world.run(for: 600_000)
        #expect(try !world.isLinked(0, with: 2) && !world.isLinked(1, with: 2), "an open node gets no link")
        // The first message needs no request.
        world.give(.send(who: "bob", text: "hello"), to: 0)
        let conversation = ConversationID(direct: world.nodes[0].identity, world.nodes[1].identity)
        #expect(world.run(until: { world.nodes[1].disk.history(of: conversation).count == 1 }, within: 60_000))
    }

    @Test func anotherKeyIsAnotherNetwork() throws {
        let world = try world(seed: 2)
        join(world, [0, 1])
        join(world, [2], 9)
        #expect(try world.run(until: { try world.isLinked(0, with: 1) }, within: 120_000))
        world.run(for: 600_000)
        #expect(try !world.isLinked(0, with: 2) && !world.isLinked(1, with: 2))
        // It leaves, and joins the others with their key.
        world.give(.workspace(.leave), to: 2)
        world.run(for: 1_000)
        #expect(world.nodes[2].disk.snapshot.workspace == nil)
        join(world, [2])
        #expect(try world.run(until: { try world.areLinked(0, 1, 2) }, within: 600_000))
    }

    @Test func aRotationReachesWhoIsHereAndWhoComesBackLater() throws {
        let world = try world(seed: 3)
        join(world, [0, 1, 2])
        #expect(try world.run(until: { try world.areLinked(0, 1, 2) }, within: 120_000))
        world.run(for: 10_000)
        world.stop(2)
        world.run(for: 1_000)
        world.give(.workspace(.rotate(key(2), without: [])), to: 0)
        #expect(world.run(until: { newest(world, 1) == 2 }, within: 60_000))
        // Ten days later the old key admits nobody, but brings the new key to accepted peers.
        pass(days: 10, world)
        world.start(2)
        #expect(world.run(until: { newest(world, 2) == 2 }, within: 600_000))
        #expect(try world.run(until: { try world.isLinked(2, with: 0, 1) }, within: 600_000))
        // The old key is forgotten after 31 days, and not earlier.
        for node in 0...2 { world.stop(node) }
        world.run(for: 1_000)
        let since = world.nodes[0].disk.snapshot.workspace?.keys.last?.superseded ?? 0
        let wall = 1_700_000_000_000 + world.now + world.skew[0]
        world.skew = world.skew.map { $0 + since + Limits.workspaceKeyKeptMilliseconds - wall - 30_000 }
        for node in 0...2 { world.start(node) }
        world.run(for: 10_000)
        #expect(world.nodes[0].disk.snapshot.workspace?.keys.count == 2)
        for node in 0...2 { world.stop(node) }
        world.run(for: 1_000)
        pass(days: 32, world)
        for node in 0...2 { world.start(node) }
        world.run(for: 1_000)
        #expect(world.nodes.allSatisfy { $0.disk.snapshot.workspace?.keys.count == 1 })
    }

    @Test func whoWasLeftOutGetsNeitherTheKeyNorALink() throws {
        let world = try world(seed: 4)
        join(world, [0, 1, 2])
        #expect(try world.run(until: { try world.areLinked(0, 1, 2) }, within: 120_000))
        world.run(for: 10_000)
        world.give(.workspace(.rotate(key(2), without: ["cyd"])), to: 0)
        #expect(try world.run(until: { try newest(world, 1) == 2 && !world.isLinked(1, with: 2) }, within: 60_000))
        #expect(world.nodes[1].disk.snapshot.workspace?.removed == [world.nodes[2].identity])
        pass(days: 2, world)
        world.run(for: 3_600_000)
        #expect(newest(world, 2) == 1)
        #expect(try !world.isLinked(0, with: 2) && !world.isLinked(1, with: 2))
        #expect(try world.isLinked(0, with: 1))
        let sent = world.give(.send(who: "cyd", text: "still there?"), to: 0)
        world.run(for: 1_000)
        let found = world.give(.find(who: "cyd"), to: 0)
        world.run(for: 0)
        guard case .success(.sent) = world.nodes[0].answers[sent],
            case .success(.peer(let view)) = world.nodes[0].answers[found]
        else { throw EngineBench.Unexpected(what: "no answers") }
        #expect(view.delivery.reason == .leftOut && view.delivery.nextTry == nil && view.nextTry == nil)
    }

    @Test func twoWhoRotateApartAgree() throws {
        let world = try world(seed: 5)
        join(world, [0, 1, 2])
        #expect(try world.run(until: { try world.areLinked(0, 1, 2) }, within: 120_000))
        world.run(for: 10_000)
        world.network.part = [0, 1, 1]
        world.run(for: 120_000)
        world.give(.workspace(.rotate(key(2), without: [])), to: 0)
        world.give(.workspace(.rotate(key(3), without: [])), to: 1)
        world.run(for: 120_000)
        world.network.heal()
        let best = max(WorkspaceKey(secret: key(2).secret, number: 2), WorkspaceKey(secret: key(3).secret, number: 2))
        #expect(
            world.run(
                until: { world.nodes.allSatisfy { $0.disk.snapshot.workspace?.keys.first?.hash == best.hash } },
                within: 600_000
            )
        )
        #expect(try world.run(until: { try world.isLinked(0, with: 1, 2) }, within: 600_000))
    }

    /// An invitation code tells neither the number of its key nor who was left out; the first link tells both.
    @Test(arguments: [false, true]) func whoJoinsByCodeCountsWithTheOthers(_ rotatesAlone: Bool) throws {
        let world = try world(["ada", "bob", "cyd", "dan"], seed: 6)
        let all = Array(0...3)
        join(world, all)
        #expect(try world.run(until: { try world.areLinked(all) }, within: 300_000))
        world.run(for: 10_000)
        world.give(.workspace(.leave), to: 2)
        world.run(for: 10_000)
        world.give(.workspace(.rotate(key(2), without: ["dan"])), to: 0)
        world.run(for: 60_000)
        world.give(.workspace(.rotate(key(3), without: [])), to: 1)
        #expect(world.run(until: { newest(world, 0) == 3 }, within: 60_000))
        if rotatesAlone { world.network.part = [0, 0, 1, 0] }
        let code = InvitationCode(name: "Ship", secret: key(3).secret)
        world.give(.workspace(.join(name: code.name, code.key)), to: 2)
        if rotatesAlone {
            // Otherwise its new key would count as older than the one that it replaces.
            let rotated = world.give(.workspace(.rotate(key(4), without: [])), to: 2)
            world.run(for: 60_000)
            guard case .failure(let error) = world.nodes[2].answers[rotated] else {
                throw EngineBench.Unexpected(what: "the key was rotated")
            }
            #expect(error.code == .notYet && newest(world, 2) == 0)
            world.network.heal()
        }
        let members = [0, 1, 2]
        let agree = { (number: UInt64) in
            members.allSatisfy { newest(world, $0) == number }
                && Set(members.compactMap { world.nodes[$0].disk.snapshot.workspace?.keys.first?.hash }).count == 1
        }
        #expect(world.run(until: { agree(3) }, within: 600_000))
        #expect(members.allSatisfy { world.nodes[$0].disk.snapshot.workspace?.removed == [world.nodes[3].identity] })
        world.give(.workspace(.rotate(key(5), without: [])), to: 2)
        #expect(world.run(until: { agree(4) }, within: 600_000))
        #expect(try world.run(until: { try world.areLinked(members) }, within: 600_000))
        let first = world.nodes[0].disk.snapshot.workspace?.keys.first
        #expect(first?.hash == key(5).hash && first?.superseded == nil)
    }

    /// A peer that is accepted while a link with an old key is up gets the newest key on that link.
    @Test func whoIsAcceptedGetsTheKeyOnTheLinkThatIsUp() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        _ = try bench.ask(.workspace(.join(name: "Ship", key(1))))
        _ = try bench.ask(.workspace(.rotate(key(2), without: [])))
        bench.opened(1, with: bob, workspaceTag: key(1).tag)
        bench.received(bob.hello(), on: 1)
        let isKey = { (frame: WireFrame.OneOf_Kind) in if case .workspaceKey = frame { true } else { false } }
        #expect(!bench.takeFrames(on: 1).contains(where: isKey))
        _ = try bench.ask(.accept(who: bob.identity.text))
        bench.settle()
        #expect(bench.takeFrames(on: 1).count(where: isKey) == 1)
    }

    /// A member may hold what this node wrote before its store was lost: the node asks for it although it has no
    /// conversation with the member yet.
    @Test func whatAMemberHoldsOfALostStoreComesBack() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench()
        _ = try bench.ask(.workspace(.join(name: "Ship", key(1))))
        bench.opened(1, with: bob, workspaceTag: key(1).tag)
        bench.received(bob.hello(), on: 1)
        let conversation = bob.conversation(with: bench.identity)
        let lost = LogID(author: bench.identity, replica: bob.logID.replica)
        let position = bob.write("anything", to: bench.identity).position
        let clock = Clock(entries: [lost: Clock.Entry(position: position)])
        bench.received(bob.summary(of: [(conversation, clock)]), on: 1)
        bench.received(bob.clock(conversation, clock), on: 1)
        bench.settle()
        _ = bench.takeFrames(on: 1)
        bench.pass(Limits.healDelayMilliseconds)
        #expect(bench.takeFrames(on: 1).compactMap(\.asWant).map(\.log) == [lost.wire])
    }

    /// A peer that has only a superseded key may have been left out.
    @Test func anOldKeyAcceptsNobodyNew() throws {
        let mallory = try RemotePeer()
        var bench = try EngineBench()
        _ = try bench.ask(.workspace(.join(name: "Ship", key(1))))
        bench.settle()
        _ = try bench.ask(.workspace(.rotate(key(2), without: [])))
        bench.settle()
        bench.opened(1, with: mallory, workspaceTag: key(1).tag)
        bench.received(mallory.hello(), on: 1)
        #expect(try bench.view(of: mallory.identity).record.trust == .unknown)
        #expect(!bench.takeFrames(on: 1).contains { if case .workspaceKey = $0 { true } else { false } })
        // A day later the link is not even kept.
        bench.setClock(forward: Limits.workspaceKeyServesMilliseconds - 1)
        bench.opened(3, with: mallory, workspaceTag: key(1).tag)
        #expect(!bench.closed.contains(LinkID(3)))
        bench.setClock(forward: 1)
        bench.opened(2, with: mallory, workspaceTag: key(1).tag)
        #expect(bench.closed.contains(LinkID(2)))
    }

    /// After many rotations only the last keys are held, and a peer with an older one gets no link.
    @Test func soManyKeysAreHeld() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        _ = try bench.ask(.workspace(.join(name: "Ship", key(1))))
        for number in 2...UInt8(Limits.workspaceKeys) {
            _ = try bench.ask(.workspace(.rotate(key(number), without: [])))
        }
        #expect(bench.disk.snapshot.workspace?.keys.count == Limits.workspaceKeys)
        bench.opened(1, with: bob, workspaceTag: key(1).tag)
        #expect(bench.closed.isEmpty)
        _ = try bench.ask(.workspace(.rotate(key(99), without: [])))
        #expect(bench.disk.snapshot.workspace?.keys.count == Limits.workspaceKeys)
        _ = bench.takeEffects()
        bench.opened(2, with: bob, workspaceTag: key(2).tag)
        #expect(!bench.closed.contains(LinkID(2)))
        bench.opened(3, with: bob, workspaceTag: key(1).tag)
        #expect(bench.closed.contains(LinkID(3)))
    }

    /// Whoever has the key can make up identities. Many are accepted at once, then so many in an hour.
    @Test func onlySoManyMembersAreAcceptedByThemselves() throws {
        let known = (0..<Limits.membersAccepted - 1).map { number in
            let id = Bytes32(hashing: [UInt8(number % 256), UInt8(number / 256)], domain: 1)
            var record = PeerRecord(id: PeerID(value: id))
            record.trust = .accepted
            return record
        }
        var bench = try EngineBench(peers: known)
        _ = try bench.ask(.workspace(.join(name: "Ship", key(1))))
        var last = 0
        /// How many of some more members are accepted.
        func accepted(of count: Int) throws -> Int {
            var accepted = 0
            for _ in 0..<count {
                last += 1
                let peer = try RemotePeer(UInt8(100 + last))
                bench.opened(UInt64(last), with: peer, workspaceTag: key(1).tag)
                bench.received(peer.hello(), on: UInt64(last))
                if try bench.view(of: peer.identity).record.trust == .accepted { accepted += 1 }
            }
            return accepted
        }
        let hourly = Limits.membersAcceptedInHour
        #expect(try accepted(of: hourly + 11) == hourly + 1)
        func unadmitted() throws -> Int {
            guard case .success(.doctor(let view)) = try bench.ask(.examine(who: nil)) else {
                throw EngineBench.Unexpected(what: "no doctor")
            }
            return view.unadmitted
        }
        #expect(try unadmitted() == 10)
        // They are told of also when their links have ended.
        for link in 1...last { bench.feed(.linkClosed(LinkID(UInt64(link)), .closed)) }
        #expect(try unadmitted() == 10)
        bench.setClock(forward: 2 * Limits.countedHourMilliseconds)
        #expect(try accepted(of: 1) == 0)
        bench.pass(Limits.countedHourMilliseconds)
        #expect(try accepted(of: 2) == 2 && unadmitted() == 0)
        // Whoever came with a key that is superseded is no concern any more, nor whoever the user has decided about.
        #expect(try accepted(of: hourly) == hourly - 2 && unadmitted() == 2)
        _ = try bench.ask(.block(who: RemotePeer(UInt8(100 + last)).identity.grouped)).get()
        #expect(try unadmitted() == 1)
        _ = try bench.ask(.workspace(.rotate(key(2), without: []))).get()
        #expect(try unadmitted() == 0)
    }

    /// A key is accepted only from an accepted peer, with 32 bytes and a number in the allowed range.
    @Test(arguments: [0, 1, 2, 3, 4, 5]) func aWorkspaceKeyIsChecked(_ fault: Int) throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        _ = try bench.ask(.workspace(.join(name: "Ship", key(1))))
        bench.settle()
        if fault != 1 {
            bench.opened(1, with: bob, workspaceTag: key(1).tag)
            bench.received(bob.hello(), on: 1)
            #expect(try bench.view(of: bob.identity).record.trust == .accepted)
        } else {
            // A blocked peer is told so, and its frames are ignored.
            bench.opened(1, with: bob, workspaceTag: key(1).tag)
            bench.received(bob.hello(), on: 1)
            _ = try bench.ask(.block(who: bob.identity.text))
        }
        var frame = WireWorkspaceKey()
        frame.key = key(5).secret.withBytes { .init($0) }
        frame.number = 1 + Limits.workspaceRotations
        if fault == 2 { frame.number += 1 }
        if fault == 3 { frame.key.removeLast() }
        if fault == 4 {
            frame.removed = (0...Limits.workspaceRemoved).map { .init([UInt8](repeating: UInt8($0 % 256), count: 32)) }
        }
        if fault == 5 { frame.number = 0 }
        bench.received(.workspaceKey(frame), on: 1)
        guard case .success(.workspace(let view)) = try bench.ask(.workspace(.show)) else {
            throw EngineBench.Unexpected(what: "no workspace")
        }
        #expect((view?.key.hash == key(5).hash) == (fault == 0))
        #expect(bench.closed.contains(LinkID(1)) == (fault != 0))
    }

    @Test func aSecondWorkspaceIsRefusedAndNoneIsMissed() throws {
        var bench = try EngineBench()
        func code(_ command: WorkspaceCommand) throws -> ErrorCode? {
            if case .failure(let error) = try bench.ask(.workspace(command)) { error.code } else { nil }
        }
        #expect(try code(.leave) == .noWorkspace)
        #expect(try code(.rotate(key(1), without: [])) == .noWorkspace)
        #expect(try code(.join(name: "", key(1))) == .invalidName)
        #expect(try code(.join(name: "Ship", key(1))) == nil)
        #expect(try code(.join(name: "Ship", key(1))) == nil, "joining again changes nothing")
        #expect(try code(.join(name: "Pier", key(2))) == .otherWorkspace)
        #expect(try code(.rotate(key(3), without: ["nobody"])) == .unknownPeer)
        #expect(try code(.leave) == nil)
    }

    @Test func anInvitationCodeIsReadAsItIsTyped() throws {
        let secret = SecretBytes(copying: (0..<32).map { UInt8($0 * 7) })
        let code = InvitationCode(name: "Night watch", secret: secret).text
        let groups = code.dropFirst("Night watch ".count)
        for typed in [code, code.uppercased(), "Night watch-" + groups.replacing(" ", with: "-"), String(groups)] {
            let read = try #require(InvitationCode(text: typed))
            #expect(read.secret.withBytes { Array($0) } == secret.withBytes { Array($0) })
            #expect(typed == String(groups) ? read.name.isEmpty : read.name.lowercased() == "night watch")
        }
        for typed in [" " + code, "https://x.org/join/" + code, "\n" + code + " "] {
            #expect(InvitationCode(text: typed)?.name == "Night watch", "\(typed)")
        }
        let characters = Array(code)
        for index in characters.indices where index >= "Night watch ".count && characters[index] != " " {
            var wrong = characters
            wrong[index] = wrong[index] == "a" ? "b" : "a"
            #expect(InvitationCode(text: String(wrong)) == nil)
        }
        #expect(InvitationCode(text: "") == nil && InvitationCode(text: String(code.dropLast())) == nil)
    }
}
