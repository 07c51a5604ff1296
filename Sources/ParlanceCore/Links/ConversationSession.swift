import ParlanceRecords
import ParlanceWire

/// The state of one conversation on one link (sync.md).
///
/// ```
/// closed ──listed()──▶ listed ──opened(with:)──▶ open ──opened(with:)──▶ open
/// ```
/// - closed: the peer has not listed the conversation. It may already have our clock and the membership events.
/// - listed: the peer accepts our frames. What it holds is unknown.
/// - open: the peer has sent its clock, which alone determines what it is sent.
///
/// `Links` drops a session to end it: when the peer refuses the conversation, or when we or the peer leave the group.
struct ConversationSession: Equatable, Sendable {
    private var stage = Stage.closed
    /// What was sent of each log, and what the peer has not acknowledged.
    private(set) var window = SendWindow()

    /// Our whole clock was sent on this link.
    private(set) var hasOurClock = false
    /// The peer named more logs that are not held here than `theirs` keeps of one author.
    private(set) var isCut = false
    /// The peer sent entries or watermarks of people whom no membership event held here names.
    private(set) var hasToldOfUnnamed = false

    /// Logs of which the peer sent events that are not durable here yet. The peer waits for the acknowledgement.
    private var owed: SortedSet<LogID> = []
    /// Logs that advanced here and whose new entries the peer was not sent.
    private(set) var untold: SortedSet<LogID> = []
    /// Logs that fork at an unknown position before what is held. The peer's runs are compared to find it.
    private var searching: Set<LogID> = []
    /// The peer's watermarks for events that are not held here yet, or that the store has to read first.
    private var waitingMarks: SortedTable<WatermarkRecord.Key, WatermarkRecord> = [:]

    /// The peer was sent the membership events.
    private(set) var isInvited = false
    /// The last of our membership events, in the order of arrival, that the peer was sent or has.
    private(set) var toldMembership: EventID?
    /// Forked logs whose proofs the peer was sent.
    private var toldForks: Set<LogID> = []

    private enum Stage: Equatable, Sendable {
        case closed
        case listed
        case open(theirs: Clock)
    }

    /// Entries that it holds of logs and of watermarks.
    var entryCount: Int { (theirs?.entries.count ?? 0) + window.logCount + waitingMarks.count }

    // The stage.

    /// Whether the peer accepts our frames.
    var isListed: Bool { stage != .closed }

    /// What the peer holds; `nil` until it has sent its clock.
    var theirs: Clock? {
        guard case .open(let clock) = stage else { return nil }
        return clock
    }

    var isOpen: Bool {
        guard case .open = stage else { return false }
        return true
    }

    /// Whether the peer is sent the changes of our clock. That does not depend on having received the peer's clock.
    var hearsChanges: Bool { hasOurClock || isOpen }

    mutating func listed() {
        if stage == .closed { stage = .listed }
    }

    /// Sets the peer's clock. What is sent next follows from it, so runs sent before no longer occupy the window.
    mutating func opened(with clock: Clock) {
        window = SendWindow()
        fullUntil = nil
        stage = .open(theirs: clock)
    }

    /// Merges newer entries into the peer's clock. Does nothing unless the session is open.
    ///
    /// - Parameter bounded: reduces a clock that has gained entries to those that are kept.
    mutating func raised(by known: Clock, bounded: (Clock) -> Clock) {
        guard case .open(var theirs) = stage else { return }
        // Release the copy in `stage`, so that the clock is changed in place.
        stage = .listed
        let count = theirs.entries.count
        invariant(known.entries.values.allSatisfy { $0.position.sequence > 0 }, "a peer's clock has no empty entry")
        theirs.entries.merge(known.entries) { $1.position.sequence >= $0.position.sequence ? $1 : $0 }
        if theirs.entries.count > count {
            let kept = bounded(theirs)
            if kept.entries.count < theirs.entries.count { isCut = true }
            theirs = kept
        }
        stage = .open(theirs: theirs)
    }

    /// Notes that the peer holds a log through a position, except for bodies that it lacks, since it sent these events.
    /// Does nothing unless the session is open and the position is ahead of the peer's clock.
    mutating func raised(_ log: LogID, to position: LogPosition, lacking missing: [UInt64]) {
        guard case .open(var theirs) = stage, theirs[log].sequence < position.sequence else { return }
        stage = .listed
        theirs.entries[log, default: Clock.Entry(position: .start)].raise(to: position, lacking: missing)
        stage = .open(theirs: theirs)
    }

    mutating func toldOurClock() {
        hasOurClock = true
        untold = []
    }

    // What the peer's clock names but `theirs` does not keep.

    /// - Parameter isWhole: whether the peer sent its whole clock, which replaces what it sent before.
    mutating func leftOut(isCut cut: Bool, hasUnnamed: Bool, isWhole: Bool) {
        isCut = cut || isCut && !isWhole
        hasToldOfUnnamed = hasUnnamed || hasToldOfUnnamed && !isWhole
    }

    mutating func toldOfUnnamed() { hasToldOfUnnamed = true }

    mutating func asksAnew() {
        hasToldOfUnnamed = false
    }

    // Sending.

    /// Until when the peer takes no more of our log, in monotonic milliseconds. Its whole clock ends that too.
    private(set) var fullUntil: Int64?

    /// The peer takes no more of our log.
    mutating func becameFull(until end: Int64) { fullUntil = end }

    /// The peer takes no more of what somebody writes. What is on its way does not occupy the window any more, and what it
    /// requested is not sent any more.
    mutating func refuses(_ author: PeerID) { window.release(author) }

    /// The last sequence of a log that was sent or that the peer holds by its clock; `nil` unless the session is open.
    func sentThrough(_ log: LogID) -> UInt64? {
        guard case .open(let theirs) = stage else { return nil }
        return window.sentThrough(log) ?? theirs[log].sequence
    }

    /// Whether a run that begins at a sequence continues what was sent, and no read of events before it is pending.
    func continues(_ log: LogID, at sequence: UInt64) -> Bool {
        guard fullUntil == nil, let sent = sentThrough(log) else { return false }
        return !window.isReading(log) && sent + 1 == sequence
    }

    mutating func begins(_ read: ReadID, of log: LogID) {
        guard let sent = sentThrough(log) else { return }
        window.begin(read, of: log, after: sent)
    }

    /// Ends a read of a log, whether it succeeded or must be repeated.
    ///
    /// - Returns: whether it was still awaited.
    @discardableResult
    mutating func ends(_ read: ReadID, of log: LogID) -> Bool { window.end(read, of: log) }

    mutating func sent(_ log: LogID, through sequence: UInt64, bytes: Int) {
        guard isOpen else { return }
        window.sent(log, through: sequence, bytes: bytes)
    }

    mutating func acknowledged(_ log: LogID, through sequence: UInt64) {
        window.acknowledged(log, through: sequence)
    }

    /// The peer requests a log from the event after `sequence`.
    ///
    /// - Parameter through: the last sequence to send of another author's log; `nil` for our log, which is always sent.
    mutating func asked(
        for log: LogID,
        after sequence: UInt64,
        through: UInt64?,
        at now: Int64,
        openedAt: Int64
    ) {
        window.restart(log, after: sequence, at: now, openedAt: openedAt)
        if through == nil { fullUntil = nil }
        if let through { window.serve(log, through: through) }
    }

    /// Everything that the peer requested of a log was sent.
    mutating func served(_ log: LogID) { window.served(log) }

    /// Drops what was on its way or compared of a log that turned out to be forked.
    mutating func forget(_ log: LogID) {
        window.forget(log)
        searching.remove(log)
    }

    // Telling what became durable.

    /// The peer sent events of a log, and waits for the acknowledgement.
    mutating func owes(_ log: LogID) { owed.insert(log) }

    /// Logs advanced on disk.
    ///
    /// - Parameter author: the peer. It waits for the acknowledgement of its own logs, whoever sent them here.
    /// - Returns: the logs whose acknowledgement the peer waits for. The others become `untold`.
    mutating func advanced(_ logs: [LogID], author: PeerID?) -> SortedSet<LogID> {
        let due = SortedSet(logs.filter { $0.author == author || owed.contains($0) })
        defer { invariant(due.allSatisfy { !owed.contains($0) }, "an acknowledgement is owed once") }
        owed.subtract(due)
        untold.formUnion(logs.filter { !due.contains($0) })
        return due
    }

    mutating func told(_ logs: SortedSet<LogID>) { untold.subtract(logs) }

    // Forks.

    func isSearching(_ log: LogID) -> Bool { searching.contains(log) }

    mutating func searches(_ log: LogID) { searching.insert(log) }

    func wasToldFork(of log: LogID) -> Bool { toldForks.contains(log) }

    mutating func toldFork(of log: LogID) { toldForks.insert(log) }

    /// Sends the proofs of forks again: the peer had closed the conversation meanwhile.
    mutating func forgetForks() { toldForks = [] }

    // Membership.

    mutating func invited() { isInvited = true }

    /// - Parameter event: `nil` if the peer was sent only its own departure. If it rejoins, it is sent all events.
    mutating func toldMembership(through event: EventID?) { toldMembership = event }

    // Watermarks.

    /// Keeps a watermark until it counts. Their number is bounded. Of one key only the furthest is kept.
    mutating func keep(_ mark: WatermarkRecord) {
        let known = waitingMarks[mark.key]
        guard waitingMarks.count < Limits.marksPerFrame || known != nil,
            known?.position.sequence ?? 0 < mark.position.sequence
        else { return }
        waitingMarks[mark.key] = mark
        invariant(waitingMarks.count <= Limits.marksPerFrame, "few watermarks wait on a link")
    }

    var hasWaitingMarks: Bool { !waitingMarks.isEmpty }

    /// The waiting watermarks, in order.
    var marksInOrder: [WatermarkRecord] { waitingMarks.values }

    mutating func drop(_ mark: WatermarkRecord.Key) { waitingMarks[mark] = nil }
}

extension Clock.Entry {
    fileprivate mutating func raise(to position: LogPosition, lacking bodies: [UInt64]) {
        self.position = position
        missing += bodies
    }
}
