import GRDB
import ParlanceCore
import ParlanceHistory
package import ParlanceRecords
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
            let reader = try MessageReader(ReaderTables(db), conversation: row)
            guard let logRow = try reader.row(of: log) else { return [] }
            let sql = """
                SELECT own.id, own.header, own.body, own.signature, own.arrived, own.effective,
                about.log, about.sequence, event.effective, message.flags
                \(Self.changes) ORDER BY about.by_sequence LIMIT ?5
                """
            let rows = try db.prepared(sql, row, logRow, sequence, EventKind.delete.number, max(0, limit))
            var changes: [OwnChange] = []
            try rows.each { row in
                var event = try EventTable.event(row)
                event.branch = reader.branches.name(ofRow: logRow)
                let target = row.integer(6)
                guard let what = OwnChange.What(event),
                    let found = try EventTable.find(log: target, sequence: row.bits(7), db)
                else { return }
                let message = try reader.line(
                    found.event,
                    id: found.event.id,
                    flags: LineFlags(rawValue: row.integer(9)),
                    effective: row.bits(8),
                    log: target
                )
                let line = ShownMessage(event, effective: row.bits(5), content: .text(""))
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
        return try db.prepared(sql, conversationRow, logRow, sequence, EventKind.delete.number)
    }

    /// Answers are in `about`, too, but their state excludes them.
    private static let changes = """
        FROM about INDEXED BY about_by
        CROSS JOIN event AS own ON own.log = about.by_log AND own.sequence = about.by_sequence
        CROSS JOIN event ON event.log = about.log AND event.sequence = about.sequence
        CROSS JOIN message ON message.conversation = ?1 AND message.effective = event.effective
            AND message.id = event.id
        WHERE about.by_log = ?2 AND about.by_sequence > ?3
        AND about.state IN (\(About.State.valid.rawValue), \(About.State.removed.rawValue))
        AND (about.kind = ?4 OR message.flags & \(LineFlags.deleted.rawValue) = 0)
        """
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
