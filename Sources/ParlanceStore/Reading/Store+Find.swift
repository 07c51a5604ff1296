import GRDB
import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

extension Store {
    /// The minimum length of an ID prefix to search for: 20 bits.
    package static let shortestIDPrefix = 4

    /// Messages whose ID in text form begins with a prefix (in either case, at least 4 characters).
    ///
    /// This scans the narrow table of messages, which takes about 0.1 s for a million.
    ///
    /// - Parameters:
    ///   - limit: more than one match is ambiguous, so a few suffice.
    ///   - includingNotes: whether to include lines that describe changes of a group.
    package func findMessages(
        idPrefix typed: String,
        in conversation: ConversationID? = nil,
        limit: Int = 10,
        includingNotes: Bool = false
    ) throws(StoreError) -> [ShownMessage] {
        guard let range = Self.range(ofPrefix: typed, as: EventID.self) else { return [] }
        return try read { db in
            var row: Int64?
            if let conversation {
                row = try ConversationTable.row(of: conversation, db)
                if row == nil { return [] }
            }
            let bound = row == nil ? "" : "AND message.conversation = ?4"
            let sql = """
                SELECT \(ShownMessage.columns) FROM message CROSS JOIN event
                ON event.log = message.log AND event.sequence = message.sequence
                WHERE message.id BETWEEN ?1 AND ?2 AND message.flags & ?5 = 0 \(bound)
                ORDER BY message.conversation DESC, message.effective DESC, message.id DESC LIMIT ?3
                """
            let hidden: LineFlags = includingNotes ? [] : .note
            let rows = try db.prepared(sql, range.lowerBound, range.upperBound, max(0, limit), row, hidden)
            return try ShownMessage.all(rows, db)
        }
    }

    /// The range of IDs with a prefix: from the prefix followed by zeros to the prefix followed by ones.
    static func range<ID: Identifier32>(ofPrefix typed: String, as kind: ID.Type) -> ClosedRange<ID>? {
        let length = 52
        let count = typed.utf8.count
        guard (shortestIDPrefix...length).contains(count) else { return nil }
        // The last of the 52 characters holds one bit of the ID and four zeros: "a" or "q".
        let lowest = typed + String(repeating: "a", count: length - count)
        let highest = count == length ? typed : typed + String(repeating: "7", count: length - count - 1) + "q"
        guard let low = Base32.decode(lowest).flatMap({ ID($0) }),
            let high = Base32.decode(highest).flatMap({ ID($0) }), low <= high
        else { return nil }
        return low...high
    }
}
