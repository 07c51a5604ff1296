import GRDB
import ParlanceCore
import ParlanceWire

extension ShownMessage {
    /// The columns of `event` and `message` that a message is read from.
    static let columns = """
        event.id, event.header, event.body, event.signature, message.effective, message.flags, message.log,
        message.conversation
        """

    init(_ event: StoredEvent, effective: UInt64, content: Content) {
        let header = event.header
        self.init(
            id: event.id,
            conversation: header.conversation,
            log: header.log,
            sequence: header.sequence,
            time: header.time,
            effective: effective,
            content: content
        )
    }

    /// Reads rows of `columns`.
    static func all(_ statement: Prepared, _ db: Database) throws -> [ShownMessage] {
        defer { statement.reset() }
        var found: [ShownMessage] = []
        while try statement.next() {
            let event = try EventTable.event(statement)
            let content = try MessageReader(db, conversation: statement.integer(7))
                .content(event, flags: MessageTable.Flags(rawValue: statement.integer(5)), log: statement.integer(6))
            found.append(ShownMessage(event, effective: statement.bits(4), content: content))
        }
        return found
    }
}
