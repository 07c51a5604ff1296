import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// The rows themselves: a value, so a backup is a copy.
struct MemoryRows: Sendable {
    struct Line: Sendable {
        let place: Place
        let effective: UInt64
        var flags: LineFlags
    }

    struct Label: Sendable {
        let kind: EventKind
        let effective: UInt64
        let text: String
    }

    struct Said: Sendable {
        let isOwn: Bool
        let lifetime: Lifetime
    }

    struct Missing: Sendable {
        let target: EventID?
        var isExcused: Bool
    }

    struct Awaited: Sendable {
        let log: LogID
        let sequence: UInt64
    }

    var conversations: [ConversationRecord] = []
    var logs: [LogKey: SimulatedDisk.Log] = [:]
    /// The logs in the order of creation.
    var keys: [LogKey] = []
    var branches: [BranchRecord] = []
    /// Events that are not awaited any more.
    var givenUp: [ConversationID: Set<EventID>] = [:]
    /// The membership events of groups in the order of arrival, by the row of the conversation.
    var membership: [Int64: [StoredEvent]] = [:]
    var watermarks: [WatermarkRecord.Key: WatermarkRecord] = [:]
    /// Everything that is shown, by the row of the conversation.
    var lines: [Int64: [EventID: Line]] = [:]
    /// What is about messages, by their places.
    var about: [Place: [EventID: AboutRow]] = [:]
    var withdrawals: [Place: Withdrawal] = [:]
    var labels: [Int64: [EventID: Label]] = [:]
    var lifetimes: [Int64: [EventID: Said]] = [:]
    var missing: [Place: Missing] = [:]
    /// What logs wait for, by the row of the log that waits.
    var waits: [Int64: Awaited] = [:]
    /// Texts of messages that were deleted by somebody other than their author, and texts of their edits.
    var withheld: [EventID: SimulatedDisk.Withheld] = [:]
    /// Events whose texts were kept apart for the whole time and dropped then.
    var expired: Set<EventID> = []
}
