import GRDB
package import ParlanceRecords
package import ParlanceWire

// Reading history forwards, for whoever reads a whole conversation.
extension Store {
    /// A page of a conversation: the messages after a message, or its oldest ones.
    ///
    /// - Parameters:
    ///   - after: a message of the conversation, `nil` for the oldest page. An unknown one gives an empty page.
    ///   - overlay: messages to show in addition to the projected ones; they are never unread.
    package func page(
        of conversation: ConversationID,
        after: EventID?,
        limit: Int,
        overlay: HistoryOverlay = HistoryOverlay()
    ) throws(StoreError) -> HistoryPage {
        let marks = pageMarks
        return try read { db in
            guard let found = try ConversationTable.find(conversation, db) else { return HistoryPage() }
            var page = HistoryPage()
            page.summary = try summary(ofRow: found.row, db)
            var others = try Self.messages(overlay, found, db)
            var place: (effective: UInt64, id: EventID) = (0, EventID(value: .zero))
            if let after {
                let known =
                    try marks.effective(of: after, in: conversation) ?? Self.effective(of: after, found.row, db)
                guard let effective = known ?? others.first(where: { $0.id == after })?.effective else { return page }
                place = (effective, after)
                others.removeAll { ($0.effective, $0.id) <= place }
            }
            page.messages = try Self.page(db, found.row, after: place, limit: limit)
            page.unread = try unread(among: page.messages, found.row, db)
            guard !others.isEmpty else { return page }
            let all = (page.messages + others).sorted { ($0.effective, $0.id) < ($1.effective, $1.id) }
            page.messages = Array(all.prefix(max(0, limit)))
            return page
        }
    }

    /// Remembers where a page ended, so that the next one is found without a search, and also if the message has been
    /// withdrawn by then.
    package func remember(_ message: ShownMessage) {
        pageMarks.remember(message.id, effective: message.effective, in: message.conversation)
    }

    package func remembers(_ message: EventID, in conversation: ConversationID) -> Bool {
        pageMarks.effective(of: message, in: conversation) != nil
    }

    private static func page(
        _ db: Database,
        _ conversationRow: Int64,
        after place: (effective: UInt64, id: EventID),
        limit: Int
    ) throws -> [ShownMessage] {
        let sql = """
            SELECT \(ShownMessage.columns) FROM message CROSS JOIN event
            ON event.log = message.log AND event.sequence = message.sequence
            WHERE message.conversation = ? AND (message.effective, message.id) > (?, ?)
            ORDER BY message.effective, message.id LIMIT ?
            """
        return try ShownMessage.all(db.prepared(sql, conversationRow, place.effective, place.id, max(0, limit)), db)
    }
}
