import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceHistory

/// What a transaction gathers of messages, in whatever order they are shown and examined again.
@Suite struct OutcomeTests {
    private let author: PeerID
    private let log: LogID

    init() throws {
        author = try #require(PeerID([UInt8](repeating: 1, count: 32)))
        log = LogID(author: author, replica: try #require(ReplicaID([UInt8](repeating: 1, count: 16))))
    }

    private func message(_ number: UInt8, effective: UInt64 = 0) -> ShownMessage {
        ShownMessage(
            id: EventID(value: Bytes32(hashing: [number], domain: 0)),
            conversation: ConversationID(direct: author, author),
            log: log,
            sequence: UInt64(number),
            time: WrittenTime(EventTime(raw: 0)),
            effective: effective,
            content: .text("text \(number)")
        )
    }

    /// Examining one message again lets another be applied, which is then examined too.
    @Test func aMessageThatIsShownBetweenTwoLooksIsToldOnce() {
        var outcome = Outcome()
        outcome.show(message(1))
        outcome.settled(message(1).id, wasShown: false, now: message(1, effective: 2))
        outcome.show(message(2))
        outcome.settled(message(2).id, wasShown: false, now: message(2, effective: 3))
        let receipt = outcome.receipt()
        #expect(receipt.shown == [message(1, effective: 2), message(2, effective: 3)])
        receipt.check()
    }

    /// A log that forks at its start in two conversations has two lines that say so.
    @Test func aForkIsALineOfItsConversation() throws {
        let other = ConversationID(direct: author, try #require(PeerID([UInt8](repeating: 2, count: 32))))
        let notes = [message(1).conversation, other].map { ShownMessage.forkNote(of: LogKey($0, log), at: .start) }
        #expect(notes[0] != notes[1])
    }

    @Test func whatIsShownAndRemovedInOneTransactionIsNotTold() {
        var outcome = Outcome()
        outcome.settled(message(1).id, wasShown: true, now: message(1))
        outcome.show(message(2))
        outcome.settled(message(2).id, wasShown: false, now: nil)
        let receipt = outcome.receipt()
        #expect(receipt.shown.isEmpty && receipt.withdrawn.isEmpty)
        #expect(receipt.changed == [message(1)])
    }
}
