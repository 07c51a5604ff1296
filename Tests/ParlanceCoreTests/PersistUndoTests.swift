import Foundation
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// After a batch has failed, nothing of it is left in memory: not a key, not an acceptance, not a group.
@Suite struct PersistUndoTests {
    /// Which of the batches on their way the disk refuses.
    enum Refused: CaseIterable, CustomTestStringConvertible {
        /// The batch of the action, which is being written.
        case itself
        /// The batch before it, and with that the batch of the action, which gathered behind it.
        case both
        /// The batch of the action; the one before it is written.
        case behind

        var testDescription: String { "\(self)" }
    }

    private func isStoreError(_ result: Result<Answer, Refusal>?) -> Bool {
        if case .failure(let error) = result { error.code == .storeFailed } else { false }
    }

    /// Performs an action whose batch the disk refuses.
    ///
    /// - Returns: what the node must keep afterwards.
    private func fail(_ undone: UndoneCase, _ office: inout UndoneCase.Office, _ refused: Refused) throws
        -> EngineSnapshot
    {
        office.bench.diskFails = true
        var expected = office
        if refused != .itself {
            office.bench.diskWaits = true
            office.bench.give(.setAlias(who: "Eve", alias: "Evelyn"))
        }
        if refused == .behind {
            expected.bench.goodBatches = 1
            expected.bench.give(.setAlias(who: "Eve", alias: "Evelyn"))
            office.bench.goodBatches = 1
        }
        try undone.act(&office)
        office.bench.diskWaits = false
        office.bench.settle()
        return expected.bench.engine.kept
    }

    private func expect(_ kept: EngineSnapshot, is expected: EngineSnapshot) {
        #expect(kept.profile == expected.profile)
        #expect(kept.preferences == expected.preferences)
        #expect(kept.workspace == expected.workspace)
        #expect(kept.prekeys == expected.prekeys)
        #expect(kept.envelopes == expected.envelopes)
        #expect(kept.conversations == expected.conversations)
        #expect(kept.membership == expected.membership)
        #expect(kept.appliedChanges == expected.appliedChanges)
        #expect(kept.labels == expected.labels)
        #expect(kept.branches == expected.branches)
        #expect(kept.recipients == expected.recipients)
        #expect(kept.logs == expected.logs)
        #expect(kept.watermarks == expected.watermarks)
        #expect(kept.untimed.peers == expected.untimed.peers)
    }

    @Test(arguments: UndoneCase.commands, Refused.allCases)
    func aCommandThatFailedDidNothing(_ undone: UndoneCase, _ refused: Refused) throws {
        var office = try undone.office()
        let expected = try fail(undone, &office, refused)
        let answers = office.bench.takeAnswers()
        #expect(answers.values.count { isStoreError($0) } == (refused == .both ? 2 : 1))
        expect(office.bench.engine.kept, is: expected)
        office.bench.diskFails = false
        undone.connectAgain(&office)
        let before = office.bench.engine.kept.untimed
        try undone.act(&office)
        #expect(office.bench.takeAnswers().values.allSatisfy { (try? $0.get()) != nil })
        #expect(office.bench.engine.kept.untimed != before, "and it does it all when it is given again")
        #expect(office.bench.batches.contains { $0.answersCommand }, "the store knows that somebody waits for it")
    }

    @Test(arguments: UndoneCase.frames, Refused.allCases)
    func aFrameWhoseBatchFailedDidNothing(_ undone: UndoneCase, _ refused: Refused) throws {
        var office = try undone.office()
        let expected = try fail(undone, &office, refused)
        expect(office.bench.engine.kept, is: expected)
        office.bench.diskFails = false
        office.bench.pass(2_000)
        undone.connectAgain(&office)
        let before = office.bench.engine.kept.untimed
        try undone.act(&office)
        #expect(office.bench.engine.kept.untimed != before, "and it is taken when it comes again")
        #expect(refused == .behind || office.bench.batches.last?.answersCommand == false, "nobody here waits for it")
    }

    /// Whoever is told to stay away does so for minutes, so the decision must be on the disk first.
    @Test(arguments: [Command.forget(who: "Bob"), .block(who: "Bob")])
    func nobodyIsSentAwayByADecisionThatFailed(_ command: Command) throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = bench.takeEffects()
        bench.diskWaits = true
        bench.give(command)
        #expect(bench.closed.isEmpty)
        bench.diskFails = true
        bench.diskWaits = false
        bench.settle()
        let frames = bench.takeFrames(on: 1)
        let reasons = frames.compactMap { if case .bye(let bye) = $0 { bye.reason } else { nil } }
        #expect(reasons == [.unspecified])
        #expect(try bench.view(of: bob.identity).record.trust == .accepted)
    }

    @Test func whoIsAcceptedAgainBeforeItIsForgottenKeepsItsLink() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = bench.takeEffects()
        bench.diskWaits = true
        bench.give(.forget(who: "Bob"))
        bench.give(.accept(who: "Bob"))
        bench.diskWaits = false
        bench.settle()
        #expect(bench.closed.isEmpty)
        #expect(try bench.view(of: bob.identity).record.trust == .accepted)
    }

    /// A one-time key opens the envelope when it comes again, and is erased only then.
    @Test func anEnvelopeIsOpenedOnceTheDiskHasRoom() throws {
        let (bob, fay) = (try RemotePeer(2), try RemotePeer(6, replica: 0x46))
        var bench = try EngineBench(peers: [bob.record(), fay.record(name: "Fay")])
        func keys(on link: UInt64) throws -> WirePrekeys {
            bench.opened(link, with: fay)
            bench.received(fay.hello("Fay"), on: link)
            bench.pass(Limits.courierDelayMilliseconds)
            let sent = bench.takeFrames(on: link).compactMap { if case .prekeys(let keys) = $0 { keys } else { nil } }
            return try #require(sent.first)
        }
        let given = try keys(on: 1)
        var author = fay
        let event = author.write("the pump is dry", to: bench.identity)
        var run = WireEvents()
        run.conversation = Data(event.header.conversation.bytes)
        run.events = [event.wire]
        let envelope = try #require(
            WireEnvelope.seal(
                run,
                to: bench.identity,
                prekey: [UInt8](given.daily),
                oneTime: [UInt8](given.oneTime[0]),
                ephemeral: SecretBytes(copying: [UInt8](repeating: 3, count: 32)),
                expires: Int64(given.made) + Limits.envelopeMilliseconds
            )
        )
        func handOver(on link: UInt64) -> Int {
            bench.opened(link, with: bob)
            bench.received(bob.hello(), on: link)
            var frame = WireHandOver()
            frame.envelope = envelope
            bench.received(.handOver(frame), on: link)
            return bench.takeFrames(on: link).count { if case .taken = $0 { true } else { false } }
        }
        bench.diskFails = true
        #expect(handOver(on: 2) == 0)
        #expect(bench.disk.history(of: event.header.conversation).isEmpty)
        bench.diskFails = false
        for link in [1, 2] as [UInt64] { bench.feed(.linkClosed(LinkID(link), .closed)) }
        #expect(handOver(on: 3) == 1)
        #expect(bench.disk.history(of: event.header.conversation).map(\.text) == ["the pump is dry"])
        #expect(!(try keys(on: 4)).oneTime.contains(given.oneTime[0]), "it is used once")
    }

    /// A group whose creation failed does not exist, however often it is tried.
    @Test func aGroupThatWasNotMadeIsNowhere() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.diskFails = true
        for number in 0..<2 {
            let nonce = [UInt8](repeating: UInt8(number), count: 16)
            #expect(isStoreError(try bench.ask(.createGroup(title: "Crew", who: ["Bob"], nonce: nonce))))
        }
        bench.diskFails = false
        bench.pass(60_000)
        guard case .success(.conversations(_, let groups)) = try bench.ask(.listConversations) else {
            throw EngineBench.Unexpected(what: "no list of groups")
        }
        #expect(groups.isEmpty)
        #expect(bench.disk.conversations.isEmpty)
    }

    /// A stranger that has just left can be written to for a while, also after a message that could not be stored.
    @Test func aStrangerThatLeftStaysKnown() throws {
        let dan = try RemotePeer(4, replica: 0x44)
        var bench = try EngineBench()
        bench.opened(1, with: dan)
        bench.received(dan.hello("Dan"), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.pass(Limits.offlineGraceMilliseconds)
        bench.diskFails = true
        #expect(isStoreError(try bench.ask(.send(who: "Dan", text: "hello"))))
        #expect(try bench.view(of: dan.identity).record.trust == .unknown)
        bench.pass(Limits.strangerKeptMilliseconds)
        #expect(try bench.ask(.find(who: "Dan")) == .failure(.naming(.unknownPeer("Dan"))))
    }

    /// What another peer holds is true whatever the local disk does: it was told, so it is not taken back, and is
    /// written later.
    @Test func whatOthersHaveStaysKnown() throws {
        let undone = UndoneCase("a receipt") { office in
            let bob = office.people.bob
            var mark = WireWatermark()
            mark.member = Data(bob.identity.bytes)
            mark.replica = Data(bob.replica.bytes)
            let own = LogID(author: office.bench.identity, replica: EngineBench.ownReplica)
            mark.log = own.wire
            mark.sequence = office.ours.sequence
            mark.head = Data(office.ours.id.bytes)
            mark.level = .read
            var signed: [UInt8] = [0x07] + office.ours.conversation.bytes + bob.identity.bytes + bob.replica.bytes
            signed += own.author.bytes + own.replica.bytes + mark.sequence.bigEndianBytes
            mark.signature = Data(bob.key.sign(signed + office.ours.id.bytes + [2]))
            office.bench.received(bob.marks([mark], in: office.ours.conversation), on: office.link)
        }
        var office = try undone.office()
        _ = try fail(undone, &office, .itself)
        let read = { (marks: [WatermarkRecord]) in marks.contains { $0.level == .read } }
        #expect(read(office.bench.engine.kept.watermarks))
        #expect(!read(office.bench.disk.snapshot.watermarks))
        office.bench.diskFails = false
        office.bench.pass(10_000)
        #expect(read(office.bench.disk.snapshot.watermarks))
    }

    /// A replica's watermark that was dropped to make room for another is removed from the disk as well, even if the
    /// disk refused at first.
    @Test func noMoreMarksAreKeptThanThereIsRoomFor() throws {
        var group = try GroupBench(1)
        var bob = group.peers[0]
        for number in 1...Limits.copiesPerMember + 1 {
            _ = try group.bench.ask(.send(who: "Crew", text: "\(number)"))
            let event = try #require(group.bench.batches.flatMap(\.events).last)
            bob.replica = EngineBench.replica(UInt8(100 + number))
            group.bench.opened(UInt64(number), with: bob)
            group.bench.received(bob.hello(), on: UInt64(number))
            group.bench.diskFails = number > Limits.copiesPerMember
            group.bench.received(bob.readMark(event), on: UInt64(number))
            group.bench.diskFails = false
            group.bench.feed(.linkClosed(LinkID(UInt64(number)), .closed))
        }
        group.bench.pass(60_000)
        let marks = { (marks: [WatermarkRecord]) in
            marks.filter { $0.level == .read && $0.key.member == bob.identity }.map(\.position.sequence).sorted()
        }
        let kept = marks(group.bench.engine.kept.watermarks)
        #expect(kept.count == Limits.copiesPerMember)
        #expect(marks(group.bench.disk.snapshot.watermarks) == kept)
    }
}

extension EngineSnapshot {
    /// The same without the times at which peers were last seen, which are true whatever the disk does.
    fileprivate var untimed: EngineSnapshot {
        var untimed = self
        for index in peers.indices { (untimed.peers[index].lastSeen, untimed.peers[index].hours) = (nil, SeenHours()) }
        return untimed
    }
}

extension WatermarkRecord {
    fileprivate var level: WatermarkLevel { key.level }
}
