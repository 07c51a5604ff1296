import GRDB
package import ParlanceCore
import ParlanceWire

/// A conversation as a list shows it.
package struct ConversationSummary: Equatable, Sendable {
    package var record: ConversationRecord
    /// The last message in the order shown; `nil` in an empty conversation.
    package var lastMessage: ShownMessage?
    /// Messages of others that have not been read.
    package var unread: Int
    /// Messages shown.
    package var messages: Int

    /// When the last message was written, by its author's clock, in milliseconds since 1970.
    package var lastActivity: Int64? { lastMessage?.time.milliseconds }
}

extension Store {
    /// All conversations, the latest active first, then those without messages.
    package func conversations() throws(StoreError) -> [ConversationSummary] {
        try read { db in
            let counts = try Self.counts(db)
            let summaries = try ConversationTable.all(db).map { row, record in
                ConversationSummary(
                    record: record,
                    lastMessage: try Self.page(db, row, before: nil, limit: 1).last,
                    unread: counts[row]?.unread ?? 0,
                    messages: counts[row]?.shown ?? 0
                )
            }
            return summaries.sorted { a, b in
                let (left, right) = (a.lastMessage, b.lastMessage)
                switch (left, right) {
                case (let left?, let right?): return (left.effective, left.id) > (right.effective, right.id)
                case (_?, nil): return true
                case (nil, _?): return false
                case (nil, nil): return a.record.id < b.record.id
                }
            }
        }
    }

    private static func counts(_ db: Database) throws -> [Int64: (unread: Int, shown: Int)] {
        let statement = Prepared(
            try db.cachedStatement(
                sql: "SELECT conversation, total(unread), total(shown) FROM log GROUP BY conversation"
            )
        )
        defer { statement.reset() }
        var counts: [Int64: (unread: Int, shown: Int)] = [:]
        while try statement.next() {
            counts[statement.integer(0)] = (Int(statement.integer(1)), Int(statement.integer(2)))
        }
        return counts
    }
}
