import Foundation
import ParlanceCore
import ParlanceTestKit
import ParlanceWire
import Testing

/// The pictures of people (contacts.md, "Pictures").
@Suite struct PictureTests {
    private static let face: [UInt8] = [7, 7, 7]

    private func scene(_ trust: Trust = .accepted) throws -> (bench: EngineBench, bob: RemotePeer) {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record(trust)])
        bench.open(1, with: bob)
        _ = bench.takeFrames(on: 1)
        return (bench, bob)
    }

    private func id(_ content: [UInt8]) -> Data { Data(PictureID(hashing: content).bytes) }

    private func heartbeat(_ content: [UInt8]?) -> WireFrame.OneOf_Kind {
        var heartbeat = WireHeartbeat()
        heartbeat.name = "Bob"
        heartbeat.presence.picture = content.map { id($0) } ?? Data()
        return .heartbeat(heartbeat)
    }

    private func picture(_ content: [UInt8], of peer: RemotePeer) -> WireFrame.OneOf_Kind {
        .picture(SignedPicture(content, of: peer.identity, made: 5, with: peer.key).wire)
    }

    private func wanted(_ content: [UInt8]) -> WireFrame.OneOf_Kind {
        var wanted = WirePictureWanted()
        wanted.id = id(content)
        return .pictureWanted(wanted)
    }

    private func pictures(_ bench: inout EngineBench, on link: UInt64 = 1) -> [WireFrame.OneOf_Kind] {
        bench.takeFrames(on: link).filter {
            switch $0 {
            case .picture, .pictureWanted: true
            default: false
            }
        }
    }

    // This user's own.

    @Test func itIsToldAtOnceGivenWhenAskedForAndStaysOnTheDisk() throws {
        var (bench, bob) = try scene()
        #expect(try bench.ask(.setPicture(Self.face)) == .success(.done))
        let told = bench.takeFrames(on: 1).compactMap(\.asBeat)
        #expect(told.map(\.presence.picture) == [id(Self.face)])
        bench.received(wanted(Self.face), on: 1)
        let given = bench.takeFrames(on: 1).compactMap(\.asPicture)
        #expect(given.map { [UInt8]($0.content) } == [Self.face])
        let signed = try #require(given.first.flatMap { SignedPicture($0) })
        #expect(signed.isSigned(by: bench.identity) && signed.made == UInt64(bench.now.wall))
        bench.received(wanted([1]), on: 1)
        #expect(pictures(&bench).isEmpty, "another one")
        bench.restart(peers: [bob.record()])
        bench.opened(3, with: bob)
        #expect(bench.takeFrames(on: 3).compactMap(\.asHello).map(\.presence.picture) == [id(Self.face)])
        #expect(try bench.ask(.setPicture(nil)) == .success(.done))
        #expect(bench.takeFrames(on: 3).compactMap(\.asBeat).map(\.presence.picture) == [Data()])
        #expect(bench.disk.pictures.isEmpty)
    }

    @Test(arguments: [(0, false), (1, true), (Limits.pictureBytes, true), (Limits.pictureBytes + 1, false)])
    func ofAnAllowedSize(_ bytes: Int, _ isTaken: Bool) throws {
        var (bench, _) = try scene()
        let answer = try bench.ask(.setPicture([UInt8](repeating: 1, count: bytes)))
        #expect(answer == (isTaken ? .success(.done) : .failure(.text(.pictureSize))))
        #expect(bench.disk.pictures.count == (isTaken ? 1 : 0))
    }

    @Test func ifTheDiskIsFullItIsTheOneBefore() throws {
        var (bench, _) = try scene()
        _ = try bench.ask(.setPicture([1])).get()
        bench.diskFails = true
        #expect(throws: Refusal.notStored("no room")) { try bench.ask(.setPicture(Self.face)).get() }
        let picture = bench.engine.kept.ownPicture
        #expect(picture?.content == [1] && picture == bench.disk.snapshot.ownPicture)
    }

    @Test func aPeerIsGivenItSoOftenInAnHour() throws {
        var (bench, _) = try scene()
        _ = try bench.ask(.setPicture(Self.face)).get()
        for _ in 0...Limits.picturesGiven { bench.received(wanted(Self.face), on: 1) }
        #expect(pictures(&bench).count == Limits.picturesGiven)
        bench.pass(Limits.countedHourMilliseconds)
        bench.open(2, with: try RemotePeer())
        bench.received(wanted(Self.face), on: 2)
        #expect(pictures(&bench, on: 2).count == 1)
    }

    // Those of others.

    @Test func itIsAskedForOnceAndKept() throws {
        var (bench, bob) = try scene()
        bench.received(heartbeat(Self.face), on: 1)
        bench.received(heartbeat(Self.face), on: 1)
        #expect(pictures(&bench) == [wanted(Self.face)])
        bench.received(picture(Self.face, of: bob), on: 1)
        #expect(bench.disk.pictures[bob.identity]?.content == Self.face)
        #expect(try bench.view(of: bob.identity).picture?.id == PictureID(hashing: Self.face))
        bench.received(heartbeat(Self.face), on: 1)
        #expect(pictures(&bench).isEmpty)
        bench.received(heartbeat([1]), on: 1)
        #expect(pictures(&bench) == [wanted([1])])
        bench.received(picture([1], of: bob), on: 1)
        #expect(bench.disk.pictures[bob.identity]?.content == [1])
        bench.received(heartbeat(nil), on: 1)
        #expect(bench.disk.pictures.isEmpty)
        #expect(try bench.view(of: bob.identity).picture == nil)
    }

    @Test func anotherLinkAsksAgain() throws {
        var (bench, bob) = try scene()
        bench.received(heartbeat(Self.face), on: 1)
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        bench.open(2, with: bob)
        bench.received(heartbeat(Self.face), on: 2)
        #expect(pictures(&bench, on: 2) == [wanted(Self.face)])
    }

    @Test func ifTheDiskIsFullItIsAskedForAgain() throws {
        var (bench, bob) = try scene()
        bench.received(heartbeat(Self.face), on: 1)
        bench.diskFails = true
        bench.received(picture(Self.face, of: bob), on: 1)
        bench.diskFails = false
        #expect(bench.closed == [LinkID(1)])
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.pass(60_000)
        bench.open(2, with: bob)
        bench.received(heartbeat(Self.face), on: 2)
        #expect(pictures(&bench, on: 2) == [wanted(Self.face)])
    }

    @Test func aPictureThatWasNotAskedForHasNoEffect() throws {
        var (bench, bob) = try scene()
        let batches = bench.batches.count
        bench.received(picture(Self.face, of: bob), on: 1)
        bench.received(.picture(WirePicture()), on: 1)
        bench.received(heartbeat([1]), on: 1)
        bench.received(picture(Self.face, of: bob), on: 1)
        #expect(bench.batches.count == batches && bench.closed.isEmpty)
        bench.received(heartbeat(nil), on: 1)
        bench.received(heartbeat([1]), on: 1)
        #expect(bench.batches.count == batches, "nothing is erased that is not there")
        bench.received(picture([1], of: bob), on: 1)
        bench.received(picture([1], of: bob), on: 1)
        #expect(bench.batches.count == batches + 1 && bench.closed.isEmpty)
    }

    @Test func anotherPictureThanItsOwnIsABreach() throws {
        let eve = try RemotePeer(3)
        for wrong in [0, 1, 2, 3] {
            var (bench, bob) = try scene()
            let content = [UInt8](repeating: 1, count: wrong == 1 ? Limits.pictureBytes + 1 : 3)
            bench.received(heartbeat(content), on: 1)
            var frame = SignedPicture(content, of: bob.identity, made: 5, with: wrong == 0 ? eve.key : bob.key).wire
            if wrong == 2 { frame.signature.removeLast() }
            if wrong == 3 { frame.made = .max }
            bench.received(.picture(frame), on: 1)
            #expect(bench.closed == [LinkID(1)] && bench.disk.pictures.isEmpty, "\(wrong)")
        }
        var (bench, _) = try scene()
        bench.received(.pictureWanted(WirePictureWanted()), on: 1)
        #expect(bench.closed == [LinkID(1)])
    }

    @Test func soManyAreTakenInAnHour() throws {
        var (bench, bob) = try scene()
        for number in 0...UInt8(Limits.picturesTaken) {
            bench.received(heartbeat([number]), on: 1)
            bench.received(picture([number], of: bob), on: 1)
        }
        #expect(pictures(&bench).count == Limits.picturesTaken)
        #expect(bench.disk.pictures[bob.identity]?.content == [UInt8(Limits.picturesTaken - 1)])
        bench.setClock(forward: 2 * Limits.countedHourMilliseconds)
        bench.received(heartbeat([99]), on: 1)
        #expect(pictures(&bench).isEmpty, "a clock that is set ends no hour")
        bench.pass(Limits.countedHourMilliseconds)
        bench.open(2, with: bob)
        bench.received(heartbeat([99]), on: 2)
        #expect(pictures(&bench, on: 2) == [wanted([99])])
    }

    // Who may see it.

    @Test func strangersAreNeitherToldNorAskedNorAnswered() throws {
        let eve = try RemotePeer(3)
        var bench = try EngineBench()
        _ = try bench.ask(.setPicture(Self.face)).get()
        bench.opened(1, with: eve)
        guard case .hello(var hello) = eve.hello() else { return }
        hello.presence.picture = id([1])
        bench.received(.hello(hello), on: 1)
        bench.received(heartbeat([1]), on: 1)
        bench.received(wanted(Self.face), on: 1)
        bench.received(picture([1], of: eve), on: 1)
        let frames = bench.takeFrames(on: 1)
        #expect(frames.compactMap(\.asHello).map(\.presence.picture) == [Data()])
        #expect(frames.compactMap(\.asPicture).isEmpty && frames.compactMap(\.asPictureWanted).isEmpty)
        #expect(bench.disk.pictures.count == 1 && bench.closed.isEmpty)
        // Once accepted, it is told with the next heartbeat.
        _ = try bench.ask(.accept(who: eve.identity.grouped)).get()
        bench.pass(Limits.heartbeatMilliseconds)
        #expect(bench.takeFrames(on: 1).compactMap(\.asBeat).last?.presence.picture == id(Self.face))
        bench.received(heartbeat([1]), on: 1)
        #expect(pictures(&bench) == [wanted([1])])
    }

    @Test func membersOfAGroupSeeEachOther() throws {
        var crew = try GroupBench(1)
        crew.bench.restart(peers: crew.peers.map { $0.record(.unknown) })
        _ = try crew.bench.ask(.setPicture(Self.face)).get()
        crew.bench.opened(1, with: crew.peers[0])
        let hello = crew.bench.takeFrames(on: 1).compactMap(\.asHello)
        #expect(hello.map(\.presence.picture) == [id(Self.face)])
        crew.bench.received(crew.peers[0].hello(), on: 1)
        crew.bench.received(heartbeat([1]), on: 1)
        #expect(pictures(&crew.bench) == [wanted([1])])
        crew.bench.received(wanted(Self.face), on: 1)
        #expect(pictures(&crew.bench).count == 1)
        _ = try crew.bench.ask(.changeGroup(who: "Crew", .remove([crew.peers[0].identity.grouped]))).get()
        _ = crew.bench.takeFrames(on: 1)
        crew.bench.received(wanted(Self.face), on: 1)
        #expect(pictures(&crew.bench).isEmpty)
    }

    /// Whoever is in no common group any more has no picture here, also if it was here at the last start.
    @Test func whoIsNoFellowAnyMoreLosesThePicture() throws {
        var crew = try GroupBench(2)
        crew.bench.restart(peers: crew.peers.map { $0.record(.unknown) })
        for peer in crew.peers.indices {
            crew.open(peer)
            let link = UInt64(peer)
            crew.bench.received(heartbeat([1]), on: link)
            crew.bench.received(picture([1], of: crew.peers[peer]), on: link)
        }
        #expect(crew.bench.disk.pictures.count == 2)
        _ = try crew.bench.ask(.changeGroup(who: "Crew", .remove([crew.peers[0].identity.grouped]))).get()
        #expect(crew.bench.disk.pictures.map(\.key) == [crew.peers[1].identity])
        let former = crew.peers[0]
        var batch = PersistBatch(id: BatchID(1_000_000))
        let left = SignedPicture([1], of: former.identity, made: 5, with: former.key)
        batch.pictures = [PictureRecord(peer: former.identity, picture: left)]
        try crew.bench.disk.persist(batch)
        crew.bench.restart(peers: crew.peers.map { $0.record(.unknown) })
        crew.bench.settle()
        #expect(crew.bench.disk.pictures.map(\.key) == [crew.peers[1].identity])
        _ = try crew.bench.ask(.changeGroup(who: "Crew", .appoint([crew.peers[1].identity.grouped]))).get()
        _ = try crew.bench.ask(.changeGroup(who: "Crew", .leave)).get()
        #expect(crew.bench.disk.pictures.isEmpty)
    }

    /// A change of a group concerns the pictures of others, also while this user's own is on its way to the disk.
    @Test func aChangeOfAGroupLeavesTheOwnPicture() throws {
        var crew = try GroupBench(1)
        crew.bench.writesWait = true
        _ = crew.bench.give(.changeGroup(who: "Crew", .remove([crew.peers[0].identity.grouped])))
        _ = crew.bench.give(.setPicture(Self.face))
        crew.bench.writesWait = false
        crew.bench.settle()
        #expect(crew.bench.disk.pictures[crew.bench.identity]?.content == Self.face)
    }

    /// Also one that is on its way to the disk while the peer already has the next.
    @Test(arguments: [Command.forget(who: "Bob"), .block(who: "Bob")])
    func whatIsBeingWrittenIsErasedToo(by command: Command) throws {
        var (bench, bob) = try scene()
        bench.writesWait = true
        for content: [UInt8] in [[1], [2]] {
            bench.received(heartbeat(content), on: 1)
            if content == [1] { bench.received(picture(content, of: bob), on: 1) }
        }
        _ = bench.give(command)
        bench.writesWait = false
        bench.settle()
        #expect(bench.disk.pictures.isEmpty && bench.engine.kept.pictures.isEmpty)
    }

    /// A damaged picture counts as none, and its row goes all the same.
    @Test(arguments: [Command.forget(who: "Bob"), .block(who: "Bob")])
    func aPictureThatCountsAsNoneIsErasedToo(by command: Command) throws {
        var (bench, bob) = try scene()
        var batch = PersistBatch(id: BatchID(1_000_000))
        let picture = SignedPicture(Self.face, of: bob.identity, made: 5, with: bob.key)
        batch.pictures = [PictureRecord(peer: bob.identity, picture: picture)]
        try bench.disk.persist(batch)
        _ = try bench.ask(command).get()
        #expect(bench.disk.pictures.isEmpty)
    }

    @Test(arguments: [Command.forget(who: "Bob"), .block(who: "Bob")])
    func whoIsForgottenLosesThePicture(by command: Command) throws {
        var (bench, bob) = try scene()
        bench.received(heartbeat(Self.face), on: 1)
        bench.received(picture(Self.face, of: bob), on: 1)
        #expect(bench.disk.pictures.count == 1)
        _ = try bench.ask(command).get()
        #expect(bench.disk.pictures.isEmpty && bench.engine.kept.pictures.isEmpty)
    }
}

extension WireFrame.OneOf_Kind {
    fileprivate var asHello: WireHello? { if case .hello(let frame) = self { frame } else { nil } }
    fileprivate var asBeat: WireHeartbeat? { if case .heartbeat(let frame) = self { frame } else { nil } }
    fileprivate var asPicture: WirePicture? { if case .picture(let frame) = self { frame } else { nil } }
    fileprivate var asPictureWanted: WirePictureWanted? {
        if case .pictureWanted(let frame) = self { frame } else { nil }
    }
}
