import GRDB
import ParlanceCore
import ParlanceHistory
import ParlanceWire

extension ShownMessage {
    /// The columns of `event` and `message` that describe a message.
    static let columns = """
        event.id, event.header, event.body, event.signature, event.arrived, message.effective, message.flags,
        message.log, message.conversation, message.id
        """

    /// Reads rows of `columns`.
    static func all(_ statement: Prepared, _ db: Database) throws -> [ShownMessage] {
        var found: [ShownMessage] = []
        try each(statement, db) { message, _ in found.append(message) }
        return found
    }

    /// Iterates over everything shown of a conversation, in the order shown.
    ///
    /// - Parameter body: called with a message and the row number of the log that contains it.
    static func each(
        inConversation row: Int64,
        _ db: Database,
        _ body: (ShownMessage, Int64) throws -> Void
    ) throws {
        let sql = """
            SELECT \(columns) FROM message CROSS JOIN event
            ON event.log = message.log AND event.sequence = message.sequence
            WHERE message.conversation = ? ORDER BY message.effective, message.id
            """
        try each(db.prepared(sql, row), db, body)
    }

    private static func each(
        _ statement: Prepared,
        _ db: Database,
        _ body: (ShownMessage, Int64) throws -> Void
    ) throws {
        var reader: MessageReader?
        try statement.each { row in
            let conversation = row.integer(8)
            guard let id = EventID(row.view(9)) else { throw StoreError.damaged("message row") }
            let present: MessageReader
            if let reader, reader.conversation == conversation {
                present = reader
            } else {
                present = try MessageReader(ReaderTables(db), conversation: conversation)
                reader = present
            }
            let log = row.integer(7)
            let message = try present.line(
                EventTable.event(row),
                id: id,
                flags: LineFlags(rawValue: row.integer(6)),
                effective: row.bits(5),
                log: log
            )
            try body(message, log)
        }
    }
}
