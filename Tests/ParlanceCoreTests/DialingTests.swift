import ParlanceCore
import ParlanceWire
import Testing

/// Which peers an engine dials, and when, in virtual time.
@Suite struct DialingTests {
    private let fixed = Endpoint(host: "10.9.9.9", port: 4747)
    private let bob: RemotePeer

    init() throws { bob = try RemotePeer() }

    private func sighting(_ name: String = "i1", prefix: String? = nil, host: String = "10.0.0.2") -> Input {
        .sighted(
            Sighting(
                instance: name,
                peerPrefix: prefix,
                workspaceTags: [],
                endpoints: [Endpoint(host: host, port: 4747)]
            )
        )
    }

    /// Lets time pass until the next dial; `nil` if none comes within the given time.
    private func nextDial(_ bench: inout EngineBench, within milliseconds: Int64 = 400_000) -> (DialID, wait: Int64)? {
        let start = bench.now.monotonic
        while bench.now.monotonic - start <= milliseconds {
            if let dial = bench.takeDials().first { return (dial.dial, bench.now.monotonic - start) }
            guard let due = bench.engine.nextDeadline else { return nil }
            bench.pass(max(0, due - bench.now.monotonic))
        }
        return nil
    }

    /// The pauses between a number of dials that all fail.
    private func waits(_ bench: inout EngineBench, count: Int) throws -> [Int64] {
        try (0..<count).map { _ in
            let (dial, wait) = try #require(nextDial(&bench))
            bench.feed(.dialFailed(dial, .timedOut))
            return wait
        }
    }

    @Test func theWaitDoublesToThirtySeconds() throws {
        var bench = try EngineBench(fixed: [fixed])
        let found = try waits(&bench, count: 9)
        #expect(found[0] == 0, "the first at once")
        var whole = Limits.backoffFirstMilliseconds
        for wait in found.dropFirst() {
            #expect((whole / 2...whole).contains(wait), "\(wait) of \(whole): half to whole, at random")
            whole = min(2 * whole, Limits.backoffLongestMilliseconds)
        }
    }

    /// A link that this node ends as soon as it is open is a failure like any other: nothing is dialled while it is being
    /// closed, and each wait afterwards is longer (discovery.md, "Back-off").
    @Test(arguments: ["an older start", "another workspace", "a breach"])
    func aLinkThatIsEndedAtOnceIsNoReasonToDialAtOnce(_ reason: String) throws {
        var bob = bob
        bob.epoch = 5
        var bench = try EngineBench(peers: reason == "another workspace" ? [] : [bob.record()], fixed: [fixed])
        if reason == "an older start" {
            bench.opened(1, with: bob)
            bench.feed(.linkClosed(LinkID(1), .closed))
            bob.epoch = 4
        }
        var dial = try #require(nextDial(&bench)).0
        var waits: [Int64] = []
        for link in UInt64(2)...5 {
            bench.opened(link, with: bob, dial: dial, workspaceTag: reason == "another workspace" ? 7 : nil)
            if reason == "a breach" { bench.received(bob.hello().asHeartbeat, on: link) }
            try #require(bench.closed.contains(LinkID(link)))
            // What else the node has to do looks for whom to dial.
            bench.feed(.settingsChanged(fixed: [fixed], acceptsMembers: true))
            bench.pass(200)
            #expect(bench.takeDials().isEmpty, "it is being closed")
            bench.feed(.linkClosed(LinkID(link), .closed))
            let next = try #require(nextDial(&bench))
            waits.append(next.wait)
            dial = next.0
        }
        for (number, wait) in waits.enumerated() {
            let whole = Limits.backoffFirstMilliseconds << Int64(number)
            #expect((whole / 2...whole).contains(wait), "\(waits)")
        }
    }

    @Test func otherStaticAddressesAreDialledAtOnceAndRemovedOnesNoMore() throws {
        let other = Endpoint(host: "10.8.8.8", port: 4747)
        var bench = try EngineBench(fixed: [fixed])
        _ = try waits(&bench, count: 5)
        bench.feed(.settingsChanged(fixed: [fixed, other], acceptsMembers: true))
        bench.pass(0)
        #expect(bench.takeDials().map(\.endpoint) == [other], "the one that stays keeps its pause")
        bench.feed(.settingsChanged(fixed: [], acceptsMembers: true))
        #expect(nextDial(&bench) == nil)
        bench.feed(.settingsChanged(fixed: [fixed], acceptsMembers: true))
        bench.pass(0)
        #expect(bench.takeDials().map(\.endpoint) == [fixed])
    }

    /// Somebody with a new name announces another instance (discovery.md, "DNS-SD").
    @Test func aStrangerSeenUnderAnotherInstanceTellsItsNewName() throws {
        var bench = try EngineBench()
        bench.feed(sighting("i1", prefix: bob.identity.prefix))
        let first = try #require(nextDial(&bench))
        bench.opened(1, with: bob, dial: first.0)
        bench.received(bob.hello(), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        #expect(nextDial(&bench, within: Limits.strangerKeptMilliseconds / 2) == nil, "it has answered")
        bench.feed(sighting("i1-1", prefix: bob.identity.prefix))
        bench.feed(.sightLost(instance: "i1"))
        let again = try #require(nextDial(&bench, within: 1_000))
        bench.opened(2, with: bob, dial: again.0)
        bench.received(bob.hello("Robert"), on: 2)
        #expect(try bench.view(of: bob.identity).displayName == "Robert")
        bench.feed(.linkClosed(LinkID(2), .closed))
        #expect(nextDial(&bench, within: Limits.strangerKeptMilliseconds / 2) == nil, "it has answered there too")
    }

    @Test func aSightingOrAnotherNetworkStartsItOver() throws {
        for reason in [Input.networkChanged, sighting("i1", host: "10.9.9.9")] {
            var bench = try EngineBench()
            bench.feed(sighting("i1", host: "10.9.9.9"))
            _ = try waits(&bench, count: 6)
            bench.feed(reason)
            let found = try waits(&bench, count: 3)
            #expect(found[0] == 0)
            #expect((500...1_000).contains(found[1]))
            #expect((1_000...2_000).contains(found[2]))
        }
    }

    @Test func aCommandStartsItOver() throws {
        var record = bob.record()
        record.addresses = [Endpoint(host: "10.0.0.2", port: 4747)]
        var bench = try EngineBench(peers: [record])
        _ = try waits(&bench, count: 6)
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        let found = try waits(&bench, count: 2)
        #expect(found[0] == 0)
        #expect((500...1_000).contains(found[1]))
    }

    @Test func aRememberedPeerIsTriedLessOftenWhileNothingWaits() throws {
        var record = bob.record()
        record.addresses = [Endpoint(host: "10.0.0.2", port: 4747)]
        var bench = try EngineBench(peers: [record])
        let idle = try waits(&bench, count: 12).suffix(2)
        #expect(idle.allSatisfy { (150_000...300_000).contains($0) }, "\(idle)")
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        let pressing = try waits(&bench, count: 12).suffix(2)
        #expect(pressing.allSatisfy { (15_000...30_000).contains($0) }, "\(pressing)")
    }

    @Test func rememberedAddressesAreTriedInTurnAndOnlyForTheirPeer() throws {
        var record = bob.record()
        let places = (1...3).map { Endpoint(host: "10.0.0.\($0)", port: 4747) }
        record.addresses = places
        var bench = try EngineBench(peers: [record])
        var tried: [Endpoint] = []
        while tried.count < 4 {
            bench.pass(1_000)
            for dial in bench.takeDials() {
                #expect(dial.expecting == bob.identity)
                tried.append(dial.endpoint)
                bench.feed(.dialFailed(dial.dial, .timedOut))
            }
        }
        #expect(tried == places + [places[0]])
    }

    @Test func atMostFiveDialsStartInASecond() throws {
        var bench = try EngineBench()
        for number in 0..<23 { bench.feed(sighting("i\(number)", host: "10.0.1.\(number)")) }
        var perSecond: [Int] = []
        bench.pass(0)
        for _ in 0..<6 {
            perSecond.append(bench.takeDials().count)
            bench.pass(1_000)
        }
        #expect(perSecond.allSatisfy { $0 <= Limits.dialsPerSecond }, "\(perSecond)")
        #expect(perSecond[0] == Limits.dialsPerSecond)
        #expect(perSecond.reduce(0, +) == 23)
    }

    @Test func aStrangerInSightIsDialledUntilItIsKnownAndNotAgain() throws {
        var bench = try EngineBench()
        bench.feed(sighting())
        let (dial, wait) = try #require(nextDial(&bench))
        #expect(wait == 0)
        bench.opened(1, with: bob, dial: dial)
        bench.received(bob.hello(), on: 1)
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        #expect(nextDial(&bench) == nil, "one has met, and nobody wants more")
        _ = try bench.ask(.accept(who: "Bob"))
        #expect(nextDial(&bench) != nil)
    }

    @Test func anAcceptedPeerInSightIsDialledAgainSoonAfterALossAndNotWhileLinked() throws {
        var bench = try EngineBench(peers: [bob.record()])
        bench.feed(sighting(prefix: bob.identity.prefix))
        let (dial, _) = try #require(nextDial(&bench))
        bench.opened(1, with: bob, dial: dial)
        bench.received(bob.hello(), on: 1)
        bench.pass(20_000)
        bench.received(bob.bye(.unspecified), on: 1)
        #expect(bench.takeDials().isEmpty)
        bench.feed(.linkClosed(LinkID(1), .closed))
        let (_, wait) = try #require(nextDial(&bench))
        #expect(wait <= 1_000)
    }

    @Test func nobodyOfAnotherWorkspaceAndNobodyBlockedIsDialled() throws {
        var bench = try EngineBench(peers: [bob.record(.blocked)])
        bench.feed(
            .sighted(
                Sighting(
                    instance: "i1",
                    peerPrefix: nil,
                    workspaceTags: [7],
                    endpoints: [Endpoint(host: "10.0.0.9", port: 1)]
                )
            )
        )
        bench.feed(sighting("i2", prefix: bob.identity.prefix))
        #expect(nextDial(&bench) == nil)
    }

    @Test func whatIsNotInSightAnyMoreIsNotDialled() throws {
        var bench = try EngineBench()
        bench.feed(sighting())
        _ = try waits(&bench, count: 2)
        bench.feed(.sightLost(instance: "i1"))
        #expect(nextDial(&bench) == nil)
    }

    /// A neighbour that fills the list with invented instances displaces nobody and costs no more memory.
    @Test func soManySightingsAreKept() throws {
        var bench = try EngineBench()
        for number in 0..<Limits.sightings + 1 { bench.feed(sighting("i\(number)", host: "h\(number)")) }
        var hosts: Set<String> = []
        for _ in 0..<Limits.sightings / Limits.dialsPerSecond + 2 {
            hosts.formUnion(bench.takeDials().map(\.endpoint.host))
            bench.pass(1_000)
        }
        #expect(hosts.count == Limits.sightings && !hosts.contains("h\(Limits.sightings)"))
    }

    @Test func soManyAddressesOfAPeerAreRemembered() throws {
        var bob = bob
        var bench = try EngineBench(peers: [bob.record()])
        let hosts = (1...Limits.addressesPerPeer + 1).map { "10.0.2.\($0)" }
        for (number, host) in hosts.enumerated() {
            bob.host = host
            bench.opened(UInt64(number), with: bob)
            bench.received(bob.hello(), on: UInt64(number))
            bench.feed(.linkClosed(LinkID(UInt64(number)), .cutOff))
        }
        #expect(try bench.view(of: bob.identity).record.addresses.map(\.host) == hosts.dropFirst().reversed())
    }

    @Test func afterARefusalFiveMinutesPass() throws {
        var bench = try EngineBench(peers: [bob.record()])
        bench.feed(sighting(prefix: bob.identity.prefix))
        let (dial, _) = try #require(nextDial(&bench))
        bench.opened(1, with: bob, dial: dial)
        bench.received(bob.hello(), on: 1)
        bench.received(bob.refuse(bob.conversation(with: bench.identity), .blocked), on: 1)
        bench.received(bob.bye(.blocked), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        let (_, wait) = try #require(nextDial(&bench))
        #expect(wait == Limits.backoffRefusedMilliseconds)
    }

    /// The peer had no room for the link, and then makes one itself: the wait is over, and when that link goes it is dialled
    /// as anybody is. Without a summary the wait goes on.
    @Test(arguments: [true, false]) func whoSendsASummaryIsNotWaitedFor(sends: Bool) throws {
        var bench = try EngineBench(peers: [bob.record()])
        bench.feed(sighting(prefix: bob.identity.prefix))
        let (dial, _) = try #require(nextDial(&bench))
        bench.opened(1, with: bob, dial: dial)
        bench.received(bob.hello(), on: 1)
        bench.received(bob.bye(.limit), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.pass(1_000)
        bench.opened(2, with: bob)
        bench.received(bob.hello(), on: 2)
        if sends { bench.received(bob.summary(of: []), on: 2) }
        bench.pass(Limits.lastingMilliseconds)
        #expect(bench.takeDials().isEmpty)
        bench.feed(.linkClosed(LinkID(2), .cutOff))
        let (_, wait) = try #require(nextDial(&bench))
        let rest = Limits.backoffRefusedMilliseconds - 1_000 - Limits.lastingMilliseconds
        #expect(sends ? wait < Limits.backoffFirstMilliseconds : wait == rest, "\(wait) ms")
    }

    @Test func aLinkIsMadeAnewAfterADay() throws {
        var bench = try EngineBench(peers: [bob.record()])
        bench.feed(sighting(prefix: bob.identity.prefix))
        let (dial, _) = try #require(nextDial(&bench))
        bench.opened(1, with: bob, dial: dial)
        bench.received(bob.hello(), on: 1)
        for _ in 1..<(Limits.linkHours * 120) {
            bench.received(bob.hello().asHeartbeat, on: 1)
            bench.pass(30_000)
        }
        bench.received(bob.hello().asHeartbeat, on: 1)
        bench.pass(29_999)
        #expect(bench.takeDials().isEmpty)
        bench.pass(1)
        let dials = bench.takeDials()
        #expect(dials.count == 1)
        #expect(dials.first?.expecting == bob.identity)
        bench.opened(2, with: bob, dial: dials.first?.dial)
        #expect(bench.closed == [LinkID(1)], "the newer one stays")
    }
}

extension WireFrame.OneOf_Kind {
    /// The heartbeat with the contents of a hello.
    var asHeartbeat: WireFrame.OneOf_Kind {
        guard case .hello(let hello) = self else { return self }
        var heartbeat = WireHeartbeat()
        heartbeat.name = hello.name
        heartbeat.presence = hello.presence
        return .heartbeat(heartbeat)
    }
}
