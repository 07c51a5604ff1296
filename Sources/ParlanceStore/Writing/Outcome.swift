import ParlanceCore
import ParlanceWire

/// What a transaction under way has gathered: the rows to write, what it projected, for its receipt, and what it has to look
/// at again before it ends. It is passed to whatever adds to it, and ends with the transaction.
struct Outcome {
    /// Logs whose rows are to be written at the end.
    private(set) var dirty: [LogEntry] = []
    /// Logs whose next event may have become applicable, in the order in which that was found.
    var unblocked: [LogEntry] = []
    private var moved: [LogEntry] = []
    private var movedRows: Set<Int64> = []
    /// `nil`: it came and went.
    private var shown: [ShownMessage?] = []
    /// Where messages that were shown are in `shown`; filled when it is needed.
    private var places: [EventID: Int]?
    private var appliedChanges: [EventID] = []
    private var withdrawn: [EventID] = []
    private var changed: [ShownMessage] = []
    private var changedIDs: Set<EventID> = []
    /// A rebuild shows nothing new, so it gathers nothing.
    var gathers = true

    /// Messages and notes whose rows may have to be others now.
    private(set) var touched: [(entry: LogEntry, sequence: UInt64)] = []
    private var touchedPlaces: Set<Place> = []
    /// Those of them that were shown when they were touched first, as they were.
    var before: [Place: ShownMessage] = [:]
    /// Logs whose missing bodies may be others now, with those that were missing before.
    var missing: [Int64: (entry: LogEntry, before: [UInt64])] = [:]
    /// Logs whose branches came into sight.
    var forks: Set<LogKey> = []
    /// What groups were called before, where that may be different now.
    var labels: [ConversationID: (before: GroupLabel, row: Int64)] = [:]

    mutating func markDirty(_ entry: LogEntry) {
        guard !entry.isDirty else { return }
        entry.isDirty = true
        dirty.append(entry)
    }

    mutating func applied(_ entry: LogEntry) {
        guard gathers, moved.last !== entry, movedRows.insert(entry.row).inserted else { return }
        moved.append(entry)
    }

    /// - Returns: whether it was not among them.
    @discardableResult
    mutating func touch(_ entry: LogEntry, _ sequence: UInt64) -> Bool {
        guard touchedPlaces.insert(Place(log: entry.row, sequence: sequence)).inserted else { return false }
        touched.append((entry, sequence))
        return true
    }

    /// A membership event is applied.
    mutating func applied(change id: EventID) {
        if gathers { appliedChanges.append(id) }
    }

    mutating func show(_ message: @autoclosure () -> ShownMessage) {
        if gathers { shown.append(message()) }
    }

    /// A message was looked at again.
    ///
    /// - Parameters:
    ///   - wasShown: whether people saw it before this transaction.
    ///   - isSame: whether they see the same now.
    ///   - now: `nil` if it is not shown any more.
    mutating func settled(_ id: EventID, wasShown: Bool, isSame: Bool = false, now: ShownMessage?) {
        guard gathers else { return }
        if places == nil { places = index() }
        if let place = places?[id] {
            shown[place] = now
        } else if isSame {
            return
        } else if let now {
            if !wasShown {
                places?[id] = shown.count
                shown.append(now)
            } else if changedIDs.insert(id).inserted {
                changed.append(now)
            }
        } else if wasShown {
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
        receipt.appliedChanges = appliedChanges
        receipt.shown = shown.compactMap { $0 }
        receipt.withdrawn = withdrawn
        receipt.changed = changed
        return receipt
    }
}
