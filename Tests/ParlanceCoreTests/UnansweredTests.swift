import ParlanceCore
import ParlanceWire
import Testing

/// Nodes in sight that do not answer are told, before anybody is known.
@Suite struct UnansweredTests {
    private let place = Endpoint(host: "10.0.0.6", port: 4747)

    private func view(_ bench: inout EngineBench) throws -> DoctorView {
        guard case .success(.doctor(let view)) = try bench.ask(.examine(who: nil)) else {
            throw EngineBench.Unexpected(what: "no examination")
        }
        return view
    }

    private func sight(_ bench: inout EngineBench, _ hosts: [String] = ["10.0.0.6"], prefix: String? = nil) {
        let endpoints = hosts.map { Endpoint(host: $0, port: 4747) }
        bench.feed(
            .sighted(Sighting(instance: "i1", peerPrefix: prefix, workspaceTags: [], endpoints: endpoints))
        )
    }

    private func fail(_ bench: inout EngineBench, _ failure: DialFailure) throws {
        bench.pass(60_000)
        bench.feed(.dialFailed(try #require(bench.takeDials().first).dial, failure))
    }

    @Test func aStrangerBehindAFirewallIsTold() throws {
        var bench = try EngineBench(peers: [])
        sight(&bench)
        #expect(try view(&bench).unanswered.isEmpty, "nobody has tried yet")
        let began = bench.now.wall
        try fail(&bench, .timedOut)
        let told = try view(&bench).unanswered
        #expect(told.map(\.place) == [place] && told.map(\.failure) == [.timedOut])
        #expect(told.first?.since ?? 0 >= began)
        bench.feed(.sightLost(instance: "i1"))
        #expect(try view(&bench).unanswered.isEmpty)
    }

    @Test func whatFailsAtOnceIsToldOnceAllAddressesWereTried() throws {
        var bench = try EngineBench(peers: [])
        sight(&bench, ["10.0.0.6", "172.17.0.1", "10.0.1.6"])
        for isTold in [false, false, true] {
            try fail(&bench, .refused)
            #expect(try view(&bench).unanswered.isEmpty != isTold)
        }
    }

    @Test func whatFailsAtOnceIsToldOnlyIfItFailsAgain() throws {
        var bench = try EngineBench(peers: [])
        sight(&bench)
        for attempt in 1...Limits.failuresTold {
            try fail(&bench, .noRoute)
            #expect(try view(&bench).unanswered.isEmpty == (attempt < Limits.failuresTold))
        }
    }

    @Test func whatANodeSaysIsNoSilence() throws {
        for failure in [DialFailure.notTaken, .otherIdentity, .ownIdentity, .tooManyUnaccepted, .handshake("x")] {
            var bench = try EngineBench(peers: [])
            sight(&bench)
            for _ in 0..<4 { try fail(&bench, failure) }
            #expect(try view(&bench).unanswered.isEmpty, "\(failure)")
        }
    }

    /// A node that changes its workspace is seen under its earlier names until these expire; it counts once, where it is.
    @Test func whoHasJoinedCountsOnce() throws {
        let people = try (2...4).map { try RemotePeer($0) }
        var bench = try EngineBench(peers: [people[0].record()])
        func sight(_ peer: RemotePeer, _ name: String, tags: [UInt32]) {
            let seen = Sighting(
                instance: name,
                peerPrefix: peer.identity.prefix,
                workspaceTags: tags,
                endpoints: [place]
            )
            bench.feed(.sighted(seen))
        }
        for tag: UInt32 in 1...3 {
            for peer in people { sight(peer, "\(peer.identity.prefix)-\(tag)", tags: [tag]) }
        }
        var told = try view(&bench)
        #expect(told.sighted == 0 && told.foreign == 3)
        sight(people[1], "again", tags: [])
        told = try view(&bench)
        #expect(told.sighted == 1 && told.foreign == 2)
        bench.open(1, with: people[0])
        told = try view(&bench)
        #expect(told.sighted == 2 && told.foreign == 1, "who is linked is here")
        bench.feed(.sighted(Sighting(instance: "old", peerPrefix: nil, workspaceTags: [9], endpoints: [place])))
        #expect(try view(&bench).foreign == 2, "who announces no ID counts by name")
    }
}
