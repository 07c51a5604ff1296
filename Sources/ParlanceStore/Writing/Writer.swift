import GRDB
import GRDBSQLite
import ParlanceCore
import ParlanceWire

/// The state of the one connection that writes: its statements, and the log rows it has read.
///
/// `Store` ensures that one thread at a time uses it. Its memory matches the database; after a failed transaction it is
/// emptied.
final class Writer {
    let identity: PeerID
    let events: EventTable
    let messages: MessageTable
    let missing: MissingTable
    let annotations: AnnotationTable
    let withdrawals: WithdrawalTable
    let labels: LabelTable
    let lifetimes: LifetimeTable
    let fileMentions: FileMentionTable
    let waiting: WaitingTable
    let withheld: WithheldTable
    let logs: LogTable
    let gauge: WriteAheadGauge
    let search = SearchState()
    /// Whether dropped texts may still be in the write-ahead log. At a start that is unknown, so it is assumed.
    var holdsDroppedTexts = true
    /// Whether the latest batch was a large one, so that another probably follows.
    var isBusy = false
    /// Whether texts of deleted messages may be withheld. Usually there are none, and no lookup is necessary.
    var holdsWithheld: Bool
    /// When the latest batch was closed, in milliseconds since 1970.
    var wall: Int64 = 0

    private var conversations: [ConversationID: (row: Int64, group: GroupState?)] = [:]
    private var branches: [ConversationID: Branches] = [:]
    private var givenUp: [ConversationID: Set<EventID>] = [:]
    private var entries: [LogKey: LogEntry] = [:]
    private var lastEntry: LogEntry?
    /// The logs that wait, by the log that they wait for; `nil` until read.
    var waiters: [LogKey: [Waiter]]?

    struct Waiter {
        let key: LogKey
        let sequence: UInt64
    }

    init(_ db: Database, identity: PeerID) throws {
        self.identity = identity
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
        holdsWithheld = try WithheldTable.isEmpty(db) == false
        logs = try LogTable(db)
        gauge = WriteAheadGauge(pageSize: try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        gauge.attach(to: db.sqliteConnection)
    }

    /// Runs `body` as one transaction: it is durable as a whole when this returns, or absent if this throws.
    ///
    /// - Parameter body: receives the transaction's outcome to add to.
    func transaction<Value>(_ db: Database, _ body: (inout Outcome) throws -> Value) throws -> Value {
        try execute("BEGIN IMMEDIATE", db)
        do {
            var outcome = Outcome()
            let value = try body(&outcome)
            for entry in outcome.dirty {
                entry.check()
                try logs.save(entry)
                entry.isDirty = false
            }
            try execute("COMMIT", db)
            return value
        } catch {
            forget()
            // A commit that failed for lack of room leaves the transaction open; other failures may have ended it. If
            // the rollback fails too, the next transaction cannot begin, which stops the store.
            if sqlite3_get_autocommit(db.sqliteConnection) == 0 { try? execute("ROLLBACK", db) }
            throw error
        }
    }

    private func execute(_ sql: String, _ db: Database) throws {
        guard sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil) == SQLITE_OK else {
            throw SQLiteFailure(connection: db.sqliteConnection)
        }
    }

    /// Empties the memory, since it may contain more than the database holds.
    func forget() {
        conversations = [:]
        branches = [:]
        givenUp = [:]
        entries = [:]
        lastEntry = nil
        waiters = nil
        search.forget()
        // The transaction may have removed the last text, and that is undone.
        holdsWithheld = true
    }
}

// Finding rows, in memory first.
extension Writer {
    func conversationRow(_ id: ConversationID, _ db: Database) throws -> Int64 {
        try conversation(id, db).row
    }

    /// The row number of a conversation, and its state if it is a group.
    func conversation(_ id: ConversationID, _ db: Database) throws -> (row: Int64, group: GroupState?) {
        if let known = conversations[id] { return known }
        guard let found = try ConversationTable.find(id, db) else {
            throw StoreError.contradiction("unknown conversation \(id)")
        }
        var group: GroupState?
        if found.isGroup {
            let events = try MembershipTable.events(conversationRow: found.row, db)
            group = GroupState(conversationRow: found.row, membership: Membership(events))
        }
        conversations[id] = (found.row, group)
        return (found.row, group)
    }

    func branches(of id: ConversationID, _ db: Database) throws -> Branches {
        if let known = branches[id] { return known }
        let found = try BranchTable.branches(conversationRow: conversationRow(id, db), db)
        branches[id] = found
        return found
    }

    /// The events of a conversation that are not awaited any more.
    func givenUp(in id: ConversationID, _ db: Database) throws -> Set<EventID> {
        // Where no log forks, nothing is ever given up.
        if try branches(of: id, db).isEmpty { return [] }
        if let known = givenUp[id] { return known }
        let found = try GivenUpTable.all(conversationRow: conversationRow(id, db), db)
        givenUp[id] = found
        return found
    }

    func giveUp(_ event: EventID, in id: ConversationID, _ db: Database) throws {
        _ = try givenUp(in: id, db)
        try GivenUpTable.insert(event, conversationRow: conversationRow(id, db), db)
        givenUp[id]?.insert(event)
    }

    /// Forces the branches of a conversation to be read again.
    func forgetBranches(of id: ConversationID) {
        branches[id] = nil
    }

    /// The row of a log, if it exists.
    func existingEntry(_ key: LogKey, _ db: Database) throws -> LogEntry? {
        if let lastEntry, lastEntry.key == key { return lastEntry }
        if let entry = entries[key] {
            lastEntry = entry
            return entry
        }
        let conversation = try conversation(key.conversation, db)
        let isOwn = key.log.author == identity
        guard
            let entry = try logs.find(
                key,
                conversationRow: conversation.row,
                isOwn: isOwn,
                group: conversation.group
            )
        else { return nil }
        if let branch = try branches(of: key.conversation, db)[key.log] {
            entry.setBranch(of: branch.parent, at: branch.base)
        }
        entries[key] = entry
        lastEntry = entry
        return entry
    }

    /// The row of a log, created if necessary.
    func entry(_ key: LogKey, _ db: Database) throws -> LogEntry {
        if let entry = try existingEntry(key, db) { return entry }
        let conversationRow = try conversationRow(key.conversation, db)
        let read = try WatermarkTable.readThrough(
            key.log,
            member: identity,
            conversationRow: conversationRow,
            db
        )
        try logs.insert(key, conversationRow: conversationRow, read: read)
        guard let entry = try existingEntry(key, db) else { throw StoreError.damaged("log row") }
        return entry
    }
}
