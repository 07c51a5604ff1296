import ParlanceWire

/// What the engine keeps of a log: positions and times, but no texts.
struct LogState: Equatable, Sendable {
    /// Verified and handed to the store. Not told to peers.
    private(set) var held: Clock.Entry
    /// Synced to disk. Only this entry is told to peers.
    private(set) var durable: Clock.Entry
    /// The time of the last held event.
    private(set) var time: EventTime
    /// The time of the last durable event. `time` returns to it if a batch fails.
    private(set) var durableTime: EventTime
    /// The last position that the store has applied. Our events may name only applied events as dependencies.
    private(set) var applied: LogPosition
    /// The last sequence that our events have named as a dependency.
    private(set) var namedThrough: UInt64
    /// The last sequence that an applied event refers to. An event that names the referring event need not name this
    /// log too. It is not stored: it is 0 after a start and rises with the events applied since.
    private(set) var coveredThrough: UInt64 = 0
    /// Since when the log has held an event that cannot be applied, in monotonic milliseconds; `nil` if all are
    /// applied.
    private(set) var waitsSince: Int64?
    /// The value that `namedThrough` returns to if a batch fails.
    private(set) var durableNamedThrough: UInt64

    init() {
        held = Clock.Entry(position: .start)
        durable = held
        time = EventTime(raw: 0)
        durableTime = time
        applied = .start
        namedThrough = 0
        durableNamedThrough = 0
    }

    /// Whether an event on disk cannot be applied yet.
    var waits: Bool { durable.position.sequence > applied.sequence }

    /// A branch of which no event is held yet.
    init(startingAt base: LogPosition) {
        self.init()
        held.position = base
        durable.position = base
        applied = base
    }

    init(_ record: LogRecord) {
        held = Clock.Entry(position: record.position)
        durable = Clock.Entry(position: record.position)
        time = record.time
        durableTime = record.time
        applied = record.applied
        namedThrough = record.namedThrough
        durableNamedThrough = record.namedThrough
        setMissing(record.missingBodies)
    }

    mutating func hold(through position: LogPosition, at time: EventTime) {
        held.position = position
        self.time = time
    }

    mutating func persist(through position: LogPosition, at time: EventTime) {
        durable.position = position
        durableTime = time
    }

    /// Sets the sequences whose bodies are missing. Sequences that are not durable are ignored.
    mutating func setMissing(_ sequences: [UInt64]) {
        durable.missing = sequences.filter { $0 <= durable.position.sequence }
    }

    mutating func apply(through position: LogPosition) { applied = position }

    /// Returns to the state on disk after a batch failed.
    mutating func takeBack() {
        held = durable
        time = durableTime
        namedThrough = durableNamedThrough
    }

    // Naming dependencies.

    mutating func name(through sequence: UInt64) { namedThrough = sequence }

    mutating func persistNamed(through sequence: UInt64) { durableNamedThrough = sequence }

    /// Notes that an applied event refers to the log.
    mutating func cover(through sequence: UInt64) { coveredThrough = max(coveredThrough, sequence) }

    /// Restarts naming for a new replica. It need not name what the previous replica named: it names that replica's
    /// log.
    mutating func beginNaming() {
        coveredThrough = max(coveredThrough, durableNamedThrough)
        namedThrough = 0
        durableNamedThrough = 0
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
        beyond.durable.missing.removeAll { $0 <= base.sequence }
        if beyond.applied.sequence < base.sequence { beyond.applied = base }
        var rest = LogState(startingAt: base)
        rest.setMissing(durable.missing)
        rest.applied = applied.sequence > base.sequence ? base : applied
        rest.waitsSince = waitsSince
        rest.namedThrough = min(namedThrough, base.sequence)
        rest.durableNamedThrough = rest.namedThrough
        self = rest
        return beyond
    }
}
