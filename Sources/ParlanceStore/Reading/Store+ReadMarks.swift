import GRDB
import ParlanceHistory
import ParlanceRecords
package import ParlanceWire

// What the owner of this store has read, and what a page has shown.
extension Store {
    /// The end of each log in what is shown up to a message: what somebody has seen who read that far.
    ///
    /// - Parameter overlay: messages that are shown in addition to the projected ones.
    /// - Returns: `nil` if the conversation does not show the message.
    package func positions(
        through message: EventID,
        in conversation: ConversationID,
        overlay: HistoryOverlay = HistoryOverlay()
    ) throws(StoreError) -> [LogID: LogPosition]? {
        try read { db in
            guard let found = try ConversationTable.find(conversation, db) else { return nil }
            let row = found.row
            let projected = try Self.effective(of: message, row, db)
            let shown = try projected ?? Self.messages(overlay, found, db).first { $0.id == message }?.effective
            guard let effective = shown else { return nil }
            let later = try Self.firstShown(after: (effective, message), row, db)
            var positions: [LogID: LogPosition] = [:]
            for mark in try LogTable.readMarks(row, db) {
                guard let first = later[mark.row], first <= mark.applied.sequence else {
                    positions[mark.log] = mark.applied
                    continue
                }
                // What follows in this log was not seen.
                guard first > 1, let head = try EventTable.find(log: mark.row, sequence: first - 1, db)?.event.id
                else { continue }
                positions[mark.log] = LogPosition(sequence: first - 1, head: head)
            }
            return positions
        }
    }

    /// The first event of each log, by row, among the lines after a place.
    private static func firstShown(
        after place: (effective: UInt64, id: EventID),
        _ conversationRow: Int64,
        _ db: Database
    ) throws -> [Int64: UInt64] {
        let sql = """
            SELECT log, min(sequence) FROM message WHERE conversation = ? AND (effective, id) > (?, ?) GROUP BY log
            """
        var found: [Int64: UInt64] = [:]
        try db.prepared(sql, conversationRow, place.effective, place.id).each { found[$0.integer(0)] = $0.bits(1) }
        return found
    }
}
