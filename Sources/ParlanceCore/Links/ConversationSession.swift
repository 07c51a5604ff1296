import ParlanceWire

/// How one conversation stands on one link (sync.md).
///
/// ```
/// closed ──listed()──▶ listed ──opened(with:)──▶ open ──opened(with:)──▶ open
/// ```
/// - closed: the peer has not said that it takes our frames. It may have been told our clock and the group all the same.
/// - listed: the peer takes our frames. What it holds is unknown.
/// - open: the peer has told its clock, and what it is sent follows from this alone.
///
/// `Links` ends a session by dropping it: the peer refuses the conversation, or one of the two is not a member any more.
struct ConversationSession: Equatable, Sendable {
    private var stage = Stage.closed
    /// What was sent of each log, and what of it is not acknowledged.
    private(set) var window = SendWindow()

    /// Our whole clock was sent on this link.
    private(set) var hasOurClock = false
    /// The peer named more logs of one author that are not held here than `theirs` keeps.
    private(set) var isCut = false
    /// The peer told something of people whom, as far as was known here, nobody has named as members.
    private(set) var hasToldOfUnnamed = false

    /// Logs of which the peer sent something that is not durable here yet: the peer waits to hear of it.
    private var owed: Set<LogID> = []
    /// Logs that moved on here and of which the peer was not told.
    private(set) var untold: Set<LogID> = []
    /// Logs that part somewhere before what is held: the runs of the peer are compared to find the place.
    private var searching: Set<LogID> = []
    /// Marks that the peer sent of what is not held here yet, or has to be read first.
    private var waitingMarks: [WatermarkRecord.Key: WatermarkRecord] = [:]

    /// The peer was sent the membership events, since it may not know them.
    private(set) var isInvited = false
    /// The last of our membership events, in the order in which they came, that the peer was told or has.
    private(set) var toldMembership: EventID?
    /// Forked logs of which the peer was given the proof.
    private var toldForks: Set<LogID> = []

    private enum Stage: Equatable, Sendable {
        case closed
        case listed
        case open(theirs: Clock)
    }

    // The stage.

    /// Whether the peer takes our frames.
    var isListed: Bool { stage != .closed }

    /// What the peer says it holds; `nil` until it has said so.
    var theirs: Clock? {
        guard case .open(let clock) = stage else { return nil }
        return clock
    }

    /// The bodies of a log that the peer says it lacks.
    func missing(from log: LogID) -> [UInt64] { theirs?.entries[log]?.missing ?? [] }

    var isOpen: Bool {
        guard case .open = stage else { return false }
        return true
    }

    /// Whether the peer hears of what changes here: it has our clock, whether or not its own has come.
    var hearsChanges: Bool { hasOurClock || isOpen }

    /// The peer lists the conversation.
    mutating func listed() {
        if stage == .closed { stage = .listed }
    }

    /// The peer's clock is known. What is sent from now on follows from it, so nothing counts as on its way any more.
    mutating func opened(with clock: Clock) {
        window = SendWindow()
        stage = .open(theirs: clock)
    }

    /// The peer holds more. Nothing changes unless the session is open.
    ///
    /// - Parameter bounded: what is kept of a clock that has got more entries.
    mutating func raised(by known: Clock, bounded: (Clock) -> Clock) {
        guard case .open(var theirs) = stage else { return }
        // The clock is changed in place: nothing else may refer to it meanwhile.
        stage = .listed
        let count = theirs.entries.count
        theirs.entries.merge(known.entries) { $1.position.sequence >= $0.position.sequence ? $1 : $0 }
        if theirs.entries.count > count {
            let kept = bounded(theirs)
            if kept.entries.count < theirs.entries.count { isCut = true }
            theirs = kept
        }
        stage = .open(theirs: theirs)
    }

    /// The peer sent a log through a position, but for bodies that it lacks: it holds that. Nothing changes unless the session
    /// is open and the position is ahead of the peer's clock.
    mutating func raised(_ log: LogID, to position: LogPosition, lacking missing: [UInt64]) {
        guard case .open(var theirs) = stage, theirs[log].sequence < position.sequence else { return }
        stage = .listed
        var entry = theirs.entries[log] ?? Clock.Entry(position: .start)
        entry.position = position
        entry.missing += missing
        theirs.entries[log] = entry
        stage = .open(theirs: theirs)
    }

    /// Our whole clock goes out.
    mutating func toldOurClock() {
        hasOurClock = true
        untold = []
    }

    // What the peer told and is not kept.

    /// - Parameter isWhole: whether the peer told its whole clock: then what it told before counts no more.
    mutating func leftOut(isCut cut: Bool, hasUnnamed: Bool, isWhole: Bool) {
        isCut = cut || isCut && !isWhole
        hasToldOfUnnamed = hasUnnamed || hasToldOfUnnamed && !isWhole
    }

    mutating func toldOfUnnamed() { hasToldOfUnnamed = true }

    /// The peer is asked to tell all again.
    mutating func asksAnew() {
        hasToldOfUnnamed = false
    }

    // Sending.

    /// Through where a log was sent, or is there by the peer's clock; `nil` unless the session is open.
    func sentThrough(_ log: LogID) -> UInt64? {
        guard case .open(let theirs) = stage else { return nil }
        return window.sentThrough(log) ?? theirs[log].sequence
    }

    /// Whether a run that begins at a sequence number goes on where the last one ended, and nothing is being read before it.
    func continues(_ log: LogID, at sequence: UInt64) -> Bool {
        guard let sent = sentThrough(log) else { return false }
        return !window.isReading(log) && sent + 1 == sequence
    }

    mutating func begins(_ read: ReadID, of log: LogID) {
        guard let sent = sentThrough(log) else { return }
        window.begin(read, of: log, after: sent)
    }

    /// A read of a log is over, or has to be made again.
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

    /// The peer asks for a log from the event after `sequence` on.
    ///
    /// - Parameter through: where it is sent to if it is another author's; `nil` for our own log, which is always sent.
    mutating func asked(
        for log: LogID,
        after sequence: UInt64,
        through: UInt64?,
        at now: Int64,
        openedAt: Int64
    ) {
        window.restart(log, after: sequence, at: now, openedAt: openedAt)
        if let through { window.serve(log, through: through) }
    }

    /// All that the peer asked for of a log was sent.
    mutating func served(_ log: LogID) { window.served(log) }

    /// The log turned out to part: nothing of it is on the way, and nothing of it is compared.
    mutating func forget(_ log: LogID) {
        window.forget(log)
        searching.remove(log)
    }

    // Telling what became durable.

    /// The peer sent something of a log, and waits to hear that it is durable.
    mutating func owes(_ log: LogID) { owed.insert(log) }

    /// Logs became durable further.
    ///
    /// - Parameter author: the peer, which waits to hear of its own logs whoever brought them.
    /// - Returns: the logs of which the peer waits to hear. Of the others it is told later.
    mutating func advanced(_ logs: [LogID], author: PeerID?) -> Set<LogID> {
        let due = Set(logs.filter { $0.author == author || owed.contains($0) })
        owed.subtract(due)
        untold.formUnion(logs.filter { !due.contains($0) })
        return due
    }

    mutating func told(_ logs: Set<LogID>) { untold.subtract(logs) }

    // Forks.

    func isSearching(_ log: LogID) -> Bool { searching.contains(log) }

    mutating func searches(_ log: LogID) { searching.insert(log) }

    func wasToldFork(of log: LogID) -> Bool { toldForks.contains(log) }

    mutating func toldFork(of log: LogID) { toldForks.insert(log) }

    /// The peer closed the conversation meanwhile, and is told the forks again.
    mutating func forgetForks() { toldForks = [] }

    // Membership.

    mutating func invited() { isInvited = true }

    /// - Parameter event: `nil` if the peer was told of its own departure only: if it comes back it is told all.
    mutating func toldMembership(through event: EventID?) { toldMembership = event }

    // Marks.

    /// Keeps a mark until it counts. So many are kept; the furthest of one key replaces the others.
    mutating func keep(_ mark: WatermarkRecord) {
        let known = waitingMarks[mark.key]
        guard waitingMarks.count < Limits.marksPerFrame || known != nil,
            known?.position.sequence ?? 0 < mark.position.sequence
        else { return }
        waitingMarks[mark.key] = mark
    }

    var hasWaitingMarks: Bool { !waitingMarks.isEmpty }

    /// The marks that wait, in order.
    var marksInOrder: [WatermarkRecord] {
        waitingMarks.isEmpty ? [] : waitingMarks.values.sorted { $0.key.rank < $1.key.rank }
    }

    mutating func drop(_ mark: WatermarkRecord.Key) { waitingMarks[mark] = nil }
}
