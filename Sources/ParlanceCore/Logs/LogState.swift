import ParlanceWire

/// What the engine keeps of a log: two positions, and nothing of its texts.
struct LogState: Equatable, Sendable {
    /// Verified and handed to the store. Never told to anyone.
    private(set) var held: Clock.Entry
    /// Synced to disk. The only one that is ever told to anyone.
    private(set) var durable: Clock.Entry
    /// The time of the last event held.
    private(set) var time: EventTime
    /// The time of the last event that is durable: what `time` returns to if a batch fails.
    private(set) var durableTime: EventTime
    /// Through where the store has applied it: what own events may name as a dependency.
    private(set) var applied: LogPosition
    /// Through where this node's own events have named it.
    private(set) var namedThrough: UInt64
    /// Through where events that are applied here refer to it: who names them need not name it too. Found out again from
    /// what comes, so it is 0 after a start.
    private(set) var coveredThrough: UInt64 = 0
    /// Since when it holds something that cannot be applied, in monotonic milliseconds; `nil` if all is applied.
    private(set) var waitsSince: Int64?
    /// What `namedThrough` returns to if a batch fails.
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

    /// Whether something of it is on disk that cannot be applied yet.
    var waits: Bool { durable.position.sequence > applied.sequence }

    /// A branch of which nothing is held yet.
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

    /// More of it is verified and handed to the store.
    mutating func hold(through position: LogPosition, at time: EventTime) {
        held.position = position
        self.time = time
    }

    /// More of it is on disk.
    mutating func persist(through position: LogPosition, at time: EventTime) {
        durable.position = position
        durableTime = time
    }

    /// Which bodies are missing: of what is durable in this log, and of nothing else.
    mutating func setMissing(_ sequences: [UInt64]) {
        durable.missing = sequences.filter { $0 <= durable.position.sequence }
    }

    /// The store has applied it through a position.
    mutating func apply(through position: LogPosition) { applied = position }

    /// A batch failed: all is again as it is on disk.
    mutating func takeBack() {
        held = durable
        time = durableTime
        namedThrough = durableNamedThrough
    }

    // What own events name.

    mutating func name(through sequence: UInt64) { namedThrough = sequence }

    mutating func persistNamed(through sequence: UInt64) { durableNamedThrough = sequence }

    /// An event that is applied refers to it.
    mutating func cover(through sequence: UInt64) { coveredThrough = max(coveredThrough, sequence) }

    /// This copy has named nothing yet. What an earlier copy has named is named with the log of that copy.
    mutating func beginNaming() {
        coveredThrough = max(coveredThrough, durableNamedThrough)
        namedThrough = 0
        durableNamedThrough = 0
    }

    // Waiting.

    /// - Parameter moment: since when, in monotonic milliseconds; `nil` if it does not wait.
    mutating func wait(since moment: Int64?) { waitsSince = moment }

    /// Whether it has waited so long that its messages are shown all the same.
    func hasWaitedLong(at now: Int64) -> Bool {
        waitsSince.map { now - $0 >= Limits.provisionalMilliseconds } ?? false
    }

    func isOverdue(at now: Int64) -> Bool { waits && hasWaitedLong(at: now) }

    /// The log turns out to part: it ends at a base.
    ///
    /// - Returns: what is held beyond it, which is a log of its own.
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
