package import ParlanceRecords
package import ParlanceWire

/// The rules of what people see (events.md), over the rows of a store.
///
/// One thread at a time uses it. Its memory matches the rows; after a transaction that failed, call `forget`.
package final class History {
    package let identity: PeerID
    let tables: any HistoryTables
    /// Whether texts of deleted messages may be withheld. Usually there are none, and no lookup is necessary.
    var holdsWithheld: Bool
    /// When the latest batch was closed, in milliseconds since 1970.
    package var wall: Int64 = 0

    private var conversations: [ConversationID: (row: Int64, group: GroupState?)] = [:]
    private var branches: [ConversationID: ForkTree] = [:]
    private var givenUp: [ConversationID: Set<EventID>] = [:]
    private var entries: [LogKey: LogProgress] = [:]
    private var lastEntry: LogProgress?
    /// The logs that wait, by the log that they wait for; `nil` until read.
    var waiters: [LogKey: [Waiter]]?

    struct Waiter {
        let key: LogKey
        let sequence: UInt64
    }

    package init(_ tables: any HistoryTables, identity: PeerID) throws {
        (self.tables, self.identity) = (tables, identity)
        holdsWithheld = try tables.hasWithheld()
    }

    /// Empties the memory, since it may contain more than the rows.
    package func forget() {
        conversations = [:]
        branches = [:]
        givenUp = [:]
        entries = [:]
        lastEntry = nil
        waiters = nil
        // The transaction may have removed the last text, and that is undone.
        holdsWithheld = true
    }

    /// Writes the rows of the logs that a transaction has changed. Call it at the transaction's end.
    package func save(_ outcome: Outcome) throws {
        for entry in outcome.dirty {
            entry.check()
            try tables.save(entry)
            entry.isDirty = false
        }
    }
}

// Finding rows, in memory first.
extension History {
    package func conversationRow(_ id: ConversationID) throws -> Int64 {
        try conversation(id).row
    }

    /// The number of a conversation's row, and its state if it is a group.
    func conversation(_ id: ConversationID) throws -> (row: Int64, group: GroupState?) {
        if let known = conversations[id] { return known }
        guard let found = try tables.conversation(id) else {
            throw HistoryError.contradiction("unknown conversation \(id)")
        }
        var group: GroupState?
        if found.isGroup {
            let events = try tables.membership(conversationRow: found.row)
            group = GroupState(conversationRow: found.row, membership: Membership(events))
        }
        conversations[id] = (found.row, group)
        return (found.row, group)
    }

    func branches(of id: ConversationID) throws -> ForkTree {
        if let known = branches[id] { return known }
        let found = try tables.branches(conversationRow: conversationRow(id))
        branches[id] = found
        return found
    }

    /// The events of a conversation that are not awaited any more.
    func givenUp(in id: ConversationID) throws -> Set<EventID> {
        // Where no log forks, nothing is ever given up.
        if try branches(of: id).isEmpty { return [] }
        if let known = givenUp[id] { return known }
        let found = try tables.givenUp(conversationRow: conversationRow(id))
        givenUp[id] = found
        return found
    }

    func giveUp(_ event: EventID, in id: ConversationID) throws {
        _ = try givenUp(in: id)
        invariant(branches[id]?.isEmpty == false, "something is given up only where logs fork")
        invariant(givenUp[id]?.contains(event) == false, "an event is given up once")
        try tables.insertGivenUp(event, conversationRow: conversationRow(id))
        givenUp[id]?.insert(event)
    }

    /// Forces the branches of a conversation to be read again.
    func forgetBranches(of id: ConversationID) {
        branches[id] = nil
    }

    /// The row of a log, if it exists.
    package func existingEntry(_ key: LogKey) throws -> LogProgress? {
        if let lastEntry, lastEntry.key == key { return lastEntry }
        if let entry = entries[key] {
            lastEntry = entry
            return entry
        }
        let conversation = try conversation(key.conversation)
        let isOwn = key.log.author == identity
        guard
            let entry = try tables.progress(
                of: key,
                conversationRow: conversation.row,
                isOwn: isOwn,
                group: conversation.group
            )
        else { return nil }
        if let branch = try branches(of: key.conversation)[key.log] {
            entry.setBranch(of: branch.parent, at: branch.base)
        }
        invariant(entry.key == key, "a row is kept under the name of its log")
        invariant((entry.group == nil) == (conversation.group == nil), "the logs of a group know their group")
        entries[key] = entry
        lastEntry = entry
        return entry
    }

    /// The row of a log, created if necessary.
    package func entry(_ key: LogKey) throws -> LogProgress {
        if let entry = try existingEntry(key) { return entry }
        let conversationRow = try conversationRow(key.conversation)
        let read = try tables.readThrough(key.log, member: identity, conversationRow: conversationRow)
        try tables.insertLog(key, conversationRow: conversationRow, read: read)
        guard let entry = try existingEntry(key) else { throw HistoryError.damaged("log row") }
        return entry
    }

    /// The rows of the logs of one conversation, or of all, in the order of creation.
    func entries(conversationRow: Int64?) throws -> [LogProgress] {
        try tables.logs(conversationRow: conversationRow).map { try entry($0) }
    }
}

extension History {
    /// Reads lines of a conversation.
    func reader(of id: ConversationID) throws -> MessageReader {
        MessageReader(
            tables,
            conversation: try conversationRow(id),
            branches: try branches(of: id),
            givenUp: try givenUp(in: id)
        )
    }
}

extension History {
    /// The membership of a group; `nil` in a direct conversation.
    package func membership(of id: ConversationID) throws -> Membership? { try conversation(id).group?.membership }
}
