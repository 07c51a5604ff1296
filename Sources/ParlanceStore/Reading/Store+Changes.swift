import GRDB
package import ParlanceCore
package import ParlanceWire

/// An edit, deletion or reaction of this node's user.
package struct OwnChange: Equatable, Sendable {
    package enum What: Equatable, Sendable {
        case edit
        case deletion
        case reaction(String, removed: Bool)
    }

    package var what: What
    /// The event in the form of a line without text, for its position and time.
    package var line: ShownMessage
    /// The message that it is about, in its present form.
    package var message: ShownMessage
}

// Like messages, they may wait for delivery.
extension Store {
    /// Edits, deletions and reactions in a log after a sequence, in their order, that count and are about something
    /// shown. Of those about a deleted message only the deletion is included.
    package func ownChanges(
        _ conversation: ConversationID,
        log: LogID,
        after sequence: UInt64,
        limit: Int
    ) throws(StoreError) -> [OwnChange] {
        guard sequence <= UInt64(Int64.max) else { return [] }
        return try read { db in
            guard let row = try ConversationTable.row(of: conversation, db) else { return [] }
            let reader = try MessageReader(db, conversation: row)
            guard let logRow = try reader.row(of: log) else { return [] }
            let statement = Prepared(
                try db.cachedStatement(
                    sql: """
                        SELECT own.id, own.header, own.body, own.signature, own.arrived, own.effective,
                        about.log, about.sequence, event.effective, message.flags
                        \(Self.changes) ORDER BY about.by_sequence LIMIT ?5
                        """
                )
            )
            bind(statement, row, logRow, after: sequence)
            statement.bind(5, Int64(max(0, limit)))
            defer { statement.reset() }
            var changes: [OwnChange] = []
            while try statement.next() {
                var event = try EventTable.event(statement)
                event.branch = reader.branches.name(ofRow: logRow)
                let target = statement.integer(6)
                guard let what = OwnChange.What(event),
                    let found = try EventTable.find(log: target, sequence: statement.bits(7), db)
                else { continue }
                let message = try reader.line(
                    found.event,
                    id: found.event.id,
                    flags: MessageTable.Flags(rawValue: statement.integer(9)),
                    effective: statement.bits(8),
                    log: target
                )
                let line = ShownMessage(event, effective: statement.bits(5), content: .text(""))
                changes.append(OwnChange(what: what, line: line, message: message))
            }
            return changes
        }
    }

    /// A statement with the sequences of `ownChanges`, in their order.
    func changeSequences(
        _ conversationRow: Int64,
        _ logRow: Int64,
        after sequence: UInt64,
        _ db: Database
    ) throws -> Prepared {
        let sql = "SELECT about.by_sequence \(Self.changes) ORDER BY about.by_sequence"
        let statement = Prepared(try db.cachedStatement(sql: sql))
        bind(statement, conversationRow, logRow, after: sequence)
        return statement
    }

    /// Answers are in `about`, too, but their state excludes them.
    private static let changes = """
        FROM about INDEXED BY about_by
        CROSS JOIN event AS own ON own.log = about.by_log AND own.sequence = about.by_sequence
        CROSS JOIN event ON event.log = about.log AND event.sequence = about.sequence
        CROSS JOIN message ON message.conversation = ?1 AND message.effective = event.effective
            AND message.id = event.id
        WHERE about.by_log = ?2 AND about.by_sequence > ?3
        AND about.state IN (\(AnnotationTable.State.valid.rawValue), \(AnnotationTable.State.removed.rawValue))
        AND (about.kind = ?4 OR message.flags & \(MessageTable.Flags.deleted.rawValue) = 0)
        """

    private func bind(_ statement: Prepared, _ conversation: Int64, _ log: Int64, after sequence: UInt64) {
        statement.bind(1, conversation)
        statement.bind(2, log)
        statement.bind(3, bits: sequence)
        statement.bind(4, Int64(EventKind.delete.number))
    }
}

extension OwnChange.What {
    /// The change that an event makes to another message; `nil` if it makes none.
    fileprivate init?(_ event: StoredEvent) {
        switch Projector.judge(event, after: nil, rights: .whole) {
        case .edit: self = .edit
        case .delete: self = .deletion
        case .reaction(let emoji, let removed): self = .reaction(emoji, removed: removed)
        default: return nil
        }
    }
}
