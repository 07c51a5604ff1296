import ParlanceRecords
import ParlanceWire

/// What a transaction gathers: rows to write, projections for its receipt, and events to examine again before it ends.
/// It is passed to everything that adds to it, and ends with the transaction.
package struct Outcome {
    /// Logs whose rows must be written at the end.
    private(set) var dirty: [LogProgress] = []
    /// Logs whose next event may have become applicable, in the order of discovery.
    var unblocked: [LogProgress] = []
    private var moved: [LogProgress] = []
    private var movedRows: Set<Int64> = []
    /// `nil` for a message that was shown and removed in the same transaction.
    private var shown: [ShownMessage?] = []
    /// The indexes of messages in `shown`; computed when first needed.
    private var places: [EventID: Int]?
    private var appliedChanges: [EventID] = []
    private var withdrawn: [EventID] = []
    private var changed: [ShownMessage] = []
    private var changedIDs: Set<EventID> = []
    private var voided: [EventID: ShownMessage] = [:]
    /// `false` during a rebuild, which shows nothing new.
    package var gathers = true

    package init() {}

    /// Messages and notes whose rows may have to change.
    private(set) var touched: [(entry: LogProgress, sequence: UInt64)] = []
    private var touchedPlaces: Set<Place> = []
    /// The touched messages that were shown when first touched, as they were then.
    var before: [Place: ShownMessage] = [:]
    /// Logs whose missing bodies may have changed, with those that were missing before.
    var missing: [Int64: (entry: LogProgress, before: [UInt64])] = [:]
    /// Bytes of the bodies that were filled in, of each log.
    var filled: [LogKey: Int] = [:]
    /// Logs of which texts were removed, or are to be removed.
    private(set) var floors: [Int64: LogFloor] = [:]
    /// Logs with a branch whose first event was applied.
    var forks: Set<LogKey> = []
    /// The previous titles and topics of groups, where they may have changed.
    var labels: [ConversationID: (before: GroupLabel, row: Int64)] = [:]
    /// What was said before about how long messages stay, where something may have been said.
    var lifetimes: [ConversationID: (before: LifetimeTerms, row: Int64)] = [:]

    mutating func markDirty(_ entry: LogProgress) {
        guard !entry.isDirty else { return }
        entry.isDirty = true
        dirty.append(entry)
    }

    mutating func applied(_ entry: LogProgress) {
        guard gathers, moved.last !== entry, movedRows.insert(entry.row).inserted else { return }
        moved.append(entry)
    }

    /// - Returns: whether it was not touched before.
    @discardableResult
    mutating func touch(_ entry: LogProgress, _ sequence: UInt64) -> Bool {
        guard touchedPlaces.insert(Place(log: entry.row, sequence: sequence)).inserted else { return false }
        touched.append((entry, sequence))
        return true
    }

    /// Records that a membership event is applied.
    mutating func applied(change id: EventID) {
        if gathers { appliedChanges.append(id) }
    }

    mutating func show(_ message: @autoclosure () -> ShownMessage) {
        guard gathers else { return }
        let message = message()
        places?[message.id] = shown.count
        shown.append(message)
    }

    /// Records the result of examining a message again.
    ///
    /// - Parameters:
    ///   - wasShown: whether it had a line before this transaction.
    ///   - wasVoid: whether its author alone saw it, since it did not count.
    ///   - isSame: whether its present form equals the previous one.
    ///   - now: the present form; `nil` if nobody sees it any longer.
    mutating func settled(
        _ id: EventID,
        wasShown: Bool,
        wasVoid: Bool = false,
        isSame: Bool = false,
        now: ShownMessage?
    ) {
        guard gathers else { return }
        if places == nil { places = index() }
        // If this transaction found it out, nobody was told.
        let wasVoid = wasVoid && voided[id] == nil
        let void = now?.isVoid == true ? now : nil
        let line = void == nil ? now : nil
        voided[id] = wasVoid ? nil : void
        if let place = places?[id] {
            shown[place] = line
        } else if isSame {
            return
        } else if let line {
            if !wasShown {
                places?[id] = shown.count
                shown.append(line)
            } else if changedIDs.insert(id).inserted {
                changed.append(line)
            }
        } else if void == nil, wasShown || wasVoid {
            withdrawn.append(id)
        }
    }

    /// Records a message of the user that does not count.
    mutating func void(_ message: ShownMessage) {
        if gathers { voided[message.id] = message }
    }

    /// Records that texts of a log were removed, or are to be.
    mutating func raised(_ floor: LogFloor, of entry: LogProgress) { floors[entry.row] = floor }

    /// Records a message that is no longer shown because its text was removed.
    mutating func removed(_ id: EventID, from entry: LogProgress) { floors[entry.row]?.removed.append(id) }

    private func index() -> [EventID: Int] {
        var index: [EventID: Int] = [:]
        for (place, message) in shown.enumerated() {
            if let message { index[message.id] = place }
        }
        return index
    }

    /// What the transaction tells of what it gathered.
    func receipt() -> PersistReceipt {
        var receipt = PersistReceipt()
        receipt.applied = moved.map {
            AppliedLog(conversation: $0.key.conversation, log: $0.key.log, position: $0.applied)
        }
        receipt.appliedChanges = appliedChanges
        receipt.shown = shown.compactMap { $0 }
        receipt.withdrawn = withdrawn
        receipt.voided = voided.values.sorted { ($0.effective, $0.id) < ($1.effective, $1.id) }
        receipt.changed = changed
        receipt.filled = filled
        receipt.floors = floors.sorted { $0.key < $1.key }.map(\.value)
        return receipt
    }
}

extension PersistReceipt {
    /// What must hold of what a batch tells.
    func check() {
        let (appeared, went) = (Set(shown.map(\.id)), Set(withdrawn))
        let (others, logs) = (Set(changed.map(\.id)), Set(applied.map { LogKey($0.conversation, $0.log) }))
        invariant(appeared.count == shown.count, "a batch shows a message once")
        invariant(went.count == withdrawn.count, "a batch withdraws a message once")
        invariant(others.count == changed.count, "a batch changes a message once")
        invariant(appeared.isDisjoint(with: went), "what a batch shows it does not withdraw")
        invariant(
            Set(voided.map(\.id)).isDisjoint(with: appeared.union(went)),
            "what does not count is told neither as shown nor as gone"
        )
        invariant(others.isDisjoint(with: appeared), "what a batch shows was not there to change")
        invariant(others.isDisjoint(with: went), "what a batch withdraws does not change")
        invariant(logs.count == applied.count, "a batch tells once how far a log is applied")
        invariant(Set(appliedChanges).count == appliedChanges.count, "a batch applies a change of members once")
        invariant(
            Set(missing.map { LogKey($0.conversation, $0.log) }).count == missing.count,
            "a batch tells the missing bodies of a log once"
        )
        invariant(Set(labels.map(\.conversation)).count == labels.count, "a batch tells the title of a group once")
        invariant(
            Set(lifetimes.map(\.conversation)).count == lifetimes.count,
            "a batch tells once how long the messages of a conversation stay"
        )
        invariant(
            floors.allSatisfy { Set($0.removed).count == $0.removed.count && went.isDisjoint(with: $0.removed) },
            "what age removes is told with its floor, once"
        )
    }
}
