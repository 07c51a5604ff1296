import GRDB
package import ParlanceCore
package import ParlanceWire

/// An edit, deletion or reaction of one's own.
package struct OwnChange: Equatable, Sendable {
    package enum What: Equatable, Sendable {
        case edit
        case deletion
        case reaction(String, removed: Bool)
    }

    package var what: What
    /// The event itself, as the line that it would be if it were one: its place and its time, without a text.
    package var line: ShownMessage
    /// The message that it is about, as it is now.
    package var message: ShownMessage
}

// What may be waiting: what the own logs hold beyond what others have.
extension Store {
    /// Messages of a log beyond a sequence number, in their order: what may be waiting. Notes are not among them, nor what
    /// was withdrawn or deleted.
    package func ownMessages(
        _ conversation: ConversationID,
        log: LogID,
        after sequence: UInt64,
        limit: Int
    ) throws(StoreError) -> [ShownMessage] {
        guard sequence <= UInt64(Int64.max) else { return [] }
        return try read { db in
            let statement = Prepared(
                try db.cachedStatement(
                    sql: """
                        SELECT \(ShownMessage.columns) FROM conversation
                        CROSS JOIN log ON log.conversation = conversation.id
                        CROSS JOIN event ON event.log = log.id
                        CROSS JOIN message ON message.conversation = conversation.id
                            AND message.effective = event.effective AND message.id = event.id
                        WHERE conversation.name = ?1 AND log.author = ?2 AND log.replica = ?3
                        AND event.sequence > ?4 AND message.flags & ?6 = 0
                        ORDER BY event.sequence LIMIT ?5
                        """
                )
            )
            statement.bind(1, copying: conversation.bytes)
            statement.bind(2, copying: log.author.bytes)
            statement.bind(3, copying: log.replica.bytes)
            statement.bind(4, bits: sequence)
            statement.bind(5, Int64(max(0, limit)))
            statement.bind(6, Self.neverWaiting.rawValue)
            return try ShownMessage.all(statement, db)
        }
    }

    private static let neverWaiting: MessageTable.Flags = [.note, .deleted]

    /// How many messages `ownMessages` would give without a limit.
    package func waitingCount(
        _ conversation: ConversationID,
        log: LogID,
        after sequence: UInt64
    ) throws(StoreError) -> Int {
        guard sequence <= UInt64(Int64.max) else { return 0 }
        return try read { db in
            let statement = Prepared(
                try db.cachedStatement(
                    sql: """
                        SELECT count(*) FROM conversation
                        CROSS JOIN log ON log.conversation = conversation.id
                        CROSS JOIN event ON event.log = log.id
                        CROSS JOIN message ON message.conversation = conversation.id
                            AND message.effective = event.effective AND message.id = event.id
                        WHERE conversation.name = ?1 AND log.author = ?2 AND log.replica = ?3
                        AND event.sequence > ?4 AND message.flags & ?5 = 0
                        """
                )
            )
            statement.bind(1, copying: conversation.bytes)
            statement.bind(2, copying: log.author.bytes)
            statement.bind(3, copying: log.replica.bytes)
            statement.bind(4, bits: sequence)
            statement.bind(5, Self.neverWaiting.rawValue)
            defer { statement.reset() }
            return try statement.next() ? Int(clamping: statement.bits(0)) : 0
        }
    }

    /// Edits, deletions and reactions in a log beyond a sequence number, in their order, if they are about something that is
    /// shown. Those about a deleted message are left out, but for the deletion.
    package func ownChanges(
        _ conversation: ConversationID,
        log: LogID,
        after sequence: UInt64
    ) throws(StoreError) -> [OwnChange] {
        guard sequence <= UInt64(Int64.max) else { return [] }
        return try read { db in
            guard let row = try ConversationTable.row(of: conversation, db),
                let logRow = try LogTable.row(of: log, conversationRow: row, db)
            else { return [] }
            let reader = try MessageReader(db, conversation: row)
            var changes: [OwnChange] = []
            for (event, effective) in try Self.unshown(logRow, row, after: sequence, db) {
                guard let target = event.header.target, let what = OwnChange.What(event),
                    let found = try reader.find(target), let flags = found.flags,
                    what == .deletion || !flags.contains(.deleted)
                else { continue }
                let message = try reader.line(
                    found.event,
                    id: found.event.id,
                    flags: flags,
                    effective: found.effective,
                    log: found.log
                )
                var event = event
                event.branch = reader.branches.name(ofRow: logRow)
                let line = ShownMessage(event, effective: effective, content: .text(""))
                changes.append(OwnChange(what: what, line: line, message: message))
            }
            return changes
        }
    }

    /// Events that are applied and are no line themselves.
    private static func unshown(
        _ log: Int64,
        _ conversation: Int64,
        after sequence: UInt64,
        _ db: Database
    ) throws -> [(event: StoredEvent, effective: UInt64)] {
        let sql = """
            SELECT event.id, event.header, event.body, event.signature, event.arrived, event.effective FROM event
            LEFT JOIN message ON message.conversation = ?1 AND message.effective = event.effective
                AND message.id = event.id
            WHERE event.log = ?2 AND event.sequence > ?3 AND event.effective IS NOT NULL AND message.id IS NULL
            ORDER BY event.sequence
            """
        let statement = Prepared(try db.cachedStatement(sql: sql))
        statement.bind(1, conversation)
        statement.bind(2, log)
        statement.bind(3, bits: sequence)
        defer { statement.reset() }
        var found: [(event: StoredEvent, effective: UInt64)] = []
        while try statement.next() { found.append((try EventTable.event(statement), statement.bits(5))) }
        return found
    }
}

extension OwnChange.What {
    /// What an own event does to another message; `nil` if nothing.
    fileprivate init?(_ event: StoredEvent) {
        switch Projector.judge(event, after: nil, rights: .whole) {
        case .edit: self = .edit
        case .delete: self = .deletion
        case .reaction(let emoji, let removed): self = .reaction(emoji, removed: removed)
        default: return nil
        }
    }
}
