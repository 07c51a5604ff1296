import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// The user's decisions about a peer: declined, blocked, unblocked, verified.
@Suite struct TrustTests {
    /// What a command says of how far the peer is trusted now.
    private func trustTold(by command: Command, in bench: inout EngineBench) throws -> Trust? {
        if case .changed(let now, _) = try bench.ask(command).get() { now.record.trust } else { nil }
    }

    @Test func whoIsBlockedIsShownWithoutItsLink() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record(.accepted)])
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        guard case .changed(let now, let before) = try bench.ask(.block(who: "Bob")).get() else {
            Issue.record("no view")
            return
        }
        #expect(before.connected && before.record.trust == .accepted)
        #expect(!now.connected && now.record.trust == .blocked)
        #expect(now.connected == (try bench.view(of: bob.identity).connected))
    }

    private func code(_ result: Result<Answer, Refusal>) -> ErrorCode? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    private func asked(_ bench: inout EngineBench, _ link: UInt64, by remote: RemotePeer, _ text: String = "hello")
        throws
        -> RequestRecord?
    {
        bench.opened(link, with: remote)
        bench.received(remote.hello(), on: link)
        bench.received(remote.request(text), on: link)
        return try bench.view(of: remote.identity).record.request
    }

    /// Limits of requests: the last that fits, and one more.
    @Test func theFifthOfAnAddressIsTakenAndTheSixthIsNot() throws {
        var bench = try EngineBench()
        for number in 1...UInt8(Limits.requestsPerAddress + 1) {
            var remote = try RemotePeer(10 + number)
            remote.host = "10.0.0.77"
            let request = try asked(&bench, UInt64(number), by: remote)
            #expect((request != nil) == (number <= Limits.requestsPerAddress), "number \(number)")
        }
        let elsewhere = try asked(&bench, 99, by: try RemotePeer(90))
        #expect(elsewhere != nil, "another address has its own")
    }

    @Test func theHundredthTakesNobodysPlaceAndTheNextDoes() throws {
        var bench = try EngineBench()
        func waiting() throws -> Int {
            guard case .success(.peers(let peers)) = try bench.ask(.listPeers) else { return 0 }
            return peers.filter { $0.record.request != nil }.count
        }
        for number in 0..<Limits.requests {
            var remote = try RemotePeer(UInt8(10 + number))
            remote.host = "10.2.0.\(number)"
            #expect(try asked(&bench, UInt64(number + 1), by: remote) != nil)
            bench.pass(1)
        }
        #expect(try waiting() == Limits.requests)
        var late = try RemotePeer(200)
        late.host = "10.2.1.1"
        #expect(try asked(&bench, 500, by: late) != nil)
        #expect(try waiting() == Limits.requests)
    }

    @Test func aDeclinedRequestGoesAwayAndComesBackADayLater() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        #expect(try asked(&bench, 1, by: bob) != nil)
        _ = bench.takeEffects()
        #expect(try trustTold(by: .decline(who: "Bob"), in: &bench) == .unknown)
        #expect(bench.takeFrames(on: 1).isEmpty, "a decline is not told")
        #expect(try bench.view(of: bob.identity).record.request == nil)
        #expect(code(try bench.ask(.decline(who: "Bob"))) == .notWaiting)

        // Neither another request, nor another link, nor a restart helps before the day is over.
        bench.pass(Limits.declinedMilliseconds - 10)
        bench.restart()
        #expect(try asked(&bench, 2, by: bob, "please") == nil)
        #expect(try bench.view(of: bob.identity).record.trust == .unknown)
        bench.pass(10)
        #expect(try asked(&bench, 3, by: bob, "please")?.preview == "please")
    }

    @Test func whoIsDeclinedAndGoneIsRememberedForTheDay() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        _ = try asked(&bench, 1, by: bob)
        _ = try bench.ask(.decline(who: "Bob"))
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.pass(60_000)
        #expect(try bench.view(of: bob.identity).record.declined != nil)
        #expect(try asked(&bench, 2, by: bob) == nil)
        bench.feed(.linkClosed(LinkID(2), .closed))
        bench.setClock(forward: -Limits.declinedMilliseconds * 400)
        #expect(try asked(&bench, 3, by: bob) != nil, "a clock that was wrong does not shut it out for years")
    }

    @Test func acceptingEndsADecline() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        _ = try asked(&bench, 1, by: bob)
        _ = try bench.ask(.decline(who: "Bob"))
        _ = try bench.ask(.accept(who: "Bob"))
        let record = try bench.view(of: bob.identity).record
        #expect(record.trust == .accepted && record.declined == nil)
    }

    @Test(arguments: [Trust.unknown, .accepted, .verified])
    func anEndedBlockBringsBackWhatWas(_ trust: Trust) throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record(trust)])
        #expect(code(try bench.ask(.unblock(who: "Bob"))) == .invalidValue)
        _ = try bench.ask(.block(who: "Bob"))
        _ = try bench.ask(.block(who: "Bob"))
        #expect(code(try bench.ask(.verify(who: "Bob", true))) == .blocked)
        bench.restart()
        #expect(try trustTold(by: .unblock(who: "Bob"), in: &bench) == trust)
        let record = try bench.view(of: bob.identity).record
        #expect(record.trust == trust)
        #expect(record.trustBefore == nil)
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        let frames = bench.takeFrames(on: 1)
        #expect(frames.contains { if case .hello = $0 { true } else { false } }, "it is greeted again")
        let answers = frames.contains { if case .contactAnswer = $0 { true } else { false } }
        #expect(answers == (trust != .unknown), "and told that it is accepted, if it is")
    }

    @Test func onlySomebodyAcceptedIsVerified() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        #expect(code(try bench.ask(.verify(who: "Bob", true))) == .notAllowed)
        _ = try bench.ask(.accept(who: "Bob"))
        _ = bench.takeEffects()
        #expect(try trustTold(by: .verify(who: "Bob", true), in: &bench) == .verified)
        #expect(try bench.view(of: bob.identity).record.trust == .verified)
        #expect(bench.takeEffects().contains { if case .notify(.peer) = $0 { true } else { false } })
        // The verification survives a restart, and accepting again does not take it back.
        bench.restart()
        _ = try bench.ask(.accept(who: "Bob"))
        #expect(try bench.view(of: bob.identity).record.trust == .verified)
        #expect(try trustTold(by: .verify(who: "Bob", false), in: &bench) == .accepted)
        #expect(try bench.view(of: bob.identity).record.trust == .accepted)
    }

    @Test func theFirstMessageToSomebodySaysSo() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        for isFirst in [true, false] {
            guard case .success(.sent(let sent)) = try bench.ask(.send(who: "Bob", text: "hello")) else {
                throw EngineBench.Unexpected(what: "it was not sent")
            }
            #expect(sent.isFirstContact == isFirst)
        }
    }

    /// With two engines: messages that were refused during a block have failed, and are delivered once the block has
    /// ended.
    @Test func whatFailedArrivesOnceTheBlockHasEnded() throws {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: 6)
        let conversation = ConversationID(direct: world.nodes[0].identity, world.nodes[1].identity)
        for node in 0...1 { world.start(node) }
        world.run(for: 2_000)
        world.give(.send(who: "bob", text: "one"), to: 0)
        world.run(for: 1_000)
        world.give(.accept(who: "ada"), to: 1)
        #expect(world.run(until: { world.nodes[1].disk.history(of: conversation).count == 1 }, within: 10_000))
        world.give(.block(who: "ada"), to: 1)
        world.run(for: 1_000)
        world.give(.send(who: "bob", text: "two"), to: 0)
        world.run(for: 30_000)
        #expect(world.nodes[0].disk.peers[world.nodes[1].identity]?.refusedThrough == 2)
        #expect(world.nodes[1].disk.history(of: conversation).map(\.text) == ["one"])
        world.give(.unblock(who: "ada"), to: 1)
        world.give(.retry(conversation), to: 0)
        #expect(world.run(until: { world.nodes[1].disk.history(of: conversation).count == 2 }, within: 40_000))
        #expect(world.nodes[0].disk.peers[world.nodes[1].identity]?.refusedThrough == nil)
    }

    /// Members of a workspace accept each other, but whoever was declined is accepted by the user alone, also when it may
    /// ask again.
    @Test(arguments: [false, true]) func whoIsDeclinedIsAcceptedByTheUserAlone(isDeclined: Bool) throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record(.unknown)])
        bench.feed(.settingsChanged(fixed: [], acceptsMembers: true))
        func meet(_ link: UInt64, _ tag: UInt32?) throws -> Trust {
            bench.opened(link, with: bob, workspaceTag: tag)
            bench.received(bob.hello(), on: link)
            bench.received(bob.request("may I?"), on: link)
            let trust = try bench.view(of: bob.identity).record.trust
            bench.feed(.linkClosed(LinkID(link), .closed))
            return trust
        }
        #expect(try meet(1, nil) == .unknown)
        if isDeclined { _ = try bench.ask(.decline(who: "Bob")) }
        let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        _ = try bench.ask(.workspace(.join(name: "Ship", key)))
        for link in UInt64(2)...4 {
            bench.pass(Limits.declinedMilliseconds)
            #expect(try meet(link, key.tag) == (isDeclined ? .unknown : .accepted))
        }
    }

    /// Nobody waits to be accepted by a peer that is known to take nothing, until the block is over.
    @Test func whoRefusesIsNotWaitedFor() throws {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: 5)
        let conversation = ConversationID(direct: world.nodes[0].identity, world.nodes[1].identity)
        for node in 0...1 { world.start(node) }
        world.run(for: 2_000)
        func reason() throws -> WaitReason? { try world.deliveries(of: 0).first?.reason }
        func awaitsBob() throws -> Bool {
            let tag = world.give(.find(who: "bob"), to: 0)
            #expect(world.run(until: { world.nodes[0].answers[tag] != nil }, within: 1_000))
            guard case .peer(let view) = try world.nodes[0].answers[tag]?.get() else { return false }
            return view.awaitsAnswer
        }
        world.give(.send(who: "bob", text: "hello"), to: 0)
        world.run(for: 1_000)
        #expect(try awaitsBob())
        world.give(.block(who: "ada"), to: 1)
        world.run(for: 1_000)
        #expect(try reason() == .refused)
        #expect(try !awaitsBob())
        world.give(.unblock(who: "ada"), to: 1)
        world.give(.retry(conversation), to: 0)
        #expect(world.run(until: { (try? reason()) == .waitsForAcceptance }, within: 40_000))
        #expect(try awaitsBob())
    }
}
