import GRDB
package import ParlanceCore
package import ParlanceWire

/// Messages to be read beside what is projected, in the order shown. They leave no trace: no count, no page, nothing to be
/// taken back.
package struct Beside: Equatable, Sendable {
    /// Logs whose messages are shown before what they refer to is here.
    package var overdue: Set<LogID>
    /// Own logs of which messages may not count beyond a place, so that who wrote them is told what became of them.
    package var doubtfulAfter: [LogID: UInt64]
    /// What ended one's own membership: who is removed is told that and is not sent the log that it stands in.
    package var departure: EventID?

    package init(
        overdue: Set<LogID> = [],
        doubtfulAfter: [LogID: UInt64] = [:],
        departure: EventID? = nil
    ) {
        self.overdue = overdue
        self.doubtfulAfter = doubtfulAfter
        self.departure = departure
    }
}

extension Store {
    /// Messages beside those that are projected.
    package func messages(_ beside: Beside, in conversation: ConversationID) throws(StoreError) -> [ShownMessage] {
        try read { db in
            guard let found = try ConversationTable.find(conversation, db) else { return [] }
            return try Self.messages(beside, found, db)
        }
    }

    static func messages(
        _ beside: Beside,
        _ conversation: (row: Int64, isGroup: Bool),
        _ db: Database
    ) throws -> [ShownMessage] {
        var all: [ShownMessage] = []
        if !beside.overdue.isEmpty {
            var provisional = try Provisional(db, conversation: conversation)
            all += try provisional.messages(of: beside.overdue)
        }
        for (log, place) in beside.doubtfulAfter {
            all += try void(in: log, after: place, conversation.row, db)
        }
        if let departure = beside.departure, let line = try line(of: departure, conversation.row, db) {
            all.append(line)
        }
        return all.sorted { ($0.effective, $0.id) < ($1.effective, $1.id) }
    }

    /// The line about a membership event that is known by itself; `nil` if its log is held up to it.
    private static func line(of id: EventID, _ conversation: Int64, _ db: Database) throws -> ShownMessage? {
        let events = try MembershipTable.events(conversationRow: conversation, db)
        guard let event = events.first(where: { $0.id == id }), let change = MembershipChange(event) else { return nil }
        let reader = try MessageReader(db, conversation: conversation)
        func effective(_ log: LogID, _ sequence: UInt64, _ id: EventID?) throws -> UInt64? {
            guard sequence <= UInt64(Int64.max) else { return nil }
            for name in [log] + reader.branches.below(log) {
                guard let row = try LogTable.row(of: name, conversationRow: conversation, db),
                    let found = try EventTable.find(log: row, sequence: sequence, db),
                    id.map({ $0 == found.event.id }) != false
                else { continue }
                return found.effective ?? 0
            }
            return nil
        }
        guard try effective(event.header.log, event.header.sequence, id) == nil else { return nil }
        // Below all that its author had seen, as far as it is here: what it names, and what the marks name.
        var earlier: [UInt64] = []
        for reference in event.header.references {
            if let known = try effective(reference.log, reference.sequence, reference.id) { earlier.append(known) }
        }
        for (log, sequence) in change.marks {
            if let known = try effective(log, sequence, nil) { earlier.append(known) }
        }
        let place = Projector.effective(time: event.header.time, after: earlier)
        return ShownMessage(event, effective: place, content: .note(GroupNote(change)))
    }

    /// More than these are not looked for in a log.
    private static let voidLimit: Int64 = 1_000

    /// Messages of a log that are applied, were not taken back, and are not shown.
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
        guard let row = try LogTable.row(of: log, conversationRow: conversation, db) else { return [] }
        let reader = try MessageReader(db, conversation: conversation)
        let statement = Prepared(try db.cachedStatement(sql: sql))
        statement.bind(1, conversation)
        statement.bind(2, row)
        statement.bind(3, bits: place)
        statement.bind(4, voidLimit)
        var events: [(event: StoredEvent, effective: UInt64)] = []
        while try statement.next() {
            let event = try EventTable.event(statement)
            if event.header.kind == .message { events.append((event, statement.bits(5))) }
        }
        statement.reset()
        return try events.map { event, effective in
            var line = try reader.line(event, id: event.id, flags: [], effective: effective, log: row)
            line.isVoid = true
            return line
        }
    }
}
