import ParlanceControl
import ParlanceTerminal

/// The rows of messages, so that a change of one does not lay out all.
struct RowCache: Sendable {
    /// Everything on which the rows of a message depend, besides the width.
    struct Face: Equatable, Sendable {
        var message: MessageInfo
        var status: StyledText?
        var follows: Bool
        /// Whether all its rows are shown, however many they are.
        var isWhole = false
    }

    private(set) var width = 0
    private var names = 0
    private var known: [String: (face: Face, rows: [HistoryRow])] = [:]
    private var used: [String: (face: Face, rows: [HistoryRow])] = [:]

    mutating func begin(width: Int, names: Int) {
        if width != self.width || names != self.names { known = [:] }
        (self.width, self.names) = (width, names)
    }

    mutating func rows(_ face: Face, _ make: () -> [HistoryRow]) -> [HistoryRow] {
        let id = face.message.id
        let old = known[id].flatMap { $0.face == face ? $0.rows : nil }
        let rows = old ?? make()
        used[id] = (face, rows)
        return rows
    }

    /// Forgets what was not used.
    mutating func end() {
        known = used
        used.removeAll(keepingCapacity: true)
    }
}
