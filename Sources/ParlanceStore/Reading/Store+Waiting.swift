import GRDB
import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

/// The result of reading the waiting messages of some logs.
package struct WaitingMessages: Equatable, Sendable {
    /// In the order shown.
    package var messages: [ShownMessage]
    /// Whether all waiting events were examined, not only the first ones.
    package var isWhole: Bool
}

extension Store {
    /// The messages of waiting logs, to be shown provisionally.
    package func waitingMessages(
        of logs: Set<LogID>,
        in conversation: ConversationID
    ) throws(StoreError) -> WaitingMessages {
        try read { db in
            guard !logs.isEmpty, let found = try ConversationTable.find(conversation, db) else {
                return WaitingMessages(messages: [], isWhole: true)
            }
            var provisional = try Provisional(ReaderTables(db), conversation: found)
            let messages = try provisional.messages(of: logs)
            return WaitingMessages(
                messages: messages.sorted { ($0.effective, $0.id) < ($1.effective, $1.id) },
                isWhole: provisional.isWhole
            )
        }
    }

    /// Whether an event is held and not applied whose ID begins with a prefix in text form.
    package func isWaiting(idPrefix typed: String) throws(StoreError) -> Bool {
        guard let range = Self.range(ofPrefix: typed, as: EventID.self) else { return false }
        return try read { db in
            let sql = """
                SELECT 1 FROM log CROSS JOIN event ON event.log = log.id AND event.sequence > log.applied
                WHERE log.applied < log.sequence AND event.id BETWEEN ? AND ?
                """
            return try db.prepared(sql, range.lowerBound, range.upperBound).exists()
        }
    }
}
