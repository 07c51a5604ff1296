import GRDB
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// The rows that the rules write, over the one connection that writes, with the statements that they need for each event.
final class StoreTables: StoreReading {
    let db: Database
    let identity: PeerID
    let search = SearchState()
    /// Whether dropped texts may still be in the write-ahead log. At a start that is unknown, so it is assumed.
    var holdsDroppedTexts = true
    /// The messages of this transaction that are in the index, with the texts that it has; `nil` for one that was not
    /// shown.
    var searched: [Place: (entry: LogProgress, text: String?)] = [:]

    /// The order of the last message that the owner wrote; `nil`: it has to be read.
    private var lastWritten: Int64?

    private let events: EventTable
    private let messages: MessageTable
    private let missing: MissingTable
    private let annotations: AnnotationTable
    private let withdrawals: WithdrawalTable
    private let labels: LabelTable
    private let lifetimes: LifetimeTable
    private let fileMentions: FileMentionTable
    private let waiting: WaitingTable
    private let withheld: WithheldTable
    private let logs: LogTable

    init(_ db: Database, identity: PeerID) throws {
        (self.db, self.identity) = (db, identity)
        events = try EventTable(db)
        messages = try MessageTable(db)
        missing = try MissingTable(db)
        annotations = try AnnotationTable(db)
        withdrawals = try WithdrawalTable(db)
        labels = try LabelTable(db)
        lifetimes = try LifetimeTable(db)
        fileMentions = try FileMentionTable(db)
        waiting = try WaitingTable(db)
        withheld = try WithheldTable(db)
        logs = try LogTable(db)
    }

    /// Empties the memory, since it may contain more than the database holds.
    func forget() {
        search.forget()
        searched = [:]
        lastWritten = nil
    }

    func appliedMembership(conversationRow: Int64) throws -> Set<EventID> {
        try MembershipTable.applied(conversationRow: conversationRow, db)
    }

    // Read for each event, so with statements of their own.

    func event(log: Int64, sequence: UInt64) throws -> HeldEvent? { try events.find(log: log, sequence: sequence) }

    func flags(of id: EventID, effective: UInt64, conversationRow: Int64) throws -> LineFlags? {
        try messages.flags(id, effective: effective, conversationRow: conversationRow)
    }

    func withdrawal(log: Int64, sequence: UInt64) throws -> Withdrawal? {
        try withdrawals.state(log: log, sequence: sequence)
    }
}

// Conversations, logs and membership.
extension StoreTables: HistoryTables {
    func conversation(_ id: ConversationID) throws -> (row: Int64, isGroup: Bool)? {
        try ConversationTable.find(id, db)
    }

    func progress(of key: LogKey, conversationRow: Int64, isOwn: Bool, group: GroupState?) throws -> LogProgress? {
        try logs.find(key, conversationRow: conversationRow, isOwn: isOwn, group: group)
    }

    func insertLog(_ key: LogKey, conversationRow: Int64, read: UInt64) throws {
        try logs.insert(key, conversationRow: conversationRow, read: read)
    }

    func save(_ progress: LogProgress) throws { try logs.save(progress) }

    func logKey(of row: Int64) throws -> LogKey? { try LogTable.key(of: row, db) }

    func logs(conversationRow: Int64?) throws -> [LogKey] { try LogTable.keys(conversationRow: conversationRow, db) }

    func replicas(of author: PeerID, conversationRow: Int64) throws -> [ReplicaID] {
        try LogTable.replicas(of: author, conversationRow: conversationRow, db)
    }

    func insertBranch(_ record: BranchRecord, log: Int64, conversationRow: Int64) throws {
        try BranchTable.insert(record, log: log, conversationRow: conversationRow, db)
    }

    func moveBranch(log: Int64, to parent: LogID) throws { try BranchTable.move(log: log, to: parent, db) }

    func insertGivenUp(_ id: EventID, conversationRow: Int64) throws {
        try GivenUpTable.insert(id, conversationRow: conversationRow, db)
    }

    func save(_ watermark: WatermarkRecord, conversationRow: Int64) throws {
        try WatermarkTable.save(watermark, conversationRow: conversationRow, db)
    }

    func readThrough(_ log: LogID, member: PeerID, conversationRow: Int64) throws -> UInt64 {
        try WatermarkTable.readThrough(log, member: member, conversationRow: conversationRow, db)
    }

    func insertMembership(_ event: StoredEvent, conversationRow: Int64) throws {
        try MembershipTable.insert(event, conversationRow: conversationRow, db)
    }

    func deleteMembership(_ id: EventID, conversationRow: Int64) throws {
        try MembershipTable.delete(id, conversationRow: conversationRow, db)
    }

    // Events.

    func insert(_ event: StoredEvent, log: Int64, effective: UInt64?) throws {
        let isWrittenHere = event.log.author == identity && event.header.kind == .message && event.via == nil
        try events.insert(event, log: log, effective: effective, written: isWrittenHere ? countWritten(log: log) : nil)
    }

    /// Counts the messages that the owner writes: no clock tells their order.
    private func countWritten(log: Int64) throws -> Int64 {
        let last = try lastWritten ?? LogTable.lastWritten(db)
        // A damaged store may hold the largest number.
        let next = last < .max ? last + 1 : last
        try logs.setWritten(next, row: log)
        lastWritten = next
        return next
    }

    func setEffective(_ effective: UInt64, log: Int64, sequence: UInt64) throws {
        try events.setEffective(effective, log: log, sequence: sequence)
    }

    func setSignature(_ signature: [UInt8], log: Int64, sequence: UInt64) throws {
        try events.setSignature(signature, log: log, sequence: sequence)
    }

    func setBody(_ body: [UInt8], log: Int64, sequence: UInt64) throws {
        try events.setBody(body, log: log, sequence: sequence)
    }

    func dropBody(log: Int64, sequence: UInt64) throws { try events.dropBody(log: log, sequence: sequence) }

    func moveEvents(from log: Int64, to other: Int64, after sequence: UInt64) throws {
        try events.move(from: log, to: other, after: sequence)
        try withheld.move(from: log, to: other, after: sequence)
    }

    func deleteProjections(conversationRow: Int64?) throws { try ProjectionTable.deleteAll(conversationRow, db) }

    // Withheld texts.

    func keepWithheld(_ place: Place, since: Int64) throws { try withheld.keep(place, since: since) }

    func takeWithheld(_ place: Place) throws -> [UInt8]? { try withheld.take(place) }

    func deleteWithheld(_ place: Place) throws -> Bool { try withheld.delete(place) }

    func expireWithheld(since moment: Int64) throws -> Bool { try withheld.expire(since: moment) }

    func withheld(log: Int64) throws -> [UInt64] { try withheld.sequences(log: log) }

    func hasWithheld() throws -> Bool { try WithheldTable.isEmpty(db) == false }

    func noteDroppedText() { holdsDroppedTexts = true }

    // Lines.

    func insertLine(_ id: EventID, effective: UInt64, entry: LogProgress, sequence: UInt64, flags: LineFlags) throws {
        try messages.insert(id, effective: effective, entry: entry, sequence: sequence, flags: flags)
    }

    func setFlags(_ flags: LineFlags, of id: EventID, effective: UInt64, entry: LogProgress) throws {
        try messages.setFlags(flags, of: id, effective: effective, entry: entry)
    }

    func deleteLine(_ id: EventID, effective: UInt64, entry: LogProgress) throws {
        try messages.delete(id, effective: effective, entry: entry)
    }

    func linePlace(of id: EventID, effective: UInt64, conversationRow: Int64) throws -> Place? {
        try messages.place(id, effective: effective, conversationRow: conversationRow)
    }

    func lines(conversationRow: Int64) throws -> [Line] { try MessageTable.lines(conversationRow: conversationRow, db) }

    func unread(in entry: LogProgress) throws -> (count: Int, mentions: Int) { try MessageTable.unread(in: entry, db) }

    func saveAbout(_ row: AboutRow) throws { try annotations.save(row) }

    func deletion(of place: Place, by author: PeerID) throws -> About? {
        try AnnotationTable.deletion(of: place, by: author, db)
    }

    func answers(to place: Place, last count: Int) throws -> [Place] {
        try AnnotationTable.answers(to: place, last: count, db)
    }

    func holdWithdrawal(log: Int64, sequence: UInt64) throws { try withdrawals.hold(log: log, sequence: sequence) }

    func countWithdrawal(log: Int64, sequence: UInt64) throws { try withdrawals.count(log: log, sequence: sequence) }

    func insertFiles(_ files: [FileMention], log: Int64, sequence: UInt64) throws {
        try fileMentions.insert(files, log: log, sequence: sequence)
    }

    func deleteFiles(log: Int64, sequence: UInt64) throws { try fileMentions.delete(log: log, sequence: sequence) }

    // Notes.

    func saveLabel(_ text: String, _ event: StoredEvent, effective: UInt64, conversationRow: Int64) throws {
        try labels.save(text, event, effective: effective, conversationRow: conversationRow)
    }

    func deleteLabel(_ event: StoredEvent, effective: UInt64, conversationRow: Int64) throws {
        try labels.delete(event, effective: effective, conversationRow: conversationRow)
    }

    func saveLifetime(_ seconds: UInt64, _ event: StoredEvent, effective: UInt64, _ entry: LogProgress) throws {
        try lifetimes.save(seconds, event, effective: effective, entry)
    }

    func deleteLifetime(_ event: StoredEvent, effective: UInt64, _ entry: LogProgress) throws {
        try lifetimes.delete(event, effective: effective, entry)
    }

    // Missing texts.

    func missing(log: Int64) throws -> [UInt64] { try missing.sequences(log: log) }

    func isMissing(log: Int64, sequence: UInt64) throws -> Bool { try missing.contains(log: log, sequence: sequence) }

    func insertMissing(log: Int64, sequence: UInt64, target: EventID?, isExcused: Bool) throws {
        try missing.insert(log: log, sequence: sequence, target: target, isExcused: isExcused)
    }

    func deleteMissing(log: Int64, sequence: UInt64) throws { try missing.delete(log: log, sequence: sequence) }

    func setExcused(_ isExcused: Bool, log: Int64, sequence: UInt64) throws {
        try missing.setExcused(isExcused, log: log, sequence: sequence)
    }

    func missingEdits(of target: EventID) throws -> [MissingEdit] { try missing.edits(of: target) }

    // Waiting.

    func insertWait(log: Int64, awaited: LogID, sequence: UInt64) throws {
        try waiting.insert(log: log, awaited: awaited, sequence: sequence)
    }

    func deleteWait(log: Int64) throws { try waiting.delete(log: log) }

    func waits() throws -> [Wait] { try waiting.all() }
}
