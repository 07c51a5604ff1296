import ParlanceCore
import ParlanceTestKit
import ParlanceWire
import Testing

/// The life of links: two links to one replica, old certificates, and what must come first.
@Suite struct LinkRuleTests {
    private func byes(_ frames: [WireFrame.OneOf_Kind]) -> [WireByeReason] {
        frames.compactMap { if case .bye(let bye) = $0 { bye.reason } else { nil } }
    }

    /// Two engines dial each other at the same moment: in whatever order the two links open on each side, both sides
    /// keep the same link.
    @Test(arguments: [true, false], [true, false])
    func ofTwoSimultaneousLinksBothSidesKeepTheSame(ownFirst: Bool, theirsFirst: Bool) throws {
        let (ada, bob) = (try RemotePeer(1, replica: 0x41), try RemotePeer(2, replica: 0x41))
        var sides = [try EngineBench(1, peers: [bob.record()]), try EngineBench(2, name: "Bob", peers: [ada.record()])]
        let order = [ownFirst, theirsFirst]
        for side in 0...1 {
            let other = side == 0 ? bob : ada
            // Link 1 was dialled by Ada, link 2 by Bob.
            for link in order[side] ? [UInt64(1), 2] : [2, 1] {
                let isDialled = (link == 1) == (side == 0)
                sides[side].opened(link, with: other, dial: isDialled ? DialID(900 + link) : nil)
                sides[side].pass(400)
            }
        }
        let closed = sides.map(\.closed)
        #expect(closed[0] == closed[1])
        let smaller = sides[0].identity < sides[1].identity ? 0 : 1
        #expect(closed[0] == [LinkID(smaller == 0 ? 2 : 1)], "the link that the smaller identity dialled stays")
        for side in 0...1 { #expect(byes(sides[side].takeFrames(on: smaller == 0 ? 2 : 1)) == [.duplicate]) }
    }

    @Test func aLinkThatComesLaterReplacesTheOlder() throws {
        let bob = try RemotePeer()
        for isDialled in [true, false] {
            var bench = try EngineBench(peers: [bob.record()])
            bench.opened(1, with: bob, dial: isDialled ? nil : DialID(901))
            bench.pass(Limits.simultaneousMilliseconds + 1)
            bench.opened(2, with: bob, dial: isDialled ? DialID(902) : nil)
            #expect(bench.closed == [LinkID(1)])
        }
    }

    /// At the end of that time the links still count as simultaneous: the same link stays, whichever opened first.
    @Test func linksAreSimultaneousForSoLong() throws {
        let bob = try RemotePeer()
        var stays: Set<Bool> = []
        for isDialled in [true, false] {
            var bench = try EngineBench(peers: [bob.record()])
            bench.opened(1, with: bob, dial: isDialled ? nil : DialID(901))
            bench.pass(Limits.simultaneousMilliseconds)
            bench.opened(2, with: bob, dial: isDialled ? DialID(902) : nil)
            #expect(bench.closed.count == 1)
            stays.insert((bench.closed == [LinkID(1)]) == isDialled)
        }
        #expect(stays.count == 1, "the link that the same side dialled")
    }

    /// A stranger that asks for nothing does not keep its place.
    @Test func aStrangerWithoutAPurposeGoes() throws {
        let eve = try RemotePeer(3)
        var bench = try EngineBench()
        bench.opened(1, with: eve)
        bench.received(eve.hello("Eve"), on: 1)
        bench.pass(Int64(Limits.unacceptedIdleSeconds) * 1_000 - 1)
        #expect(bench.closed.isEmpty)
        bench.pass(1)
        #expect(bench.closed == [LinkID(1)])
    }

    @Test func aLinkOfALaterStartReplacesTheOlderAtOnce() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.opened(1, with: bob, dial: DialID(901))
        bob.epoch = 2
        bench.opened(2, with: bob)
        #expect(bench.closed == [LinkID(1)])
    }

    @Test func anOlderStartIsRefused() throws {
        var bob = try RemotePeer()
        bob.epoch = 5
        var bench = try EngineBench(peers: [bob.record()])
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        bob.epoch = 4
        bench.opened(2, with: bob)
        #expect(bench.closed == [LinkID(2)])
        #expect(byes(bench.takeFrames(on: 2)) == [.stale])
        bob.replica = EngineBench.replica(0x55)
        bench.opened(3, with: bob)
        #expect(bench.closed == [LinkID(2)], "another replica counts its own starts and has its own link")
    }

    @Test func aLinkToOneselfIsClosed() throws {
        var bench = try EngineBench()
        bench.opened(1, with: try RemotePeer(1, replica: 0x77))
        #expect(bench.closed == [LinkID(1)])
        guard case .success(.peers(let peers)) = try bench.ask(.listPeers) else {
            throw EngineBench.Unexpected(what: "no list")
        }
        #expect(peers.isEmpty)
    }

    @Test func helloThenSummaryGoOutFirst() throws {
        let bob = try RemotePeer()
        for peers in [[], [bob.record()]] {
            var bench = try EngineBench(peers: peers)
            bench.opened(1, with: bob)
            let frames = bench.takeFrames(on: 1)
            guard frames.count == 2, case .hello(let hello) = frames[0], case .summary(let summary) = frames[1] else {
                throw EngineBench.Unexpected(what: "other frames: \(frames)")
            }
            #expect((hello.purpose, hello.listeningPort, hello.frameLimit) == (.main, 4747, 262_144))
            #expect(hello.name == "Ada")
            #expect(summary.entries.count == peers.count, "a stranger is told of no conversation")
        }
    }

    @Test func aFrameBeforeHelloAndASecondHelloBreakTheLink() throws {
        let bob = try RemotePeer()
        for isSecondHello in [true, false] {
            var bench = try EngineBench(peers: [bob.record()])
            bench.opened(1, with: bob)
            _ = bench.takeFrames(on: 1)
            if isSecondHello { bench.received(bob.hello(), on: 1) }
            bench.received(isSecondHello ? bob.hello() : bob.hello().asHeartbeat, on: 1)
            #expect(byes(bench.takeFrames(on: 1)) == [.protocol])
            #expect(bench.closed == [LinkID(1)])
        }
    }

    @Test func aFrameOfALaterVersionIsPassedOver() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.opened(1, with: bob)
        bench.feed(.frameReceived(LinkID(1), WireFrame(), bytes: 2))
        bench.received(bob.hello(), on: 1)
        bench.feed(.frameReceived(LinkID(1), WireFrame(), bytes: 2))
        #expect(bench.closed.isEmpty)
    }

    @Test func nothingIsTakenFromALinkThatIsBeingClosed() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        bench.received(bob.hello(), on: 1)
        let event = bob.write("late", to: bench.identity)
        bench.received(bob.events(event.header.conversation, [event]), on: 1)
        #expect(bench.batches.flatMap(\.events).isEmpty)
        #expect(bench.disk.history(of: event.header.conversation).isEmpty)
    }
}
