package import ParlanceWire

/// What the engine keeps of a log: two positions, and nothing of its texts.
package struct LogState: Equatable, Sendable {
    /// Verified and handed to the store. Never told to anyone.
    package var held: Clock.Entry
    /// Synced to disk. The only one that is ever told to anyone.
    package var durable: Clock.Entry
    /// The time of the last event held.
    package var time: EventTime
    /// The time of the last event that is durable: what `time` returns to if a batch fails.
    package var durableTime: EventTime
    /// Through where the store has applied it: what own events may name as a dependency.
    package var applied: LogPosition
    /// Through where this node's own events have named it.
    package var namedThrough: UInt64
    /// Through where events that are applied here refer to it: who names them need not name it too. Found out again from
    /// what comes, so it is 0 after a start.
    package var coveredThrough: UInt64 = 0
    /// Since when it holds something that cannot be applied, in monotonic milliseconds; `nil` if all is applied.
    var waitsSince: Int64?
    /// What `namedThrough` returns to if a batch fails.
    package var durableNamedThrough: UInt64

    package init() {
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

    package init(_ record: LogRecord) {
        held = Clock.Entry(position: record.position, missing: record.missingBodies)
        durable = held
        time = record.time
        durableTime = record.time
        applied = record.applied
        namedThrough = record.namedThrough
        durableNamedThrough = record.namedThrough
    }
}

/// A log in a conversation.
package struct LogKey: Hashable, Sendable {
    package var conversation: ConversationID
    package var log: LogID

    package init(_ conversation: ConversationID, _ log: LogID) {
        self.conversation = conversation
        self.log = log
    }
}
