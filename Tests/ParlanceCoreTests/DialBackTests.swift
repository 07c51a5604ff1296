import ParlanceCore
import ParlanceErrorCode
import ParlanceWire
import Testing

/// Asks a peer whether the local port can be reached (sync.md, "DialBack, DialedBack").
@Suite struct DialBackTests {
    private let bob: RemotePeer

    init() throws { bob = try RemotePeer() }

    private func linked(_ trust: Trust = .accepted) throws -> EngineBench {
        var bench = try EngineBench(peers: [bob.record(trust)])
        bench.opened(1, with: bob)
        bench.received(bob.hello(port: 5_151), on: 1)
        _ = bench.takeEffects()
        return bench
    }

    private func answer(_ outcome: WireDialedBack.Outcome, _ reason: String = "") -> WireFrame.OneOf_Kind {
        var frame = WireDialedBack()
        frame.outcome = outcome
        frame.reason = reason
        return .dialedBack(frame)
    }

    private func outcome(_ bench: inout EngineBench, of id: CommandID) throws -> DialBackView.Outcome? {
        let result = try #require(bench.takeAnswers()[id])
        guard case .success(.dialedBack(let view)) = result else { throw EngineBench.Unexpected(what: "\(result)") }
        return view?.outcome
    }

    private func probes(_ bench: inout EngineBench) -> [(DialID, Endpoint)] {
        bench.takeEffects().compactMap { if case .probe(let id, let place) = $0 { (id, place) } else { nil } }
    }

    private func outcomes(_ bench: inout EngineBench) -> [WireDialedBack] {
        bench.takeFrames(on: 1).compactMap { if case .dialedBack(let answer) = $0 { answer } else { nil } }
    }

    // Asking.

    @Test(arguments: [
        (WireDialedBack.Outcome.reached, DialBackView.Outcome.reached), (.tooOften, .tooOften),
        (.failed, .failed("timed out")), (.unspecified, .failed("timed out")),
    ])
    func whatThePeerFoundIsTheAnswer(_ told: WireDialedBack.Outcome, _ expected: DialBackView.Outcome) throws {
        var bench = try linked()
        let id = bench.give(.dialBack(who: nil))
        let other = bench.give(.dialBack(who: nil))
        let asked = bench.takeFrames(on: 1).filter { if case .dialBack = $0 { true } else { false } }
        #expect(asked.count == 1, "both commands wait for one answer")
        bench.received(answer(told, "timed\u{1B} out"), on: 1)
        let answers = bench.takeAnswers()
        let view = DialBackView(peer: bob.identity, outcome: expected)
        for command in [id, other] { #expect(answers[command] == .success(.dialedBack(view))) }
        bench.received(answer(.reached), on: 1)
        #expect(bench.takeAnswers().isEmpty, "nobody has asked")
    }

    @Test func aReasonIsCutToItsLimit() throws {
        var bench = try linked()
        let id = bench.give(.dialBack(who: nil))
        bench.received(answer(.failed, String(repeating: "x", count: 5_000)), on: 1)
        #expect(
            try outcome(&bench, of: id) == .failed(String(repeating: "x", count: Limits.dialBackReasonBytes))
        )
    }

    @Test func nobodyWaitsForAnAnswerWithoutEnd() throws {
        var bench = try linked()
        let late = bench.give(.dialBack(who: nil))
        bench.pass(Limits.dialBackMilliseconds - 1)
        #expect(bench.takeAnswers().isEmpty)
        bench.pass(1)
        #expect(try outcome(&bench, of: late) == .noAnswer)
        let cut = bench.give(.dialBack(who: nil))
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        #expect(try outcome(&bench, of: cut) == .noAnswer)
        let alone = bench.give(.dialBack(who: nil))
        #expect(try outcome(&bench, of: alone) == nil)
    }

    /// Ada is linked with Bob, Cleo, Dan and Eve, who were heard of in this order.
    private func office() throws -> (EngineBench, [RemotePeer]) {
        let others = try (3...5).map { try RemotePeer(UInt8($0)) }
        let all = [bob] + others
        var bench = try EngineBench(peers: all.map { $0.record(.accepted) })
        for (link, remote) in zip(UInt64(1)..., all) {
            bench.opened(link, with: remote)
            bench.received(remote.hello(port: 5_151), on: link)
            bench.pass(1)
        }
        _ = bench.takeEffects()
        return (bench, all)
    }

    /// The link on which the next one was asked; `nil` if nobody was.
    private func asked(_ bench: inout EngineBench) -> LinkID? {
        let effects = bench.takeEffects()
        for case .send(let link, let frame) in effects {
            if case .dialBack? = frame.kind { return link }
        }
        return nil
    }

    /// Whoever is gone is not waited for to the end: others are asked, at most three, in the same time.
    @Test func theNextIsAskedWhereOneDoesNotAnswer() throws {
        let (linked, people) = try office()
        var bench = linked
        let id = bench.give(.dialBack(who: nil))
        #expect(asked(&bench) == LinkID(4), "whoever was heard of most recently")
        bench.pass(Limits.dialBackPatienceMilliseconds - 1)
        #expect(asked(&bench) == nil)
        bench.pass(1)
        #expect(asked(&bench) == LinkID(3))
        bench.feed(.linkClosed(LinkID(3), .cutOff))
        #expect(asked(&bench) == LinkID(2))
        bench.received(answer(.reached), on: 2)
        let view = DialBackView(peer: people[1].identity, outcome: .reached)
        #expect(bench.takeAnswers()[id] == .success(.dialedBack(view)))

        let again = bench.give(.dialBack(who: nil))
        #expect(asked(&bench) == LinkID(1), "the others were asked less than a minute ago")
        bench.received(answer(.tooOften), on: 1)
        #expect(asked(&bench) == LinkID(2), "somebody else may say more")
        bench.pass(Limits.dialBackMilliseconds - 1)
        #expect(bench.takeAnswers().isEmpty)
        bench.pass(1)
        #expect(try outcome(&bench, of: again) == .tooOften)
    }

    /// The fourth is left alone, so that a large office is not asked one by one.
    @Test func onlySoManyAreAsked() throws {
        let (linked, people) = try office()
        var bench = linked
        let id = bench.give(.dialBack(who: nil))
        var links: [LinkID] = []
        var ended: Result<Answer, Refusal>?
        while let link = asked(&bench) {
            links.append(link)
            bench.received(answer(.tooOften), on: link.value)
            ended = bench.takeAnswers()[id]
        }
        #expect(links.count == Limits.dialBackPeers && links.count < people.count)
        #expect(ended == .success(.dialedBack(DialBackView(peer: people[3].identity, outcome: .tooOften))))
    }

    @Test func aStrangerIsNotAsked() throws {
        var bench = try linked(.unknown)
        let id = bench.give(.dialBack(who: nil))
        #expect(try outcome(&bench, of: id) == nil)
    }

    // Being asked.

    @Test func itKnocksWhereThePeerIsAndNowhereElse() throws {
        var bench = try linked()
        bench.received(.dialBack(WireDialBack()), on: 1)
        let (attempt, place) = try #require(probes(&bench).first)
        #expect(place == Endpoint(host: bob.host, port: 5_151))
        bench.feed(.probed(attempt, failure: nil))
        #expect(outcomes(&bench).map(\.outcome) == [.reached])

        bench.pass(Limits.dialBackPauseMilliseconds - 1)
        _ = bench.takeEffects()
        bench.received(.dialBack(WireDialBack()), on: 1)
        #expect(outcomes(&bench).map(\.outcome) == [.tooOften])
        #expect(probes(&bench).isEmpty)
        bench.received(bob.hello().asHeartbeat, on: 1)
        bench.pass(1)
        _ = bench.takeEffects()
        bench.received(.dialBack(WireDialBack()), on: 1)
        let again = try #require(probes(&bench).first)
        bench.feed(.probed(again.0, failure: "timed out"))
        let told = outcomes(&bench)
        #expect(told.map(\.outcome) == [.failed] && told.map(\.reason) == ["timed out"])
    }

    @Test func aNewLinkGivesNoNewTurn() throws {
        var bench = try linked()
        bench.received(.dialBack(WireDialBack()), on: 1)
        #expect(probes(&bench).count == 1)
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        bench.opened(2, with: bob)
        bench.received(bob.hello(port: 22), on: 2)
        _ = bench.takeEffects()
        bench.received(.dialBack(WireDialBack()), on: 2)
        #expect(probes(&bench).isEmpty)
    }

    @Test func nobodyKnocksForAStrangerOrForWhoTakesNoLinks() throws {
        var bench = try linked(.unknown)
        bench.received(.dialBack(WireDialBack()), on: 1)
        #expect(bench.takeEffects().isEmpty)

        var hidden = try EngineBench(peers: [bob.record()])
        hidden.opened(1, with: bob)
        hidden.received(bob.hello(port: 0), on: 1)
        _ = hidden.takeEffects()
        hidden.received(.dialBack(WireDialBack()), on: 1)
        let told = outcomes(&hidden)
        #expect(told.map(\.outcome) == [.failed] && told.map(\.reason) == ["port 0"])
        #expect(probes(&hidden).isEmpty)
    }

    // What the doctor is told.

    @Test func theDoctorHearsOfWaysErrorsClocksAndOtherNetworks() throws {
        let place = Endpoint(host: "10.9.9.9", port: 4747)
        var bench = try EngineBench(peers: [bob.record()], fixed: [place])
        bench.pass(0)
        let dial = try #require(bench.takeDials().first)
        bench.feed(.dialFailed(dial.dial, .refused))
        for (name, tags) in [("i1", [UInt32(7)]), ("i2", [])] {
            let seen = Sighting(instance: name, peerPrefix: nil, workspaceTags: tags, endpoints: [place])
            bench.feed(.sighted(seen))
        }
        bench.opened(1, with: bob)
        var hello = WireHello()
        hello.purpose = .main
        hello.name = "Bob"
        hello.time = UInt64(bench.now.wall + 3_600_000)
        bench.received(.hello(hello), on: 1)
        guard case .success(.doctor(let view)) = try bench.ask(.examine(who: nil)) else {
            throw EngineBench.Unexpected(what: "no examination")
        }
        #expect(view.sighted == 1 && view.foreign == 1 && view.links == 1)
        #expect(view.people.map(\.skew) == [3_600_000])
        let fixed = try #require(view.unknown.first { $0.kind == .fixed })
        #expect(fixed.failed?.cause == .failed(.refused, place))
        guard case .failure(let error) = try bench.ask(.examine(who: "Zoe")) else {
            throw EngineBench.Unexpected(what: "nobody is called Zoe")
        }
        #expect(error.code == .unknownPeer)
    }
}
