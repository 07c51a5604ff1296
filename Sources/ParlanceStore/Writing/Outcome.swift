import ParlanceCore
import ParlanceWire

/// What a transaction projects, gathered for its receipt, and what it has to look at again before it ends.
struct Outcome {
    private var moved: [LogEntry] = []
    private var movedRows: Set<Int64> = []
    /// `nil`: it came and went.
    private var shown: [ShownMessage?] = []
    /// Where messages that were shown are in `shown`; filled when it is needed.
    private var places: [EventID: Int]?
    private var withdrawn: [EventID] = []
    private var changed: [ShownMessage] = []
    /// A rebuild shows nothing new, so it gathers nothing.
    var gathers = true

    /// Messages and notes whose rows may have to be others now.
    private(set) var touched: [(entry: LogEntry, sequence: UInt64)] = []
    private var touchedPlaces: Set<Place> = []
    /// Logs whose missing bodies are others now.
    private(set) var missing: [LogEntry] = []
    private var missingRows: Set<Int64> = []
    /// Logs whose branches came into sight.
    var forks: Set<LogKey> = []
    /// What groups were called before, where that may be different now.
    var labels: [ConversationID: (before: GroupLabel, row: Int64)] = [:]

    mutating func applied(_ entry: LogEntry) {
        guard gathers, moved.last !== entry, movedRows.insert(entry.row).inserted else { return }
        moved.append(entry)
    }

    mutating func touch(_ entry: LogEntry, _ sequence: UInt64) {
        guard touchedPlaces.insert(Place(log: entry.row, sequence: sequence)).inserted else { return }
        touched.append((entry, sequence))
    }

    mutating func missingChanged(_ entry: LogEntry) {
        guard gathers, missingRows.insert(entry.row).inserted else { return }
        missing.append(entry)
    }

    mutating func show(_ message: @autoclosure () -> ShownMessage) {
        if gathers { shown.append(message()) }
    }

    /// A message was looked at again.
    ///
    /// - Parameters:
    ///   - hadRow: whether there was a row of it, made in this transaction or before.
    ///   - now: `nil` if there is none any more.
    mutating func settled(_ id: EventID, hadRow: Bool, now: ShownMessage?) {
        guard gathers else { return }
        let places = self.places ?? index()
        self.places = places
        if let place = places[id] {
            shown[place] = now
        } else if let now {
            if hadRow { changed.append(now) } else { shown.append(now) }
        } else if hadRow {
            withdrawn.append(id)
        }
    }

    private func index() -> [EventID: Int] {
        var index: [EventID: Int] = [:]
        for (place, message) in shown.enumerated() {
            if let message { index[message.id] = place }
        }
        return index
    }

    func receipt() -> PersistReceipt {
        var receipt = PersistReceipt()
        receipt.applied = moved.map {
            AppliedLog(conversation: $0.key.conversation, log: $0.key.log, position: $0.applied)
        }
        receipt.shown = shown.compactMap { $0 }
        receipt.withdrawn = withdrawn
        receipt.changed = changed
        return receipt
    }
}
