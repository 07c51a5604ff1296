import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceStore

/// What was decided about files, and which files await a decision.
@Suite struct TransferTests {
    private static func file(_ number: Int) -> FileID {
        FileID(value: Bytes32(hashing: Array("\(number)".utf8), domain: Domain.branch))
    }

    private static func mention(_ number: Int) -> FileMention {
        FileMention(file: file(number), name: "file \(number)", size: UInt64(number))
    }

    private func save(_ records: [TransferRecord], _ office: Office) throws {
        var batch = PersistBatch(id: BatchID(1))
        batch.transfers = records
        _ = try office.test.store.persist(batch)
    }

    @Test func decisionsComeBackWholeAndTheNewestFirst() throws {
        let office = try Office(seed: 401)
        let states: [TransferRecord.State] = [
            .wanted, .paused, .done, .cancelled, .failed(.full(needed: 1 << 40, free: 0)), .failed(.disk(-5)),
            .failed(.peers),
        ]
        var records = states.enumerated().map { number, state in
            TransferRecord(
                file: Self.file(number),
                conversation: office.conversation.id,
                size: number == 0 ? Limits.fileBytes : UInt64(number),
                state: state,
                tries: UInt8(number * 40),
                isByHand: number.isMultiple(of: 2),
                since: 1_760_000_000_000 - Int64(number)
            )
        }
        try save(records.shuffled(), office)
        #expect(try office.test.store.snapshot().transfers == records)
        // The last of a file counts.
        let first = records[0]
        records[0].state = .done
        records[0].tries = 0
        try save([first, records[0]], office)
        try office.test.reopen()
        #expect(try office.test.store.snapshot().transfers == records)
    }

    @Test func onlyTheNewestOfManyThatAreHereAreRead() throws {
        let office = try Office(seed: 402)
        let records = (0..<(Limits.finishedTransfers + 2)).map { number in
            TransferRecord(
                file: Self.file(number),
                conversation: office.conversation.id,
                size: 1,
                state: number == 0 ? .paused : [.done, .removed, .cancelled][number % 3],
                isByHand: false,
                since: Int64(number)
            )
        }
        try save(records, office)
        let read = try office.test.store.snapshot().transfers
        #expect(read == Array(records[2...].reversed()) + [records[0]])
    }

    @Test func whatOthersNameIsOfferedUntilItIsDecided() throws {
        var office = try Office(seed: 403)
        let (store, other) = (office.test.store, office.theirs.log.author)
        try office.test.persist([
            office.theirs.say("", with: [Self.mention(1), Self.mention(2)]),
            office.mine.say("", with: [Self.mention(3), Self.mention(1)]),
        ])
        let last = office.theirs.say("", with: [Self.mention(4)])
        try office.test.persist([last])
        func offer(_ number: Int) -> FileOffer {
            FileOffer(
                conversation: office.conversation.id,
                file: Self.file(number),
                size: UInt64(number),
                sender: other
            )
        }
        #expect(Limits.offersAtStart >= 3)
        #expect(try store.snapshot().offers == [offer(4), offer(1), offer(2)])
        #expect(
            try store.filesNamed()
                == NamedFiles(all: Set((1...4).map { Self.file($0) }), own: [Self.file(1), Self.file(3)])
        )
        let decided = TransferRecord(
            file: Self.file(1),
            conversation: office.conversation.id,
            size: 1,
            state: .cancelled,
            isByHand: true,
            since: 5
        )
        try save([decided], office)
        #expect(try store.snapshot().offers == [offer(4), offer(2)])
        try office.test.persist([office.theirs.delete(last.reference)])
        #expect(try store.snapshot().offers == [offer(2)])
        #expect(try store.filesNamed().all == Set((1...3).map { Self.file($0) }))
    }
}
