import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceCore

/// Why a peer is not linked: the cause is kept from the end of a link until a new link has lasted for a while.
@Suite struct TroubleTests {
    private let place = Endpoint(host: "10.0.0.2", port: 4747)

    private func outboxReason(_ bench: inout EngineBench, of bob: RemotePeer) throws -> WaitReason? {
        try bench.view(of: bob.identity).delivery.reason
    }

    @Test func whileEveryDialEndsInABreachThatIsTold() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()], fixed: [place])
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        var began: Int64?
        for link in UInt64(1)...4 {
            try bench.dial(link, to: bob)
            bench.received(bob.hello(), on: link)
            bench.received(bob.hello(), on: link)
            bench.feed(.linkClosed(LinkID(link), .closed))
            let view = try bench.view(of: bob.identity)
            #expect(view.trouble?.cause == .breach(.secondHello))
            began = began ?? view.trouble?.since
            #expect(view.trouble?.since == began, "it goes on since it began")
            #expect(try outboxReason(&bench, of: bob) == .unreachable(.breach(.secondHello)))
        }
        // A link that has lasted for a while removes the cause.
        try bench.dial(5, to: bob)
        bench.received(bob.hello(), on: 5)
        #expect(try bench.view(of: bob.identity).trouble?.cause == .breach(.secondHello))
        bench.pass(Limits.heartbeatMilliseconds)
        #expect(try bench.view(of: bob.identity).trouble == nil)
    }

    /// A peer that is not reached is so since the first attempt that failed, not since the last one.
    @Test func attemptsThatFailGoOnSinceTheFirst() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()], fixed: [place])
        bench.pass(0)
        bench.feed(.dialFailed(try #require(bench.takeDials().first).dial, .timedOut))
        try bench.dial(1, to: bob)
        bench.received(bob.hello(), on: 1)
        bench.pass(Limits.heartbeatMilliseconds)
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        var first: Int64?
        for _ in 0..<4 {
            bench.pass(Limits.backoffLongestMilliseconds)
            for dial in bench.takeDials() { bench.feed(.dialFailed(dial.dial, .timedOut)) }
            first = first ?? bench.now.wall
            let trouble = try bench.view(of: bob.identity).trouble
            #expect(trouble == LinkTrouble(.failed(.timedOut, place), since: first))
        }
    }

    /// If a new link does not last, the trouble goes on since it began.
    @Test(arguments: [Limits.lastingMilliseconds - 1, Limits.lastingMilliseconds])
    func aLinkThatLastsEndsTheTrouble(_ duration: Int64) throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        let began = bench.now.wall
        bench.open(2, with: bob)
        bench.pass(duration)
        bench.feed(.linkClosed(LinkID(2), .cutOff))
        let since = duration < Limits.lastingMilliseconds ? began : began + duration
        #expect(try bench.view(of: bob.identity).trouble?.since == since)
    }

    @Test(arguments: [
        (WireByeReason.protocol, LinkTrouble.Cause.accused), (.stopping, .stopped), (.limit, .noRoom),
        (.unspecified, .closed), (.blocked, .blocked),
    ])
    func whatAByeSaysIsKept(_ reason: WireByeReason, _ cause: LinkTrouble.Cause) throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        bench.received(bob.bye(reason), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        #expect(try bench.view(of: bob.identity).trouble?.cause == cause)
    }

    @Test(arguments: [
        (LinkEnd.closed, LinkTrouble.Cause.closed), (.cutOff, .lost), (.congested, .congested),
        (.broken(.recordAuthenticity), .breach(.recordAuthenticity)),
    ])
    func howTheConnectionEndedIsKept(_ end: LinkEnd, _ cause: LinkTrouble.Cause) throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        bench.feed(.linkClosed(LinkID(1), end))
        #expect(try bench.view(of: bob.identity).trouble?.cause == cause)
    }

    @Test func aSecondLinkThatGoesOnIsNoTrouble() throws {
        let bob = try RemotePeer()
        for reason in [WireByeReason.duplicate, .renewed] {
            var bench = try EngineBench(peers: [bob.record()])
            bench.open(1, with: bob)
            bench.received(bob.bye(reason), on: 1)
            bench.feed(.linkClosed(LinkID(1), .closed))
            #expect(try bench.view(of: bob.identity).trouble == nil)
        }
    }

    @Test func anEarlierStartAndSilenceAreNamed() throws {
        var bob = try RemotePeer()
        bob.epoch = 5
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        bench.pass(Limits.silenceMilliseconds)
        bench.feed(.linkClosed(LinkID(1), .closed))
        #expect(try bench.view(of: bob.identity).trouble?.cause == .lost)
        bob.epoch = 4
        bench.opened(2, with: bob)
        bench.feed(.linkClosed(LinkID(2), .closed))
        #expect(try bench.view(of: bob.identity).trouble?.cause == .behind)
    }

    /// A peer in another workspace is recognised by what it announces, or by how it ends the handshake.
    @Test func anotherWorkspaceIsNamed() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()], fixed: [place])
        try bench.dial(1, to: bob)
        bench.received(bob.hello(), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.pass(5_000)
        let dial = try #require(bench.takeDials().first)
        bench.feed(.dialFailed(dial.dial, .notTaken))
        #expect(try bench.view(of: bob.identity).trouble?.cause == .failed(.notTaken, dial.endpoint))
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        #expect(try outboxReason(&bench, of: bob) == .unreachable(.failed(.notTaken, dial.endpoint)))
        bench.feed(
            .sighted(
                Sighting(instance: "x", peerPrefix: bob.identity.prefix, workspaceTags: [7], endpoints: [place])
            )
        )
        #expect(try bench.view(of: bob.identity).trouble?.cause == .otherWorkspace)
    }

    /// A node that shows another workspace is not dialled, so no next try is told.
    @Test func whatIsNotDialledHasNoNextTry() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        bench.feed(
            .sighted(
                Sighting(instance: "x", peerPrefix: bob.identity.prefix, workspaceTags: [7], endpoints: [place])
            )
        )
        bench.pass(5_000)
        #expect(bench.takeDials().isEmpty)
        let view = try bench.view(of: bob.identity)
        #expect(view.nextTry == nil && view.delivery.nextTry == nil)
    }

    @Test func whoeverIsAwayIsOffline() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()], fixed: [place])
        try bench.dial(1, to: bob)
        bench.received(bob.hello(), on: 1)
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        #expect(try outboxReason(&bench, of: bob) == .peerOffline)
        bench.pass(1_000)
        bench.feed(.dialFailed(try #require(bench.takeDials().last).dial, .refused))
        #expect(try outboxReason(&bench, of: bob) == .peerOffline)
        #expect(try bench.view(of: bob.identity).trouble?.cause == .failed(.refused, place))
    }

    /// Nothing is known of somebody whose address is still to be tried, so not that they are offline either.
    @Test func whoeverIsStillToBeTriedIsNotCalledOffline() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        bench.feed(
            .sighted(Sighting(instance: "x", peerPrefix: bob.identity.prefix, workspaceTags: [], endpoints: [place]))
        )
        _ = try bench.ask(.forget(who: "Bob"))
        bench.feed(.linkClosed(LinkID(1), .closed))
        _ = try bench.ask(.send(who: bob.identity.text, text: "hello"))
        #expect(try outboxReason(&bench, of: bob) == .notLinked)
        bench.pass(1_000)
        let dial = try #require(bench.takeDials().last).dial
        #expect(try outboxReason(&bench, of: bob) == .notLinked, "it is being tried")
        bench.feed(.dialFailed(dial, .timedOut))
        #expect(try outboxReason(&bench, of: bob) == .unreachable(.failed(.timedOut, place)))
    }

    /// A peer that said that it stops is not there, whatever answers or does not at its addresses; unless it is in sight
    /// again.
    @Test func whoWasStoppedStaysSo() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()], fixed: [place])
        try bench.dial(1, to: bob)
        bench.received(bob.hello(), on: 1)
        bench.received(bob.bye(.stopping), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.pass(2_000)
        bench.feed(.dialFailed(try #require(bench.takeDials().last).dial, .timedOut))
        #expect(try bench.view(of: bob.identity).trouble?.cause == .stopped)
        bench.feed(
            .sighted(Sighting(instance: "x", peerPrefix: bob.identity.prefix, workspaceTags: [], endpoints: [place]))
        )
        bench.pass(1_000)
        for dial in bench.takeDials() { bench.feed(.dialFailed(dial.dial, .timedOut)) }
        #expect(try bench.view(of: bob.identity).trouble?.cause == .failed(.timedOut, place))
    }

    /// An address that a peer has left says nothing of it.
    @Test func theAddressThatWorkedLastTellsWhy() throws {
        let bob = try RemotePeer()
        var record = bob.record()
        let former = Endpoint(host: "10.0.0.7", port: 4747)
        record.addresses = [place, former]
        var bench = try EngineBench(peers: [record])
        for failure in [DialFailure.timedOut, .refused, .timedOut] {
            bench.pass(Limits.backoffRefusedMilliseconds)
            bench.feed(.dialFailed(try #require(bench.takeDials().last).dial, failure))
            #expect(try bench.view(of: bob.identity).trouble?.cause == .failed(.timedOut, place))
        }
    }

    /// A retry is refused where it would certainly bring nothing.
    @Test func itIsKnownWhereAnotherTryBringsNothing() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        func sight(_ tags: [UInt32]) {
            let sighting = Sighting(
                instance: "x",
                peerPrefix: bob.identity.prefix,
                workspaceTags: tags,
                endpoints: [place]
            )
            bench.feed(.sighted(sighting))
        }
        func isFutile(_ reason: WaitReason) throws -> Bool? {
            let recipient = try bench.view(of: bob.identity).delivery.recipients.first
            #expect(recipient?.reason == reason)
            return recipient?.isRetryFutile
        }
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        #expect(try isFutile(.peerOffline) == true, "there is nothing to dial")
        sight([])
        #expect(try isFutile(.notLinked) == false)
        sight([7])
        #expect(try isFutile(.unreachable(.otherWorkspace)) == true)
        _ = try bench.ask(.block(who: "Bob"))
        #expect(try isFutile(.blocked(isInGroup: false)) == true)
    }

    /// A node that was started again is seen under two names for a while: that is one way.
    @Test func oneWayIsToldOnce() {
        let place = Endpoint(host: "10.0.0.2", port: 4747)
        let other = Endpoint(host: "10.0.0.3", port: 4747)
        let failed = LinkTrouble(.failed(.refused, place))
        let ways = [
            DoctorView.Way(kind: .remembered, endpoints: [place], failed: failed),
            DoctorView.Way(kind: .sighted, endpoints: [place, other], failed: failed, nextTry: 9),
            DoctorView.Way(kind: .sighted, endpoints: [other, place], nextTry: 7),
            DoctorView.Way(kind: .sighted, endpoints: [other]),
        ]
        for isLinked in [true, false] {
            let told = DoctorView.Way.distinct(ways, isLinked: isLinked)
            #expect(told.map(\.endpoints) == [[place], [other, place], [other]])
            #expect(told[1].nextTry == 7 && (told[1].failed == nil) == isLinked)
        }
        var foreign = ways
        (foreign[2].isForeign, foreign[2].nextTry) = (true, 0)
        let told = DoctorView.Way.distinct(foreign, isLinked: false)
        #expect(!told[1].isForeign && told[1].nextTry == 9, "where another workspace is announced nobody dials")
    }
}
