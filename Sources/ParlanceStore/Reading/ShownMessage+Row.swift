import ParlanceCore
import ParlanceWire

extension ShownMessage {
    /// The columns of `event` that a message is read from, and its effective time.
    static let columns = "event.id, event.header, event.body, event.signature, event.effective"

    /// Reads a message from a row of `columns`; `nil` if the event shows none.
    init?(_ row: Prepared) throws {
        let event = try EventTable.event(row)
        guard case .message(let text) = Projector.judge(event, after: nil) else { return nil }
        let header = event.header
        self.init(
            id: event.id,
            conversation: header.conversation,
            log: header.log,
            sequence: header.sequence,
            time: header.time,
            effective: row.bits(4),
            text: text
        )
    }

    static func all(_ statement: Prepared) throws -> [ShownMessage] {
        defer { statement.reset() }
        var found: [ShownMessage] = []
        while try statement.next() {
            if let message = try ShownMessage(statement) { found.append(message) }
        }
        return found
    }
}
