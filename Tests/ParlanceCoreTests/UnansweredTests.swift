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
}
