import ParlanceWire

/// What a room works with while it decides about one input: the moment, chance, the table of deadlines, what will be written
/// and what the shell is to do. It is passed `inout`; no room keeps it.
struct Turn: Equatable, Sendable {
    var own: OwnNode
    var now: Instant
    var random: SeededGenerator
    var deadlines = Deadlines()
    /// What will be the next transaction.
    var batch = PendingBatch(id: BatchID(0))
    private var effects: [Effect] = []
    private var lastNumber: UInt64 = 0

    init(_ own: OwnNode, seed: UInt64, at now: Instant) {
        self.own = own
        random = SeededGenerator(seed: seed)
        self.now = now
    }

    /// A number that no effect of this engine has had.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func emit(_ effect: Effect) {
        effects.append(effect)
    }

    /// Answers a command with an error; nothing was changed.
    mutating func fail(_ id: CommandID, _ code: CommandError.Code, _ message: String, _ advice: String) {
        emit(.answer(id, .failure(CommandError(code, message, advice: advice))))
    }

    /// What was to be done so far, in order.
    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    // What will be written.

    mutating func whenDurable(_ followup: PendingBatch.Followup) {
        batch.after.append(followup)
        batch.isUrgent = true
    }

    /// Marks a peer's row to be written.
    mutating func save(_ peer: PeerID, lazily: Bool = false) {
        batch.peers.insert(peer)
        if lazily { saveLazily() } else { batch.isUrgent = true }
    }

    /// Rows that only save work after a restart wait up to this long for a batch that goes anyway.
    mutating func saveLazily() {
        deadlines.advance(.lazyRows, to: now.monotonic + Self.lazyMilliseconds)
    }

    private static var lazyMilliseconds: Int64 { 20 }
}
