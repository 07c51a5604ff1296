import GRDB
import ParlanceCore
import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

/// Messages to show in addition to the projected ones, in the order shown. They affect nothing else: no counts, no
/// stored pages.
package struct HistoryOverlay: Equatable, Sendable {
    /// Logs whose messages are shown although an event that they refer to is missing.
    package var overdue: Set<LogID>
    /// Own logs with the sequence after which messages may not count: their void messages are shown to their author.
    package var doubtfulAfter: [LogID: UInt64]
    /// The events that ended memberships. A removed member is told the event but is not sent the log that contains it,
    /// and the others are not sent the log of a member who left.
    package var departures: [EventID]

    package init(
        overdue: Set<LogID> = [],
        doubtfulAfter: [LogID: UInt64] = [:],
        departures: [EventID] = []
    ) {
        self.overdue = overdue
        self.doubtfulAfter = doubtfulAfter
        self.departures = departures
    }
}

extension Store {
    /// The messages of an overlay.
    package func messages(_ overlay: HistoryOverlay, in conversation: ConversationID) throws(StoreError)
        -> [ShownMessage]
    {
        try read { db in
            guard let found = try ConversationTable.find(conversation, db) else { return [] }
            return try Self.messages(overlay, found, db)
        }
    }

    static func messages(
        _ overlay: HistoryOverlay,
        _ conversation: (row: Int64, isGroup: Bool),
        _ db: Database
    ) throws -> [ShownMessage] {
        var all: [ShownMessage] = []
        if !overlay.overdue.isEmpty {
            var provisional = try Provisional(ReaderTables(db), conversation: conversation)
            all += try provisional.messages(of: overlay.overdue)
        }
        for (log, place) in overlay.doubtfulAfter {
            all += try void(in: log, after: place, conversation.row, db)
        }
        for departure in overlay.departures {
            if let line = try line(of: departure, conversation.row, db) { all.append(line) }
        }
        return all.sorted { ($0.effective, $0.id) < ($1.effective, $1.id) }
    }

    /// The line about a membership event that is held outside its log; `nil` if the event is applied in its log.
    private static func line(of id: EventID, _ conversation: Int64, _ db: Database) throws -> ShownMessage? {
        guard let event = try MembershipTable.find(id, conversationRow: conversation, db),
            let change = MembershipChange(event), let note = GroupNote(change)
        else { return nil }
        let reader = try MessageReader(ReaderTables(db), conversation: conversation)
        let own = EventReference(log: event.header.log, sequence: event.header.sequence, id: id)
        guard try reader.held(own)?.effective == nil else { return nil }
        // Place the line after everything that its author had seen, as far as held: what the event refers to, and its
        // marks.
        var earlier = try event.header.references.compactMap { try reader.named($0)?.effective }
        for (log, sequence) in change.marks {
            let keeper = reader.branches.keeper(of: sequence, log)
            if let known = try reader.held(sequence, keeper)?.effective { earlier.append(known) }
        }
        let place = Projector.effective(time: event.header.time, after: earlier)
        return ShownMessage(event, effective: place, content: .note(note))
    }

    /// The last applied messages of a log that are void: neither withdrawn nor shown.
    private static func void(
        in log: LogID,
        after place: UInt64,
        _ conversation: Int64,
        _ db: Database
    ) throws -> [ShownMessage] {
        let sql = """
            SELECT event.id, event.header, event.body, event.signature, event.arrived, event.effective FROM event
            LEFT JOIN message ON message.conversation = ?1 AND message.effective = event.effective
                AND message.id = event.id
            LEFT JOIN withdrawal ON withdrawal.log = event.log AND withdrawal.sequence = event.sequence
            WHERE event.log = ?2 AND event.sequence > ?3 AND event.body IS NOT NULL AND event.effective IS NOT NULL
                AND message.id IS NULL AND withdrawal.log IS NULL
            ORDER BY event.sequence DESC LIMIT ?4
            """
        let reader = try MessageReader(ReaderTables(db), conversation: conversation)
        guard let row = try reader.row(of: log) else { return [] }
        var events: [(event: StoredEvent, effective: UInt64)] = []
        // The limit covers edits, reactions and other kinds too: only the header tells them apart.
        try db.prepared(sql, conversation, row, place, Limits.voidEvents).walk { columns in
            let event = try EventTable.event(columns)
            if event.header.kind == .message { events.append((event, columns.bits(5))) }
            return events.count < Limits.voidMessages
        }
        return try events.map { event, effective in
            var line = try reader.line(event, id: event.id, flags: [], effective: effective, log: row)
            line.isVoid = true
            return line
        }
    }
}
