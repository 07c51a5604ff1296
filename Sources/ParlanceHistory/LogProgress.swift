package import ParlanceRecords
package import ParlanceWire

/// How far a log is held and applied: its row while a batch is written, read once, changed in memory, written once.
package final class LogProgress {
    package let row: Int64
    package let conversationRow: Int64
    package let key: LogKey
    /// Whether this identity wrote the log, on any replica.
    package let isOwn: Bool

    package var position = LogPosition.start
    package var time = EventTime(raw: 0)
    package var signedThrough = LogPosition.start
    package var applied = LogPosition.start
    package var appliedTime = EventTime(raw: 0)
    package var appliedEffective: UInt64 = 0
    package var namedThrough: UInt64 = 0
    /// Through here the texts were removed, because of their age or because the user has cleared the log.
    package var floor: UInt64 = 0
    /// Through here the user has cleared the log.
    package var cleared: UInt64 = 0
    /// The number of messages of the log that are shown.
    package var shown = 0
    /// The sequence of our own read watermark; 0 without one.
    package var readThrough: UInt64 = 0
    /// The number of messages that are shown and not read; 0 in our own logs.
    package var unread = 0
    /// The unread messages that mention the owner of this store.
    package var mentions = 0
    /// The group of the log; `nil` in a direct conversation.
    let group: GroupState?
    /// The parent, if the log is a branch.
    private(set) var parent: LogID?
    /// The last event in common with the parent; the branch's own events follow it.
    private(set) var base = LogPosition.start
    /// Whether the row in the table is outdated.
    var isDirty = false

    package init(row: Int64, conversationRow: Int64, key: LogKey, isOwn: Bool, group: GroupState? = nil) {
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

    /// The name of the branch; `nil` if the log is not a branch.
    var branch: LogID? { parent == nil ? nil : key.log }

    /// Whether at least one of its own events is applied.
    var hasApplied: Bool { applied.sequence > base.sequence }

    /// The last applied event in the projector's form; `nil` before the first of its own events.
    var lastApplied: Projector.Applied? {
        hasApplied ? Projector.Applied(id: applied.head, time: appliedTime, effective: appliedEffective) : nil
    }

    /// Adds a message to the counts, or removes it.
    func count(_ flags: LineFlags, at sequence: UInt64, by step: Int) {
        guard !flags.contains(.note) else { return }
        shown += step
        guard !isOwn, sequence > readThrough, !flags.contains(.deleted) else { return }
        unread += step
        if flags.contains(.mention) { mentions += step }
    }

    /// What must hold at the end of a transaction.
    func check() {
        invariant(signedThrough.sequence <= position.sequence, "what is signed of a log is held")
        invariant(base.sequence <= applied.sequence, "a branch is applied from its base")
        invariant(applied.sequence <= max(position.sequence, base.sequence), "what is applied of a log is held")
        invariant(
            applied.sequence < position.sequence || applied == position || !hasApplied,
            "what is applied is the log that is held"
        )
        invariant(floor <= position.sequence && cleared <= position.sequence, "a floor is not above what is held")
        invariant(parent != nil || base == .start, "only a branch has a base")
        invariant(parent != key.log, "a branch has another log as its parent")
        invariant(hasApplied || appliedEffective == 0, "a log of which nothing is applied has no effective time")
        invariant(appliedEffective <= Projector.latest, "an effective time fits")
        invariant(shown >= 0 && unread >= 0 && mentions >= 0, "counts are not negative")
        invariant(unread <= shown && mentions <= unread, "what is unread is shown, and mentions are unread")
        invariant(!isOwn || unread == 0, "nobody has unread messages of their own")
    }

    /// Resets everything projected from the log.
    func resetProjection() {
        applied = base
        appliedTime = EventTime(raw: 0)
        appliedEffective = 0
        shown = 0
        unread = 0
        mentions = 0
    }
}
