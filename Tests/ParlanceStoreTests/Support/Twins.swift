import ParlanceAudit
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceStore
import ParlanceTestKit
import ParlanceWire
import Testing

/// A store and rows in memory get the same batches and must give the same answers. Both play the same rules; whether these are
/// right, the auditor says.
final class Twins {
    let test: TestStore
    private(set) var disk: SimulatedDisk
    let note: Comment
    private var batches: UInt64 = 0

    init(_ test: TestStore, _ conversations: [ConversationRecord], note: Comment) throws {
        self.test = test
        self.note = note
        disk = SimulatedDisk(name: "Ada", identity: test.store.identity)
        try persist { $0.conversations = conversations }
    }

    var conversations: [ConversationID] { disk.conversations.map(\.id) }

    @discardableResult
    func persist(_ fill: (inout PersistBatch) -> Void) throws -> PersistReceipt {
        batches += 1
        var batch = PersistBatch(id: BatchID(batches))
        fill(&batch)
        let wanted = try disk.persist(batch)
        let receipt = try test.store.persist(batch)
        if let difference = receipt.difference(from: wanted) { Issue.record("\(difference); \(note)") }
        return receipt
    }

    /// Reports where two lists begin to differ.
    private func differ<Element: Equatable>(_ found: [Element], _ wanted: [Element], _ what: String) {
        guard found != wanted else { return }
        let same = zip(found, wanted).prefix { $0 == $1 }.count
        let (one, other) = (found.dropFirst(same).first, wanted.dropFirst(same).first)
        Issue.record("\(what): \(String(describing: one)), not \(String(describing: other)); \(note)")
    }

    func history(_ conversation: ConversationID) throws -> [ShownMessage] {
        try test.store.history(conversation, limit: 100_000)
    }

    /// Compares everything that can be read.
    func compare() throws {
        let wanted = disk.snapshot
        if let difference = try test.store.snapshot().difference(from: wanted) {
            Issue.record("\(difference); \(note)")
        }
        for conversation in conversations {
            let history = try history(conversation)
            differ(history, disk.history(of: conversation), "history")
            let membership = disk.memberships[conversation].map { PlainMembership($0.events) }
            let plain = disk.audit(conversation, membership)
            differ(history, plain.lines, "history by the auditor")
            let lacking = wanted.logs.filter { $0.conversation == conversation && !$0.missingBodies.isEmpty }
            let missing = Dictionary(uniqueKeysWithValues: lacking.map { ($0.log, $0.missingBodies) })
            #expect(missing == plain.missing, note)
            for message in history {
                #expect(try test.store.message(message.reference, in: conversation) == message, note)
            }
        }
        for log in wanted.logs {
            let request = ReadRequest(
                conversation: log.conversation,
                log: log.log,
                from: 1,
                through: log.position.sequence,
                byteLimit: 1 << 30
            )
            // The model takes sequences of the branch alone; the store also accepts those of the log from which the
            // branch forks.
            var own = request
            own.from = (wanted.branches.first { $0.log == log.log }?.base.sequence ?? 0) + 1
            differ(try test.store.events(request), disk.read(own), "events")
        }
    }

    /// Compares as it is, after the projections were made anew, and after a restart.
    func compareThroughout() throws {
        try compare()
        let counts = try test.store.conversations()
        try test.store.rebuildProjections()
        try compare()
        #expect(try test.store.conversations() == counts, note)
        try test.reopen()
        try compare()
        #expect(try test.store.conversations() == counts, note)
    }
}
