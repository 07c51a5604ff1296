import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// A link on which the other machine acknowledges nothing: it stays, and another way is tried beside it, in virtual time.
@Suite struct StallTests {
    private let old = Endpoint(host: "10.0.0.2", port: 4747)
    private let other = Endpoint(host: "10.9.0.2", port: 4747)

    /// A bench with a lasting link to Bob, who is in sight at two addresses.
    private func linked(_ bob: RemotePeer) throws -> EngineBench {
        var bench = try EngineBench(peers: [bob.record()])
        let prefix = String(bob.identity.text.prefix(8))
        let sighting = Sighting(instance: "bob", peerPrefix: prefix, workspaceTags: [], endpoints: [old, other])
        bench.feed(.sighted(sighting))
        bench.pass(0)
        let dial = try #require(bench.takeDials().first)
        #expect(dial.endpoint == old)
        bench.opened(1, with: bob, dial: dial.dial)
        // He tells no port, so that there are no other ways to him than those in sight.
        bench.received(bob.hello(port: 0), on: 1)
        bench.received(bob.summary(of: [(bob.conversation(with: bench.identity), Clock())]), on: 1)
        bench.received(bob.clock(bob.conversation(with: bench.identity), Clock()), on: 1)
        bench.pass(Limits.stallMilliseconds)
        _ = bench.takeEffects()
        return bench
    }

    private func stall(_ bench: inout EngineBench) {
        bench.feed(.linkStalled(LinkID(1), milliseconds: Limits.stallMilliseconds))
        bench.pass(0)
    }

    @Test func anotherAddressIsTriedFirstAndTheLinkStays() throws {
        let bob = try RemotePeer()
        var bench = try linked(bob)
        _ = try bench.ask(.send(who: "Bob", text: "are you there?"))
        #expect(try bench.view(of: bob.identity).delivery.reason == .onItsWay)
        stall(&bench)
        #expect(bench.closed.isEmpty)
        #expect(bench.takeDials().map(\.endpoint) == [other])
        let view = try bench.view(of: bob.identity)
        #expect(view.connected && view.delivery.reason == .unreachable(.unanswered))
        #expect(view.trouble == LinkTrouble(.unanswered, since: bench.now.wall - Limits.stallMilliseconds))
    }

    /// Told again and again, it is one stall: each address is tried, and ever less often.
    @Test func attemptsGoOnAtEachAddress() throws {
        let bob = try RemotePeer()
        var bench = try linked(bob)
        stall(&bench)
        var tried: [(endpoint: Endpoint, at: Int64)] = []
        let began = bench.now.monotonic
        while bench.now.monotonic - began < 45_000 {
            bench.feed(.linkStalled(LinkID(1), milliseconds: Limits.stallMilliseconds))
            for dial in bench.takeDials() {
                tried.append((dial.endpoint, bench.now.monotonic - began))
                bench.feed(.dialFailed(dial.dial, .timedOut))
            }
            bench.pass(100)
        }
        #expect(tried.first?.endpoint == other)
        #expect(Set(tried.map(\.endpoint)) == [old, other])
        let (early, late) = (tried.count { $0.at < 15_000 }, tried.count { $0.at >= 30_000 })
        #expect((4...14).contains(early) && (1..<early).contains(late), "\(tried)")
        #expect(try bench.view(of: bob.identity).trouble?.cause == .unanswered)
    }

    /// What was sent on the old link and not acknowledged is sent on the new one.
    @Test func theOtherWayTakesOver() throws {
        let bob = try RemotePeer()
        var bench = try linked(bob)
        _ = try bench.ask(.send(who: "Bob", text: "are you there?"))
        stall(&bench)
        let dial = try #require(bench.takeDials().first)
        bench.opened(2, with: bob, dial: dial.dial)
        #expect(bench.closed == [LinkID(1)])
        bench.received(bob.hello(), on: 2)
        bench.received(bob.summary(of: [(bob.conversation(with: bench.identity), Clock())]), on: 2)
        bench.received(bob.clock(bob.conversation(with: bench.identity), Clock()), on: 2)
        let sent = bench.takeFrames(on: 2).compactMap { if case .events(let run) = $0 { run } else { nil } }
        #expect(sent.map(\.events.count) == [1])
        let view = try bench.view(of: bob.identity)
        #expect(view.connected && view.trouble == nil && view.delivery.reason == .onItsWay)
        bench.feed(.linkClosed(LinkID(1), .closed))
        #expect(try bench.view(of: bob.identity).connected)
        bench.pass(0)
        #expect(bench.takeDials().isEmpty)
    }

    @Test func aLinkThatAnswersAgainNeedsNoOtherWay() throws {
        let bob = try RemotePeer()
        var bench = try linked(bob)
        stall(&bench)
        let dial = try #require(bench.takeDials().first)
        bench.feed(.dialFailed(dial.dial, .timedOut))
        bench.feed(.linkAnswers(LinkID(1)))
        #expect(try bench.view(of: bob.identity).trouble == nil)
        bench.pass(Limits.heartbeatMilliseconds)
        #expect(bench.takeDials().isEmpty)
    }

    /// The inputs may come after the link has ended, or while it is being closed.
    @Test func aLinkThatEndsIsNotStalled() throws {
        let bob = try RemotePeer()
        var bench = try linked(bob)
        bench.received(bob.bye(.stopping), on: 1)
        stall(&bench)
        #expect(try bench.view(of: bob.identity).trouble?.cause != .unanswered)
        bench.feed(.linkClosed(LinkID(1), .closed))
        let view = try bench.view(of: bob.identity)
        stall(&bench)
        bench.feed(.linkAnswers(LinkID(1)))
        #expect(try bench.view(of: bob.identity).trouble == view.trouble)
    }

    /// Two engines over a link that swallows everything from one moment on, while dials succeed: both have everything
    /// within 15 s.
    @Test(arguments: UInt64(1)...8) func bothSidesHaveEverythingSoon(_ seed: UInt64) throws {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: seed)
        for node in 0...1 { world.start(node) }
        world.run(for: 5_000)
        world.give(.send(who: "bob", text: "hello"), to: 0)
        world.run(for: 5_000)
        world.give(.accept(who: "ada"), to: 1)
        world.run(for: 20_000)
        world.partition([0, 1], .silent, until: .max)
        world.network.heal()
        world.give(.send(who: "bob", text: "from ada"), to: 0)
        world.give(.send(who: "ada", text: "from bob"), to: 1)
        let place = ConversationID(direct: world.nodes[0].identity, world.nodes[1].identity)
        let isWhole = {
            world.nodes.allSatisfy { Set($0.disk.history(of: place).map(\.text)) == ["hello", "from ada", "from bob"] }
        }
        #expect(world.run(until: isWhole, within: 15_000), "seed \(seed)")
        world.run(for: 5_000)
        #expect(world.links(between: 0, 1) == 1 && isWhole(), "seed \(seed)")
    }

    /// A link that answers nothing is known as stalled, looked at late or not, before it is closed.
    @Test func aStallIsToldBeforeTheLinkIsGivenUp() {
        #expect(Limits.stallMilliseconds + 2 * Limits.stallLookMilliseconds < Limits.silenceMilliseconds)
    }
}
