import GRDB
import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

// Reading history.
extension Store {
    /// A page of a conversation: the newest messages, or those before a message.
    ///
    /// - Parameters:
    ///   - before: a message of the conversation. An unknown one gives an empty page.
    ///   - overlay: messages to show in addition to the projected ones; they are never unread.
    package func page(
        of conversation: ConversationID,
        before: EventID? = nil,
        limit: Int,
        overlay: HistoryOverlay = HistoryOverlay()
    ) throws(StoreError) -> HistoryPage {
        let marks = pageMarks
        let page: HistoryPage = try read { db in
            guard let found = try ConversationTable.find(conversation, db) else { return HistoryPage() }
            var page = HistoryPage()
            page.summary = try summary(ofRow: found.row, db)
            var others = try Self.messages(overlay, found, db)
            var place: (effective: UInt64, id: EventID)?
            if let before {
                let known =
                    try marks.effective(of: before, in: conversation) ?? Self.effective(of: before, found.row, db)
                guard let effective = known ?? others.first(where: { $0.id == before })?.effective else { return page }
                place = (effective, before)
                others.removeAll { ($0.effective, $0.id) >= (effective, before) }
            }
            page.messages = try Self.page(db, found.row, before: place, limit: limit)
            page.unread = try unread(among: page.messages, found.row, db)
            guard !others.isEmpty else { return page }
            let all = (page.messages + others).sorted { ($0.effective, $0.id) < ($1.effective, $1.id) }
            page.messages = all.suffix(max(0, limit))
            return page
        }
        if let oldest = page.messages.first { marks.remember(oldest.id, effective: oldest.effective, in: conversation) }
        return page
    }

    /// The messages of a page.
    package func history(
        _ conversation: ConversationID,
        before: EventID? = nil,
        limit: Int,
        overlay: HistoryOverlay = HistoryOverlay()
    ) throws(StoreError) -> [ShownMessage] {
        try page(of: conversation, before: before, limit: limit, overlay: overlay).messages
    }

    /// Those of projected messages that `LogProgress` counts as unread.
    func unread(among messages: [ShownMessage], _ conversationRow: Int64, _ db: Database) throws -> Set<EventID> {
        let read = Dictionary(try LogTable.readMarks(conversationRow, db).map { ($0.log, $0.read) }) { $1 }
        let unread = messages.filter { message in
            message.log.author != identity && message.sequence > read[message.log] ?? 0 && message.note == nil
                && message.rich?.deletion == nil
        }
        return Set(unread.map(\.id))
    }

    static func page(
        _ db: Database,
        _ conversationRow: Int64,
        before: (effective: UInt64, id: EventID)?,
        limit: Int,
        without flags: LineFlags = []
    ) throws -> [ShownMessage] {
        let place = before == nil ? "" : "AND (message.effective, message.id) < (?3, ?4)"
        let sql = """
            SELECT \(ShownMessage.columns) FROM message CROSS JOIN event
            ON event.log = message.log AND event.sequence = message.sequence
            WHERE message.conversation = ?1 \(place) AND message.flags & ?5 = 0
            ORDER BY message.effective DESC, message.id DESC LIMIT ?2
            """
        let rows = try db.prepared(sql, conversationRow, max(0, limit), before?.effective, before?.id, flags)
        return try ShownMessage.all(rows, db).reversed()
    }

    /// Finds the effective time of a message by its ID, scanning from the newest.
    static func effective(of id: EventID, _ conversationRow: Int64, _ db: Database) throws -> UInt64? {
        let sql = "SELECT effective FROM message WHERE conversation = ? AND id = ? ORDER BY effective DESC LIMIT 1"
        return try db.prepared(sql, conversationRow, id).first { $0.bits(0) }
    }

    /// The number of messages shown, without notes, in one conversation or in all.
    package func messageCount(in conversation: ConversationID? = nil) throws(StoreError) -> Int {
        try read { db in
            guard let conversation else { return try Int.fetchOne(db, sql: "SELECT total(shown) FROM log") ?? 0 }
            let row = try ConversationTable.row(of: conversation, db)
            return try Int.fetchOne(db, sql: "SELECT total(shown) FROM log WHERE conversation = ?", arguments: [row])
                ?? 0
        }
    }
}
