import ParlanceCore
import ParlanceWire

/// What a transaction projects, gathered for its receipt.
struct Outcome {
    private var moved: [LogEntry] = []
    private var movedRows: Set<Int64> = []
    private var shown: [ShownMessage] = []
    private var withdrawn: [EventID] = []
    /// A rebuild shows nothing new, so it gathers nothing.
    var gathers = true

    mutating func applied(_ entry: LogEntry) {
        guard gathers, moved.last !== entry, movedRows.insert(entry.row).inserted else { return }
        moved.append(entry)
    }

    mutating func show(_ message: @autoclosure () -> ShownMessage) {
        if gathers { shown.append(message()) }
    }

    mutating func withdraw(_ id: EventID) {
        if gathers { withdrawn.append(id) }
    }

    /// What came and went within the transaction was never seen, and is in neither list.
    func receipt() -> PersistReceipt {
        var receipt = PersistReceipt()
        receipt.applied = moved.map {
            AppliedLog(conversation: $0.key.conversation, log: $0.key.log, position: $0.applied)
        }
        guard !withdrawn.isEmpty else {
            receipt.shown = shown
            return receipt
        }
        let gone = Set(withdrawn)
        let fresh = Set(shown.lazy.map(\.id))
        receipt.shown = shown.filter { !gone.contains($0.id) }
        receipt.withdrawn = withdrawn.filter { !fresh.contains($0) }
        return receipt
    }
}
