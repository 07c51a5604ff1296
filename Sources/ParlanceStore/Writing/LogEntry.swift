import ParlanceCore
import ParlanceWire

/// A row of the table `log` while a batch is written: read once, changed in memory, written once.
final class LogEntry {
    let row: Int64
    let conversationRow: Int64
    let key: LogKey
    /// Whether this identity wrote it, on whatever replica.
    let isOwn: Bool

    var position = LogPosition.start
    var time = EventTime(raw: 0)
    var signedThrough = LogPosition.start
    var applied = LogPosition.start
    var appliedTime = EventTime(raw: 0)
    var appliedEffective: UInt64 = 0
    var namedThrough: UInt64 = 0
    /// Messages of it that people see.
    var shown = 0
    /// The own read watermark.
    var readThrough: UInt64 = 0
    /// Messages of it that are shown and not read; 0 in one's own logs.
    var unread = 0
    /// Those among them that mention the owner of this store.
    var mentions = 0
    /// The group it is a log of; `nil` in a direct conversation.
    let group: GroupState?
    /// The log that it parts from, if it is a branch.
    private(set) var parent: LogID?
    /// What it has in common with the log that it parts from: its own events follow.
    private(set) var base = LogPosition.start
    /// Whether the row in the table is behind.
    var isDirty = false

    init(row: Int64, conversationRow: Int64, key: LogKey, isOwn: Bool, group: GroupState? = nil) {
        self.row = row
        self.conversationRow = conversationRow
        self.key = key
        self.isOwn = isOwn
        self.group = group
    }

    func setBranch(of parent: LogID, at base: LogPosition) {
        self.parent = parent
        self.base = base
    }

    /// Its name, if it is a branch.
    var branch: LogID? { parent == nil ? nil : key.log }

    /// Whether an event of its own is applied.
    var hasApplied: Bool { applied.sequence > base.sequence }

    /// What the projector asks of the event applied last; `nil` before the first of its own.
    var lastApplied: Projector.Applied? {
        hasApplied ? Projector.Applied(id: applied.head, time: appliedTime, effective: appliedEffective) : nil
    }

    /// Counts a message in or out.
    func count(_ flags: MessageTable.Flags, at sequence: UInt64, by step: Int) {
        guard !flags.contains(.note) else { return }
        shown += step
        guard !isOwn, sequence > readThrough, !flags.contains(.deleted) else { return }
        unread += step
        if flags.contains(.mention) { mentions += step }
    }

    /// Forgets what was projected from it.
    func resetProjection() {
        applied = base
        appliedTime = EventTime(raw: 0)
        appliedEffective = 0
        shown = 0
        unread = 0
        mentions = 0
    }
}
