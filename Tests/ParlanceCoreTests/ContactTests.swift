import Foundation
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// First contact, blocking, refusing, retrying, cancelling and forgetting.
@Suite struct ContactTests {
    private func code(_ result: Result<Answer, Refusal>) -> ErrorCode? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    private func requests(_ effects: [Effect]) -> Int {
        effects.filter { if case .notify(.request) = $0 { true } else { false } }.count
    }

    @Test func aRequestIsShownOnceAndKept() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        bench.received(bob.request("may I?"), on: 1)
        bench.received(bob.request("please"), on: 1)
        #expect(requests(bench.takeEffects()) == 1, "asking twice rings once")
        let record = try bench.view(of: bob.identity).record
        #expect(record.request?.preview == "may I?", "one request each")
        #expect(record.trust == .unknown)
        #expect(bench.batches.last?.peers.map(\.id) == [bob.identity])
        #expect(bench.batches.allSatisfy { $0.events.isEmpty && $0.conversations.isEmpty })
    }

    @Test func aTooLongPreviewBreaksTheLink() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        bench.received(bob.request(String(repeating: "x", count: Limits.previewBytes + 1)), on: 1)
        #expect(bench.closed == [LinkID(1)])
        #expect(try bench.view(of: bob.identity).record.request == nil)
    }

    @Test func anAddressMayHaveFiveRequestsWaiting() throws {
        var bench = try EngineBench()
        for number in UInt8(10)..<17 {
            var remote = try RemotePeer(number)
            remote.host = "10.0.0.77"
            bench.opened(UInt64(number), with: remote)
            bench.received(remote.hello("p\(number)"), on: UInt64(number))
            bench.received(remote.request(), on: UInt64(number))
        }
        #expect(requests(bench.takeEffects()) == Limits.requestsPerAddress)
    }

    @Test func ofAHundredRequestsTheFullestAddressLosesItsOldest() throws {
        var bench = try EngineBench()
        for number in 0..<103 {
            var remote = try RemotePeer(UInt8(10 + number))
            // Address 10.1.0.0 has five of the first hundred requests, every other address at most one.
            remote.host = number < 5 ? "10.1.0.0" : "10.1.0.\(number)"
            bench.opened(UInt64(number + 1), with: remote)
            bench.received(remote.hello("p\(number)"), on: UInt64(number + 1))
            bench.received(remote.request("\(number)"), on: UInt64(number + 1))
            bench.pass(1)
        }
        guard case .success(.peers(let peers)) = try bench.ask(.listPeers) else {
            throw EngineBench.Unexpected(what: "no list")
        }
        let waiting = Set(peers.compactMap { $0.record.request?.preview })
        #expect(waiting.count == Limits.requests)
        #expect(waiting.isDisjoint(with: ["0", "1", "2"]))
        #expect(waiting.isSuperset(of: ["3", "4", "102"]))
    }

    /// A Summary that named an open group would say that it had been closed, and everything would be sent again.
    @Test func whatWaitsForABlockedMemberSaysSo() throws {
        var crew = try GroupBench(1)
        _ = try crew.bench.ask(.block(who: "Peer 0")).get()
        _ = try crew.bench.ask(.send(who: "Crew", text: "hello")).get()
        guard case .success(.group(let view)) = try crew.bench.ask(.findGroup(who: "Crew")) else {
            throw EngineBench.Unexpected(what: "no group")
        }
        #expect(view.delivery.recipients.map(\.reason) == [.blocked(isInGroup: true)])
    }

    /// A peer that ends the conversation and lists it again, over and over, is not sent all groups each time.
    @Test func whoListsTheConversationAgainIsInvitedOnce() throws {
        var crew = try GroupBench(1)
        let bob = crew.peers[0]
        let direct = bob.conversation(with: crew.bench.identity)
        crew.bench.opened(0, with: bob)
        crew.bench.received(bob.hello(), on: 0)
        crew.bench.received(bob.summary(of: []), on: 0)
        #expect(crew.take(\.asInvite)[0]?.count == 1)
        var invites: [Int] = []
        for _ in 0..<4 {
            crew.bench.received(bob.refuse(direct, .unspecified), on: 0)
            crew.bench.received(bob.summary(of: [(direct, Clock())]), on: 0)
            invites.append(crew.take(\.asInvite)[0]?.count ?? 0)
        }
        #expect(invites == [1, 0, 0, 0])
    }

    @Test(arguments: [false, true]) func openingTheirConversationTouchesNoGroup(_ isAsked: Bool) throws {
        var crew = try GroupBench(1)
        crew.open(0)
        let peer = crew.peers[0]
        if isAsked {
            crew.bench.received(peer.request(), on: 0)
        } else {
            _ = try crew.bench.ask(.send(who: "Peer 0", text: "hello"))
        }
        let frames = crew.bench.takeFrames(on: 0)
        let named = frames.compactMap {
            if case .summary(let frame) = $0 { frame.entries.map(\.conversation) } else { nil }
        }
        #expect(named == [[Data(peer.conversation(with: crew.bench.identity).bytes)]])
    }

    /// If the clocks are equal, the peer's Summary needs no answer. But ours did not list the conversation, and nothing else
    /// tells the peer that it is accepted.
    @Test func whoListsTheConversationBeforeTheAcceptanceIsStoredIsToldOfIt() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        bench.diskWaits = true
        bench.give(.accept(who: "Bob"))
        let conversation = bob.conversation(with: bench.identity)
        bench.received(bob.summary(of: [(conversation, Clock())]), on: 1)
        _ = bench.takeFrames(on: 1)
        bench.diskWaits = false
        bench.settle()
        let clocks = bench.takeFrames(on: 1).compactMap { if case .clock(let clock) = $0 { clock } else { nil } }
        #expect(clocks.map(\.conversation) == [Data(conversation.bytes)])
    }

    /// A stranger that answers a question nobody asked is not accepted by that.
    @Test func nobodyAcceptsItself() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        bench.received(bob.answer(to: bench.identity), on: 1)
        let record = try bench.view(of: bob.identity).record
        #expect(record.trust == .unknown)
        #expect(record.answerReceived == nil)
        #expect(bench.closed.isEmpty)
    }

    @Test func anAnswerMustBeThePeersOwn() throws {
        let (bob, eve) = (try RemotePeer(), try RemotePeer(3))
        for answer in [
            bob.answer(to: try EngineBench.peer(1), by: try EngineBench.key(3)),
            bob.answer(to: try EngineBench.peer(3)), eve.answer(to: try EngineBench.peer(1)),
        ] {
            var bench = try EngineBench(peers: [bob.record()])
            bench.opened(1, with: bob)
            bench.received(bob.hello(), on: 1)
            bench.received(answer, on: 1)
            #expect(bench.closed == [LinkID(1)])
            #expect(try bench.view(of: bob.identity).record.answerReceived == nil)
        }
    }

    @Test func writingToSomebodyWhoAsksIsTheAnswer() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        bench.received(bob.request(), on: 1)
        _ = bench.takeFrames(on: 1)
        _ = try bench.ask(.send(who: "Bob", text: "hello yourself"))
        let frames = bench.takeFrames(on: 1)
        #expect(frames.contains { if case .contactAnswer(let answer) = $0 { answer.accepted } else { false } })
        #expect(frames.contains { if case .summary(let summary) = $0 { summary.entries.count == 1 } else { false } })
        let record = try bench.view(of: bob.identity).record
        #expect(record.trust == .accepted)
        #expect(record.request == nil)
        #expect(record.pinnedName == "Bob")
    }

    /// With two engines: a peer that blocked this node says so at the next meeting, and the node stops dialling it.
    @Test func whoIsBlockedLearnsItAtTheNextMeeting() throws {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: 5)
        let conversation = ConversationID(direct: world.nodes[0].identity, world.nodes[1].identity)
        for node in 0...1 { world.start(node) }
        world.run(for: 2_000)
        world.give(.send(who: "bob", text: "hello"), to: 0)
        world.run(for: 1_000)
        world.give(.accept(who: "ada"), to: 1)
        #expect(world.run(until: { world.nodes[1].disk.history(of: conversation).count == 1 }, within: 10_000))
        world.crash(0)
        world.run(for: 20_000)
        world.give(.block(who: "ada"), to: 1)
        world.run(for: 1_000)
        world.start(0)
        world.give(.send(who: "bob", text: "are you there?"), to: 0)
        world.run(for: 10_000)
        let delivery = try delivery(world, of: 0)
        #expect(delivery.reason == .refused)
        #expect(delivery.logs.map(\.refusedThrough) == [2])
    }

    /// Nobody is asked first, who has shown that they accepted the user, even if they were never asked and are away.
    @Test(arguments: [false, true]) func whoHasAcceptedIsNotAskedFirst(_ hasAccepted: Bool) throws {
        let bob = try RemotePeer()
        var record = bob.record()
        if hasAccepted { record.prekeys = [1] }
        var bench = try EngineBench(peers: [record])
        let nonce = [UInt8](repeating: 7, count: 16)
        guard case .success(.group(let view)) = try bench.ask(.createGroup(title: "Crew", who: ["Bob"], nonce: nonce))
        else { throw EngineBench.Unexpected(what: "no group") }
        #expect(view.members.first { $0.peer == bob.identity }?.isAsked == !hasAccepted)
    }

    /// Who has not answered is waited for, in a workspace too, where somebody may accept nobody automatically. Whoever has sent
    /// prekeys has accepted the user.
    @Test(arguments: [false, true], [false, true])
    func whoHasNotAcceptedIsWaitedFor(isInWorkspace: Bool, hasAccepted: Bool) throws {
        let bob = try RemotePeer()
        var record = bob.record()
        if hasAccepted { record.prekeys = [1] }
        var bench = try EngineBench(peers: [record])
        if isInWorkspace {
            let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
            _ = try bench.ask(.workspace(.join(name: "Ship", key)))
            bench.opened(1, with: bob, workspaceTag: key.tag)
        } else {
            bench.opened(1, with: bob)
        }
        bench.received(bob.hello(), on: 1)
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        #expect(try bench.view(of: bob.identity).awaitsAnswer != hasAccepted)
        // The peer has not said yet which conversations it has.
        #expect(try bench.view(of: bob.identity).delivery.reason == .onItsWay)
        bench.received(bob.summary(of: []), on: 1)
        let reason = try bench.view(of: bob.identity).delivery.reason
        #expect(reason == (hasAccepted ? .onItsWay : .waitsForAcceptance))
    }

    /// Whoever has asked the user wants to talk: nobody is asked by the first answer, which waits for nobody.
    @Test func whoHasAskedIsNotAskedByTheAnswer() throws {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: 6)
        for node in 0...1 { world.start(node) }
        world.run(for: 2_000)
        world.give(.send(who: "bob", text: "hello"), to: 0)
        world.run(for: 1_000)
        let answer = world.give(.send(who: "ada", text: "answer"), to: 1)
        #expect(world.run(until: { world.nodes[1].answers[answer] != nil }, within: 1_000))
        #expect(try delivery(world, of: 1).reason != .waitsForAcceptance)
    }

    /// Nodes that have not accepted each other end their link after a minute; that does not show the peer as offline.
    @Test func whoHasNotAcceptedIsNotCalledOffline() throws {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: 6)
        for node in 0...1 { world.start(node) }
        world.run(for: 2_000)
        world.give(.send(who: "bob", text: "hello"), to: 0)
        world.run(for: Int64(Limits.unacceptedIdleSeconds) * 1_000 + 30_000)
        #expect(try delivery(world, of: 0).reason == .waitsForAcceptance)
        world.give(.accept(who: "ada"), to: 1)
        let conversation = ConversationID(direct: world.nodes[0].identity, world.nodes[1].identity)
        #expect(world.run(until: { world.nodes[1].disk.history(of: conversation).count == 1 }, within: 600_000))
        world.crash(1)
        world.run(for: 120_000)
        world.give(.send(who: "bob", text: "are you there?"), to: 0)
        world.run(for: 1_000)
        #expect(try delivery(world, of: 0).reason == .peerOffline)
        world.give(.block(who: "bob"), to: 0)
        world.run(for: 1_000)
        let blocked = try delivery(world, of: 0)
        #expect(blocked.reason == .blocked(isInGroup: false) && blocked.nextTry == nil)
    }

    private func delivery(_ world: SimulatedWorld, of node: Int) throws -> DeliveryView {
        try #require(try world.deliveries(of: node).first)
    }

    @Test func blockingRefusesAndClosesAndARetryTriesAgain() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        _ = bench.takeEffects()
        let conversation = bob.conversation(with: bench.identity)
        bench.received(bob.refuse(conversation, .blocked), on: 1)
        bench.received(bob.bye(.blocked), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        var delivery = try bench.view(of: bob.identity).delivery
        #expect(delivery.reason == .refused)
        #expect(delivery.logs.map(\.refusedThrough) == [1])
        _ = try bench.ask(.retry(conversation))
        delivery = try bench.view(of: bob.identity).delivery
        #expect(delivery.reason == .notLinked)
        #expect(delivery.logs.map(\.refusedThrough) == [0])

        _ = try bench.ask(.block(who: "Bob"))
        #expect(code(try bench.ask(.send(who: "Bob", text: "x"))) == .blocked)
        _ = try bench.ask(.accept(who: "Bob"))
        #expect(try bench.view(of: bob.identity).record.trust == .accepted)
    }

    @Test func blockingTellsThePeerOnEveryLink() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        bob.replica = EngineBench.replica(0x50)
        bench.open(2, with: bob)
        _ = bench.takeEffects()
        _ = try bench.ask(.block(who: "Bob"))
        for link in [UInt64(1), 2] {
            let frames = bench.takeFrames(on: link)
            guard frames.count == 2, case .refuse(let refuse) = frames[0], case .bye(let bye) = frames[1] else {
                throw EngineBench.Unexpected(what: "other frames: \(frames)")
            }
            #expect((refuse.code, bye.reason) == (.blocked, .blocked))
        }
        #expect(bench.closed == [LinkID(1), LinkID(2)])
    }

    @Test func whatWaitsCanBeCancelledAndWhatHasLeftCannot() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        guard case .success(.sent(let message)) = try bench.ask(.send(who: "Bob", text: "no!")) else {
            throw EngineBench.Unexpected(what: "it was not sent")
        }
        let own = LogID(author: bench.identity, replica: EngineBench.ownReplica)
        let cancel = Command.cancel(own, conversation: message.conversation, sequence: message.sequence)
        #expect(try bench.ask(cancel) == .success(.done))
        #expect(bench.disk.history(of: message.conversation).isEmpty)
        bench.open(1, with: bob)
        let runs = bench.takeFrames(on: 1).compactMap { if case .events(let events) = $0 { events } else { nil } }
        #expect(runs.flatMap(\.events).map(\.hasBody) == [false, true], "the text does not leave any more")
        guard case .success(.sent(let second)) = try bench.ask(.send(who: "Bob", text: "yes")) else {
            throw EngineBench.Unexpected(what: "it was not sent")
        }
        let tooLate = Command.cancel(own, conversation: second.conversation, sequence: second.sequence)
        #expect(code(try bench.ask(tooLate)) == .notWaiting)
        #expect(bench.disk.history(of: message.conversation).map(\.text) == ["yes"])
    }

    @Test func aForgottenPeerIsAStrangerAgain() throws {
        var record = try RemotePeer().record()
        record.addresses = [Endpoint(host: "10.0.0.2", port: 4747)]
        record.alias = "boss"
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [record])
        bench.open(1, with: bob)
        _ = try bench.ask(.forget(who: "boss"))
        #expect(bench.closed == [LinkID(1)])
        let after = try bench.view(of: bob.identity).record
        #expect(after.trust == .unknown)
        #expect(after.alias == nil)
        #expect(after.addresses.isEmpty)
        #expect(after.epochs[bob.replica] == 1, "an old certificate stays an old one")
    }

    /// An answer is a message: it accepts its recipient, and answers a request to talk.
    @Test func anAnswerAcceptsAForgottenPeer() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        let message = bob.write("are you there?", to: bench.identity)
        bench.received(bob.events(message.header.conversation, [message]), on: 1)
        _ = try bench.ask(.forget(who: "Bob"))
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.opened(2, with: bob)
        bench.received(bob.hello(), on: 2)
        bench.received(bob.request("hello?"), on: 2)
        #expect(try bench.view(of: bob.identity).record.request != nil)
        let reference = EventReference(log: message.header.log, sequence: message.header.sequence, id: message.id)
        let about = MessageReference(conversation: message.header.conversation, event: reference)
        let answer = try bench.ask(.reply(about, text: "yes"))
        guard case .success(.sent(let sent)) = answer else { throw EngineBench.Unexpected(what: "\(answer)") }
        #expect(sent.isFirstContact)
        let after = try bench.view(of: bob.identity).record
        #expect(after.trust == .accepted && after.request == nil)
    }
}
