import GRDB
import ParlanceHistory
import ParlanceRecords
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
            let message = try present.line(
                EventTable.event(row),
                id: id,
                flags: LineFlags(rawValue: row.integer(6)),
                effective: row.bits(5),
                log: row.integer(7)
            )
            found.append(message)
        }
        return found
    }
}
