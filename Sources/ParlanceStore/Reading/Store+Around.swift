import GRDB
import ParlanceRecords
package import ParlanceWire

/// A page of a conversation with a message in the middle.
package struct AroundPage: Equatable, Sendable {
    package var page: HistoryPage
    /// The index of the message in the page.
    package var place: Int
    package var hasOlder: Bool
    package var hasNewer: Bool
}

extension Store {
    /// A message with those before and after it, as many of each if there are enough; `nil` if the conversation does not
    /// show it.
    package func page(
        of conversation: ConversationID,
        around message: EventID,
        limit: Int,
        overlay: HistoryOverlay = HistoryOverlay()
    ) throws(StoreError) -> AroundPage? {
        try read { db in
            guard let found = try ConversationTable.find(conversation, db) else { return nil }
            let others = try Self.messages(overlay, found, db)
            let known = try Self.effective(of: message, found.row, db)
            guard let effective = known ?? others.first(where: { $0.id == message })?.effective else { return nil }
            let older = try Self.page(db, found.row, before: (effective, message), limit: limit)
            let newer = try Self.page(db, found.row, from: (effective, message), limit: limit + 1)
            let all = (older + newer + others).sorted { ($0.effective, $0.id) < ($1.effective, $1.id) }
            guard let place = all.firstIndex(where: { $0.id == message }) else { return nil }
            let (before, after) = (place, all.count - place - 1)
            let taken = max(0, limit - 1)
            let newerTaken = min(after, max(taken / 2, taken - before))
            let first = max(0, place - (taken - newerTaken))
            let shown = Array(all[first...(place + newerTaken)])
            var page = HistoryPage()
            page.summary = try summary(ofRow: found.row, db)
            page.messages = shown
            let projected = shown.filter { message in !others.contains { $0.id == message.id } }
            page.unread = try unread(among: projected, found.row, db)
            return AroundPage(
                page: page,
                place: place - first,
                hasOlder: first > 0,
                hasNewer: newerTaken < after
            )
        }
    }

    /// What is shown from a message on, in order.
    private static func page(
        _ db: Database,
        _ conversationRow: Int64,
        from message: (effective: UInt64, id: EventID),
        limit: Int
    ) throws -> [ShownMessage] {
        let sql = """
            SELECT \(ShownMessage.columns) FROM message CROSS JOIN event
            ON event.log = message.log AND event.sequence = message.sequence
            WHERE message.conversation = ? AND (message.effective, message.id) >= (?, ?)
            ORDER BY message.effective, message.id LIMIT ?
            """
        let rows = try db.prepared(sql, conversationRow, message.effective, message.id, max(0, limit))
        return try ShownMessage.all(rows, db)
    }
}
