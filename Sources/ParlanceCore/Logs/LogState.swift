import ParlanceRecords
import ParlanceWire

/// What the engine keeps of a log: positions and times, but no texts.
struct LogState: Equatable, Sendable {
    /// Verified and handed to the store. Not told to peers.
    var held: LogPosition { current.position }
    /// Synced to disk. Only this entry is told to peers.
    var durable: Clock.Entry { Clock.Entry(position: stored.position, missing: missing, floor: floor) }
    /// The time of the last held event.
    var time: EventTime { current.time }
    /// The last position that the store has applied. Our events may name only applied events as dependencies.
    private(set) var applied: LogPosition
    /// The last sequence that our events have named as a dependency.
    var namedThrough: UInt64 { current.namedThrough }
    /// The last sequence that an applied event refers to. An event that names the referring event need not name this
    /// log too. It is not stored: it is 0 after a start and rises with the events applied since.
    private(set) var coveredThrough: UInt64 = 0
    /// Since when the log has held an event that cannot be applied, in monotonic milliseconds; `nil` if all are
    /// applied.
    private(set) var waitsSince: Int64?
    /// The durable sequences that are held without a body.
    private var missing: [UInt64] = []
    /// Sequences of an own log that a peer has asked for, and whose bodies are gone: a deletion that this node holds removed
    /// them, and the peer need not know that deletion. Not stored: the peer asks again after a start.
    private(set) var gone = SortedSet<UInt64>()
    /// Through here the store has removed the bodies of messages and edits, because of their age.
    private var floor: UInt64 = 0
    /// Through here the user has cleared the log: what is still above the floor goes when it may.
    private(set) var cleared: UInt64 = 0
    private var current: Row
    private var disk = Disk.same

    /// What a batch changes, and what returns to the state on disk if the batch fails.
    private struct Row: Equatable {
        var position: LogPosition
        var time: EventTime
        var namedThrough: UInt64
    }

    /// What is on disk. It is kept by itself only while a batch is on its way: a large group has many logs.
    private indirect enum Disk: Equatable {
        case same
        case behind(Row)
    }

    private var stored: Row {
        get {
            switch disk {
            case .same: current
            case .behind(let row): row
            }
        }
        set { disk = newValue == current ? .same : .behind(newValue) }
    }

    /// A log, or a branch, of which no event is held yet.
    init(startingAt base: LogPosition = .start) {
        current = Row(position: base, time: EventTime(raw: 0), namedThrough: 0)
        applied = base
    }

    init(_ record: LogRecord) {
        current = Row(position: record.position, time: record.time, namedThrough: record.namedThrough)
        applied = record.applied
        setMissing(record.missingBodies)
        (floor, cleared) = (record.floor, record.cleared)
    }

    /// Whether an event on disk cannot be applied yet.
    var waits: Bool { stored.position.sequence > applied.sequence }

    /// Changes what is held, and not what is on disk.
    private mutating func change(_ body: (inout Row) -> Void) {
        let before = stored
        body(&current)
        stored = before
    }

    mutating func hold(through position: LogPosition, at time: EventTime) {
        invariant(position.sequence > held.sequence, "what is held of a log only grows")
        change { ($0.position, $0.time) = (position, time) }
    }

    mutating func persist(through position: LogPosition, at time: EventTime) {
        (stored.position, stored.time) = (position, time)
    }

    /// Sets the sequences whose bodies are missing. Sequences that are not durable are ignored.
    mutating func setMissing(_ sequences: [UInt64]) {
        invariant(zip(sequences, sequences.dropFirst()).allSatisfy(<), "missing bodies are told in order, each once")
        missing = sequences.filter { $0 <= stored.position.sequence }
    }

    /// - Returns: whether that was not known.
    mutating func noteGone(_ sequence: UInt64) -> Bool { gone.insert(sequence) }

    /// Bodies were removed through a sequence, or are to be.
    mutating func raiseFloor(to sequence: UInt64, cleared end: UInt64) {
        floor = max(floor, min(sequence, stored.position.sequence))
        cleared = max(cleared, min(end, stored.position.sequence))
    }

    /// Whether something that was cleared is still here.
    var isClearing: Bool { floor < cleared }

    mutating func apply(through position: LogPosition) { applied = position }

    /// What must hold between transactions.
    func check() {
        let (held, durable) = (held.sequence, stored.position.sequence)
        invariant(held >= durable, "what is held is not behind what is durable")
        invariant(durable < held || stored.position == self.held, "what is held continues what is durable")
        invariant(applied.sequence <= durable, "only what is durable is applied")
        invariant(
            applied.sequence < durable || applied == stored.position,
            "what is applied is the log that is durable"
        )
        invariant(missing.allSatisfy { (1...durable).contains($0) }, "a missing body is of a durable event")
        invariant(floor <= durable, "a floor is not above what is durable")
        invariant(cleared <= durable, "nothing is cleared beyond what is durable")
        invariant(missing.allSatisfy { $0 > floor }, "a body that age removed is not missed")
        invariant(stored.namedThrough <= namedThrough, "what events name is not behind what is durable of it")
        invariant(namedThrough <= applied.sequence, "events name only what is applied")
    }

    /// Returns to the state on disk after a batch failed.
    mutating func takeBack() {
        current = stored
        disk = .same
    }

    // Naming dependencies.

    mutating func name(through sequence: UInt64) { change { $0.namedThrough = sequence } }

    mutating func persistNamed(through sequence: UInt64) { stored.namedThrough = sequence }

    /// Notes that an applied event refers to the log.
    mutating func cover(through sequence: UInt64) { coveredThrough = max(coveredThrough, sequence) }

    /// Forgets what events refer to that no event of ours has named.
    mutating func uncover() { coveredThrough = namedThrough }

    /// Restarts naming for a new replica. It need not name what the previous replica named: it names that replica's
    /// log.
    mutating func beginNaming() {
        coveredThrough = max(coveredThrough, stored.namedThrough)
        name(through: 0)
        persistNamed(through: 0)
    }

    // Waiting.

    /// - Parameter moment: since when, in monotonic milliseconds; `nil` if the log does not wait.
    mutating func wait(since moment: Int64?) { waitsSince = moment }

    /// Whether the log has waited so long that its messages are shown provisionally.
    func hasWaitedLong(at now: Int64) -> Bool {
        waitsSince.map { now - $0 >= Limits.provisionalMilliseconds } ?? false
    }

    func isOverdue(at now: Int64) -> Bool { waits && hasWaitedLong(at: now) }

    /// Ends the log at the base of a fork.
    ///
    /// - Returns: the state of the events held beyond the base, which belong to a branch.
    mutating func part(at base: LogPosition) -> LogState {
        var beyond = self
        beyond.missing.removeAll { $0 <= base.sequence }
        invariant(held.sequence > base.sequence, "a log is parted before its end")
        if beyond.applied.sequence < base.sequence { beyond.applied = base }
        var rest = LogState(startingAt: base)
        if beyond.floor <= base.sequence { beyond.floor = 0 }
        if beyond.cleared <= base.sequence { beyond.cleared = 0 }
        rest.setMissing(missing)
        rest.floor = min(floor, base.sequence)
        rest.cleared = min(cleared, base.sequence)
        rest.applied = applied.sequence > base.sequence ? base : applied
        rest.waitsSince = waitsSince
        rest.current.namedThrough = min(namedThrough, base.sequence)
        self = rest
        return beyond
    }
}
