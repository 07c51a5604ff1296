import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// The life of links: two links to one replica, old certificates, and what must come first.
@Suite struct LinkRuleTests {
    private func byes(_ frames: [WireFrame.OneOf_Kind]) -> [WireByeReason] {
        frames.compactMap { if case .bye(let bye) = $0 { bye.reason } else { nil } }
    }

    /// Ada and Bob: the first has the smaller identity.
    private static func ordered() throws -> (smaller: UInt8, larger: UInt8) {
        try EngineBench.peer(1) < EngineBench.peer(2) ? (1, 2) : (2, 1)
    }

    /// Two engines dial each other at the same moment: in whatever order the two links open on each side, both sides
    /// keep the same link. Who answers a dial opens the link first, so of the four orders there are three.
    @Test(arguments: [[true, true], [false, true], [false, false]])
    func ofTwoSimultaneousLinksBothSidesKeepTheSame(_ order: [Bool]) throws {
        let (ada, bob) = (try RemotePeer(1, replica: 0x41), try RemotePeer(2, replica: 0x41))
        var sides = [try EngineBench(1, peers: [bob.record()]), try EngineBench(2, name: "Bob", peers: [ada.record()])]
        for side in 0...1 {
            let other = side == 0 ? bob : ada
            // Link 1 was dialled by Ada, link 2 by Bob.
            for link in order[side] ? [UInt64(1), 2] : [2, 1] {
                let isDialled = (link == 1) == (side == 0)
                sides[side].opened(link, with: other, dial: isDialled ? DialID(900 + link) : nil)
                sides[side].pass(400)
            }
        }
        for side in [0, 1, 0, 1] {
            for link in [UInt64(1), 2] {
                for frame in sides[side].takeFrames(on: link) { sides[1 - side].received(frame, on: link) }
            }
        }
        let smaller = sides[0].identity < sides[1].identity ? 0 : 1
        for side in 0...1 {
            let closed = Set(sides[side].closed)
            #expect(closed == [LinkID(smaller == 0 ? 2 : 1)], "the link that the smaller identity dialled stays")
            #expect(try sides[side].view(of: sides[1 - side].identity).connected)
        }
    }

    /// An engine with the smaller identity has dialled link 1 to a peer, which says hello on it; 5 s later the peer dials
    /// link 2.
    private func dialledBesideItsOwn() throws -> (bench: EngineBench, peer: RemotePeer) {
        let (own, theirs) = try Self.ordered()
        let peer = try RemotePeer(theirs)
        var bench = try EngineBench(own, peers: [peer.record()])
        bench.opened(1, with: peer, dial: DialID(901))
        bench.received(peer.hello(), on: 1)
        bench.pass(Limits.simultaneousMilliseconds / 2)
        _ = bench.takeEffects()
        bench.opened(2, with: peer)
        #expect(bench.takeEffects() == [], "neither link is closed, and nothing is said on the new one")
        return (bench, peer)
    }

    /// The peer has lost the older link, and this side has not noticed. It is not sent away.
    @Test func whoHasLostTheOlderLinkGoesOnWithTheNewer() throws {
        var (bench, peer) = try dialledBesideItsOwn()
        bench.received(peer.hello(), on: 2)
        #expect(bench.closed == [LinkID(1)])
        #expect(byes(bench.takeFrames(on: 1)) == [.duplicate])
        let frames = bench.takeFrames(on: 2)
        guard case .hello = frames.first else { throw EngineBench.Unexpected(what: "no hello: \(frames)") }
        bench.feed(.linkClosed(LinkID(1), .closed))
        #expect(try bench.view(of: peer.identity).connected)
        bench.pass(Limits.silenceMilliseconds - 1)
        #expect(!bench.closed.contains(LinkID(2)), "it has its own time to be silent")
    }

    @Test func whoHasTheOlderLinkSaysGoodbyeOnTheNewer() throws {
        var (bench, peer) = try dialledBesideItsOwn()
        bench.received(peer.bye(.duplicate), on: 2)
        #expect(bench.closed == [LinkID(2)] && bench.takeFrames(on: 2).isEmpty)
        bench.feed(.linkClosed(LinkID(2), .closed))
        #expect(try bench.view(of: peer.identity).connected)
    }

    /// A peer that says nothing holds one such link, for as long as any other.
    @Test func aLinkThatWaitsForTheFirstFrameEnds() throws {
        var (bench, peer) = try dialledBesideItsOwn()
        bench.opened(3, with: peer)
        #expect(bench.closed == [LinkID(2)] && byes(bench.takeFrames(on: 2)) == [.duplicate])
        bench.feed(.linkClosed(LinkID(2), .closed))
        bench.pass(Limits.heartbeatMilliseconds)
        bench.received(peer.hello().asHeartbeat, on: 1)
        bench.pass(Limits.silenceMilliseconds - Limits.heartbeatMilliseconds - 1)
        #expect(bench.closed == [LinkID(2)])
        bench.pass(1)
        #expect(bench.closed == [LinkID(2), LinkID(3)])
        bench.feed(.linkClosed(LinkID(3), .closed))
        bench.received(peer.hello(), on: 3)
        #expect(try bench.view(of: peer.identity).connected)
    }

    /// This node joins a workspace: links of no workspace end, also one on which nothing has come yet, and none is left
    /// aside any more.
    @Test func aLinkThatWaitsEndsWithItsNetwork() throws {
        var (bench, peer) = try dialledBesideItsOwn()
        let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
        _ = try bench.ask(.workspace(.join(name: "Ship", key))).get()
        #expect(Set(bench.closed) == [LinkID(1), LinkID(2)])
        bench.opened(3, with: peer)
        #expect(bench.closed.contains(LinkID(3)), "it was opened without a key")
    }

    /// Who stops says so on this one too.
    @Test func aLinkThatWaitsHearsOfTheEnd() throws {
        var (bench, _) = try dialledBesideItsOwn()
        bench.stop()
        #expect(Set(bench.closed) == [LinkID(1), LinkID(2)])
        #expect(byes(bench.takeFrames(on: 2)) == [.stopping])
    }

    /// If the older one ends first, the newer one serves as any other.
    @Test func aLinkThatWaitsOutlastsTheOlder() throws {
        var (bench, peer) = try dialledBesideItsOwn()
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        bench.received(peer.hello(), on: 2)
        #expect(try bench.view(of: peer.identity).connected)
        #expect(bench.closed.isEmpty)
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

    /// At the end of that time the links still count as simultaneous: the one that the smaller dialled stays.
    @Test func linksAreSimultaneousForSoLong() throws {
        let (smaller, larger) = try Self.ordered()
        for wait in [Limits.simultaneousMilliseconds, Limits.simultaneousMilliseconds + 1] {
            let peer = try RemotePeer(smaller)
            var bench = try EngineBench(larger, peers: [peer.record()])
            bench.opened(1, with: peer)
            bench.pass(wait)
            bench.opened(2, with: peer, dial: DialID(902))
            #expect(bench.closed == [LinkID(wait == Limits.simultaneousMilliseconds ? 2 : 1)])
        }
    }

    /// A link whose other end acknowledges nothing is no reason to send the peer away, however young it is.
    @Test(arguments: [true, false]) func aStalledLinkNeverStays(_ isDialled: Bool) throws {
        let (smaller, larger) = try Self.ordered()
        let peer = try RemotePeer(isDialled ? larger : smaller)
        var bench = try EngineBench(isDialled ? smaller : larger, peers: [peer.record()])
        bench.opened(1, with: peer, dial: isDialled ? DialID(901) : nil)
        bench.feed(.linkStalled(LinkID(1), milliseconds: Limits.stallMilliseconds))
        bench.opened(2, with: peer, dial: isDialled ? nil : DialID(902))
        #expect(bench.closed == [LinkID(1)])
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

    /// The start that a peer shows counts from when it is welcome, also on a link that was open before (identity.md, "Epoch").
    @Test func theStartOfALinkOnWhichAPeerIsAcceptedIsRemembered() throws {
        var bob = try RemotePeer()
        bob.epoch = 7
        var bench = try EngineBench()
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        _ = try bench.ask(.accept(who: bob.identity.grouped))
        bench.feed(.linkClosed(LinkID(1), .closed))
        bob.epoch = 6
        bench.opened(2, with: bob)
        #expect(byes(bench.takeFrames(on: 2)) == [.stale])
        bob.epoch = 7
        bench.opened(3, with: bob)
        #expect(bench.closed == [LinkID(2)])
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

    /// A link that needs no network is known by its two ends.
    @Test(arguments: [
        ("127.0.0.2", "127.0.0.1", true), ("::1", "::1", true), ("10.0.0.1", "10.0.0.1", true),
        ("fe80::1%eth0", "fe80::1", true), ("10.0.0.2", "10.0.0.1", false), ("fe80::2%2", "fe80::1", false),
    ])
    func aLinkWithinTheComputerIsKnownAsOne(_ remote: String, _ local: String, _ isWithin: Bool) throws {
        var bob = try RemotePeer()
        bob.host = remote
        var bench = try EngineBench(peers: [bob.record()])
        bench.opened(1, with: bob, local: NumericAddress(text: local))
        bench.received(bob.hello(), on: 1)
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        let view = try bench.view(of: bob.identity)
        #expect(view.isLinkedWithinComputer == isWithin)
        #expect(view.delivery.recipients.map(\.isLinkedWithinComputer) == [isWithin])
    }

    /// An interface has a name at one end and a number at the other.
    @Test func anAddressIsTheSameByWhateverInterface() {
        #expect(Endpoint(host: "fe80::1%eth0", port: 1).isAt("fe80::1%2"))
        #expect(Endpoint(host: "fe80::1%eth0", port: 1).isAt("fe80::1"))
        #expect(Endpoint(host: "fe80::1%eth0", port: 1).isAt("fe80::1%eth0"))
        #expect(!Endpoint(host: "fe80::1%eth0", port: 1).isAt("fe80::1%wlan0"))
        #expect(!Endpoint(host: "fe80::1%2", port: 1).isAt("fe80::1%3"))
        #expect(!Endpoint(host: "fe80::1%eth0", port: 1).isAt("fe80::2%eth0"))
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
