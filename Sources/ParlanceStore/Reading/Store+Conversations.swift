import GRDB
import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

/// A conversation in the form that a list shows.
package struct ConversationSummary: Equatable, Sendable {
    package var record: ConversationRecord
    /// The last message in the order shown, or the last note if there is no message; `nil` in an empty conversation.
    package var lastMessage: ShownMessage?
    /// The number of unread messages of others, without deleted ones.
    package var unread: Int
    /// The number of those that mention the owner of the store.
    package var mentions: Int
    /// The number of messages shown, including tombstones of deleted ones.
    package var messages: Int

    /// When the last message was written, by its author's clock, in milliseconds since 1970.
    package var lastActivity: WrittenTime? { lastMessage?.time }
}

extension Store {
    /// All conversations, the most recently active first, then those without anything shown.
    package func conversations() throws(StoreError) -> [ConversationSummary] {
        try read { db in
            let counts = try Self.counts(db)
            let summaries = try ConversationTable.all(db).map { row, record in
                try Self.summary(of: record, row, counts[row] ?? Counts(), db)
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

    /// One conversation, or `nil` if the store does not have it.
    package func summary(of id: ConversationID) throws(StoreError) -> ConversationSummary? {
        try read { db in try ConversationTable.row(of: id, db).flatMap { try summary(ofRow: $0, db) } }
    }

    func summary(ofRow row: Int64, _ db: Database) throws -> ConversationSummary? {
        guard let record = try ConversationTable.all(db).first(where: { $0.row == row })?.record else { return nil }
        return try Self.summary(of: record, row, Self.counts(db)[row] ?? Counts(), db)
    }

    private static func summary(
        of record: ConversationRecord,
        _ row: Int64,
        _ counts: Counts,
        _ db: Database
    ) throws -> ConversationSummary {
        // Without messages only notes can exist.
        let last = try page(db, row, before: nil, limit: 1, without: counts.shown == 0 ? [] : .note).last
        return ConversationSummary(
            record: record,
            lastMessage: last,
            unread: counts.unread,
            mentions: counts.mentions,
            messages: counts.shown
        )
    }

    private struct Counts {
        var unread = 0
        var mentions = 0
        var shown = 0
    }

    private static func counts(_ db: Database) throws -> [Int64: Counts] {
        let sql = "SELECT conversation, total(unread), total(mentions), total(shown) FROM log GROUP BY conversation"
        var counts: [Int64: Counts] = [:]
        try db.prepared(sql).each { row in
            counts[row.integer(0)] = Counts(
                unread: Int(row.integer(1)),
                mentions: Int(row.integer(2)),
                shown: Int(row.integer(3))
            )
        }
        return counts
    }
}
