import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// A conversation as the engine keeps it: its members, and the progress of each log.
struct Conversation: Equatable, Sendable {
    let record: ConversationRecord
    private(set) var logs: SortedTable<LogID, LogState> = [:]
    /// How far members have received and read logs.
    var marks: Marks
    /// `nil` in a direct conversation.
    var group: Group?
    /// How long messages stay, as its members have said.
    private(set) var lifetime: LifetimeTerms
    /// Branches of forked logs, by the branches' own names.
    private(set) var branches: [LogID: BranchRecord] = [:] { didSet { displaced = displacedBranches() } }
    /// Branches that are kept and shown here, but neither told nor synced: those beyond the limit for one log.
    private(set) var displaced: Set<LogID> = []
    /// Logs that were split here but not yet on disk, each with the branch that took the events beyond the base.
    private(set) var parting: [LogID: LogID] = [:]
    /// What was last given up of each log: after which event, and of how many authors. Nothing more is to be given up there
    /// until the log has advanced, or there are more authors.
    private(set) var abandonedReferences: [LogID: AbandonedReferences] = [:]
    /// Requests for logs, each to a member that did not write it.
    private(set) var wants: [LogID: Want] = [:]
    /// Logs of others with progress that has not been offered to a few members yet.
    private var unoffered: Set<LogID> = []
    /// Heads of our own logs that are known without reading the disk.
    private(set) var ownHeads = OwnHeads()
    /// Logs of absent members for which receipts have to be signed and given to others.
    private var unsignedReceipts: Set<LogID> = []
    /// Marks of other members that went up and were not handed on to the authors of their logs.
    private var owedMarks: Set<WatermarkRecord.Key> = []

    struct AbandonedReferences: Equatable, Sendable {
        let applied: UInt64
        let authors: Int
    }

    init(_ record: ConversationRecord) {
        self.record = record
        lifetime = LifetimeTerms(conversation: record.id)
        marks = Marks(in: record.id)
        if case .group = record.kind { group = Group(id: record.id) }
    }

    var id: ConversationID { record.id }

    /// How long messages stay for everybody, in milliseconds; `nil` without an end.
    var agreedLifetime: Int64? { lifetime.agreed(isGroup: group != nil) }

    mutating func show(_ lifetime: LifetimeTerms) { self.lifetime = lifetime }

    /// The durable part of the logs: only this clock is told to peers.
    var durableClock: Clock { durableClock(of: logs.keys) }

    /// The durable entries of the given logs.
    func durableClock(of some: some Collection<LogID>) -> Clock {
        var clock = Clock()
        for log in some where !displaced.contains(log) { clock.entries[log] = logs[log]?.durable }
        return clock
    }

    /// The logs and branches of one author, in order.
    func logs(of author: PeerID) -> [LogID] {
        let start = logs.keys.first { !($0.author < author) }
        return Array(logs.keys[start...].prefix { $0.author == author })
    }

    /// How far a member has a log, at a level or above; any of its replicas counts.
    func reached(_ log: LogID, by member: PeerID, at level: WatermarkLevel) -> LogPosition {
        marks.reached(log, by: member, at: level)
    }

    /// The log that the headers of a log's events name: for a branch, the log that it and its parents were split from;
    /// otherwise the log itself.
    func root(of log: LogID) -> LogID {
        var root = log
        while let parent = branches[root]?.parent { root = parent }
        return root
    }

    /// The branches of a log, in the order of their names.
    func branches(of parent: LogID) -> [BranchRecord] {
        branches.isEmpty ? [] : branches.values.filter { $0.parent == parent }.sorted { $0.log < $1.log }
    }

    /// Where known branches of a log begin.
    func bases(of log: LogID) -> Set<LogPosition> { Set(branches(of: log).map(\.base)) }

    /// Where two synced branches of a log begin, or more: that can be proved to others.
    func provenBases(of log: LogID) -> Set<LogPosition> {
        let counts = Dictionary(syncedBranches(of: log).map { ($0.base, 1) }, uniquingKeysWith: +)
        return Set(counts.filter { $0.value > 1 }.keys)
    }

    /// The branches of a log that are synced: those with the smallest names, so all nodes that know the same branches
    /// choose the same ones.
    func syncedBranches(of parent: LogID) -> [BranchRecord] {
        branches(of: parent).filter { !displaced.contains($0.log) }
    }

    /// Authors of whom a log forks into as many branches as are synced: there may be others, which nobody hands on.
    var overflowing: Set<PeerID> {
        guard branches.count >= Limits.branchesPerLog else { return [] }
        return Set(rivals().filter { $0.count >= Limits.branchesPerLog }.compactMap { $0.first?.author })
    }

    /// The names of the branches that fork at the same place, of each such place. The last common event says which place
    /// it is, also as long as it is not known in which log that event is.
    private func rivals() -> [[LogID]] {
        struct Fork: Hashable {
            let base: LogPosition
            let log: LogID?
        }
        let forks = Dictionary(grouping: branches.values) {
            Fork(base: $0.base, log: $0.base.sequence == 0 ? $0.parent : nil)
        }
        return forks.values.map { $0.map(\.log) }
    }

    private func displacedBranches() -> Set<LogID> {
        guard branches.count > Limits.branchesPerLog else { return [] }
        let over = rivals().flatMap { $0.sorted().dropFirst(Limits.branchesPerLog) }
        guard !over.isEmpty else { return [] }
        // The branches of a displaced branch are displaced too.
        var found = Set(over)
        var next = over
        while let parent = next.popLast() {
            for branch in branches(of: parent) where found.insert(branch.log).inserted { next.append(branch.log) }
        }
        return found
    }

    /// The position before the first event of a log: a branch starts at its base.
    func start(of log: LogID) -> LogPosition { branches[log]?.base ?? .start }

    // Reports from the disk about a log. The disk may not know of a split yet: what it reports beyond the base applies
    // to the branch that took those events.

    mutating func setMissing(_ sequences: [UInt64], of log: LogID) {
        logs[log]?.setMissing(sequences)
        guard let branch = parting[log], let base = branches[branch]?.base else { return }
        setMissing(sequences.filter { $0 > base.sequence }, of: branch)
    }

    /// A text of ours is gone, and a peer has asked for it.
    ///
    /// - Returns: whether that was not known.
    mutating func noteGone(_ sequence: UInt64, of log: LogID) -> Bool { logs[log]?.noteGone(sequence) ?? false }

    mutating func raiseFloor(to sequence: UInt64, cleared: UInt64, of log: LogID) {
        if let branch = parting[log], let base = branches[branch]?.base, max(sequence, cleared) > base.sequence {
            let isBeyond = { $0 > base.sequence ? $0 : 0 }
            logs[branch]?.raiseFloor(to: isBeyond(sequence), cleared: isBeyond(cleared))
        }
        logs[log]?.raiseFloor(to: sequence, cleared: cleared)
    }

    /// Whether the user has cleared an event.
    func isCleared(_ sequence: UInt64, of log: LogID) -> Bool { logs[log].map { sequence <= $0.cleared } ?? false }

    /// Whether something of a log that the user has cleared is still here.
    func isClearing(_ log: LogID) -> Bool { logs[log]?.isClearing == true }

    /// Whether something of a log was cleared that waits.
    func hidesWaiting(of log: LogID) -> Bool { logs[log].map { $0.applied.sequence < $0.cleared } ?? false }

    /// Whether something that the user has cleared is still here.
    var isClearing: Bool { logs.values.contains { $0.isClearing } }

    mutating func setApplied(_ position: LogPosition, of log: LogID) {
        guard let branch = parting[log], let base = branches[branch]?.base, position.sequence > base.sequence else {
            logs[log]?.apply(through: position)
            return
        }
        logs[log]?.apply(through: base)
        setApplied(position, of: branch)
    }

    /// Records how far a log is durable.
    mutating func persist(_ log: LogID, _ advance: PendingBatch.Advance) {
        logs[log]?.persist(through: advance.position, at: advance.time)
    }

    /// Records that a branch is on disk.
    mutating func parted(_ record: BranchRecord) {
        for log in parting.keys where parting[log] == record.log { parting[log] = nil }
    }

    /// The durable entry of a log; `nil` if the log is unknown.
    func durable(of log: LogID) -> Clock.Entry? { logs[log]?.durable }

    /// The last durable sequence of a log; 0 if nothing is durable.
    func durableThrough(_ log: LogID) -> UInt64 { logs[log]?.durable.position.sequence ?? 0 }

    /// The last held position of a log.
    func held(of log: LogID) -> LogPosition { logs[log]?.held ?? start(of: log) }

    /// Whether an author may have written events in this conversation.
    func mayWrite(_ author: PeerID, _ identity: PeerID) -> Bool {
        switch record.kind {
        case .direct(let peer): author == peer || author == identity
        case .group: group?.membership.mentions(author) == true
        }
    }

    // Restoring at the start.

    mutating func restore(_ record: LogRecord) { logs[record.log] = LogState(record) }

    mutating func restore(_ branch: BranchRecord) { branches[branch.log] = branch }

    // Held state.

    /// Adds an event to the batch; the log is then held up to it.
    mutating func hold(_ event: StoredEvent, _ turn: inout Turn) {
        checkContinues([event], event.log)
        turn.batch.rows.events.append(event)
        turn.batch.byteCount += event.byteCount
        advance(event.log, to: event, &turn)
    }

    /// The same for a run of one log.
    mutating func hold(_ run: [StoredEvent], of log: LogID, _ turn: inout Turn) {
        guard let last = run.last else { return }
        checkContinues(run, log)
        turn.batch.rows.events += run
        turn.batch.byteCount += run.reduce(0) { $0 + $1.byteCount }
        advance(log, to: last, &turn)
    }

    private mutating func advance(_ log: LogID, to last: StoredEvent, _ turn: inout Turn) {
        let start = start(of: log)
        logs[log, default: LogState(startingAt: start)].hold(through: last.position, at: last.header.time)
        turn.batch.advanced[LogKey(id, log)] = PendingBatch.Advance(position: last.position, time: last.header.time)
        turn.batch.isUrgent = true
    }

    /// Resets a log to what is on disk after a batch failed. Removes a log of which nothing is on disk, unless it has
    /// branches.
    mutating func takeBack(_ log: LogID) {
        logs[log]?.takeBack()
        if logs[log]?.durable.position.sequence == 0 && branches(of: log).isEmpty { logs[log] = nil }
    }

    /// Notes the position of an event of ours that was on its way to the disk or was read from it.
    mutating func noteHead(_ position: LogPosition, of log: LogID) { ownHeads.note(position, of: log) }

    // Logs that our own events name.

    /// Records that our events name a log through a sequence.
    mutating func name(_ log: LogID, through sequence: UInt64, _ turn: inout Turn) {
        logs[log]?.name(through: sequence)
        turn.batch.named[LogKey(id, log)] = sequence
    }

    mutating func persistNamed(_ log: LogID, through sequence: UInt64) {
        logs[log]?.persistNamed(through: sequence)
    }

    /// Starts naming for a replica that has written nothing here yet. What an earlier replica of this node has named is
    /// covered by naming the log of that replica, so the first event does not have to name every log.
    mutating func beginNaming() {
        logs.changeAll { $0.beginNaming() }
    }

    /// Records that an applied event refers to others: an event of ours that names it does not have to name those. That
    /// of a branch does not count: if others displace it, no event of ours can name it.
    mutating func cover(by event: StoredEvent) {
        guard branches[event.log] == nil, let applied = logs[event.log]?.applied.sequence,
            event.header.sequence <= applied
        else { return }
        for reference in event.header.references
        where mayCover(reference) { logs[reference.log]?.cover(through: reference.sequence) }
    }

    /// Whether a reference of an applied event is to what is applied, and not to something that was given up.
    private func mayCover(_ reference: EventReference) -> Bool {
        guard let applied = logs[reference.log]?.applied else { return false }
        return reference.sequence < applied.sequence
            || LogPosition(sequence: reference.sequence, head: reference.id) == applied
    }

    /// Forgets what events cover that are in a branch from now on.
    mutating func uncover() { logs.changeAll { $0.uncover() } }

    // Waiting (events.md, "Dependencies").

    /// - Parameter moment: since when a log waits, in monotonic milliseconds; `nil` if it does not wait.
    mutating func wait(_ log: LogID, since moment: Int64?) { logs[log]?.wait(since: moment) }

    /// Logs that have waited so long for a missing dependency that their messages are shown anyway.
    func overdueLogs(at now: Int64) -> Set<LogID> { Set(logs.filter { $0.value.isOverdue(at: now) }.keys) }

    /// What overdue logs wait for is to be given up, if it may be in branches that nobody hands on (events.md, "Given up").
    ///
    /// - Returns: `nil` if there is nothing to do.
    mutating func giveUp(_ overdue: Set<LogID>) -> GivenUp? {
        let authors = overflowing
        guard !overdue.isEmpty, !authors.isEmpty else { return nil }
        var found: [LogID] = []
        for log in overdue.sorted() {
            let now = AbandonedReferences(applied: logs[log]?.applied.sequence ?? 0, authors: authors.count)
            if abandonedReferences.updateValue(now, forKey: log) != now { found.append(log) }
        }
        return found.isEmpty ? nil : GivenUp(conversation: id, logs: found, authors: authors)
    }

    /// The disk did not give up what it was to.
    mutating func takeBack(_ row: GivenUp) {
        for log in row.logs { abandonedReferences[log] = nil }
    }

    // Forks.

    /// Whether a branch that is known is proven to fork from a branch of the log from which it seemed to fork.
    func isMoved(_ record: BranchRecord) -> Bool {
        // A branch begins after the base of the log from which it forks, so no log can come to fork from itself.
        guard let known = branches[record.log], known.base == record.base,
            start(of: record.parent).sequence < record.base.sequence
        else { return false }
        var above = branches[record.parent]?.parent
        while let log = above, log != known.parent { above = branches[log]?.parent }
        return above != nil
    }

    /// Makes these branches logs of their own.
    ///
    /// - Parameter own: the branch that takes the events held beyond the base.
    /// - Returns: the branches that have a new parent.
    mutating func part(_ log: LogID, at base: LogPosition, into new: [BranchRecord], own: LogID?) -> [BranchRecord] {
        for record in new { branches[record.log] = record }
        guard let own, var state = logs[log], state.held.sequence > base.sequence else { return [] }
        let end = state.held
        logs[own] = state.part(at: base)
        logs[log] = state
        parting[log] = own
        return adopt(branchesOf: log, at: end, to: own)
    }

    /// Moves the branches that begin where the log has ended: their parent is now the branch that took the events up to
    /// there. Others that begin beyond the new base may be of another branch.
    private mutating func adopt(branchesOf log: LogID, at end: LogPosition, to own: LogID) -> [BranchRecord] {
        var adopted: [BranchRecord] = []
        for var record in branches(of: log) where record.base == end && record.log != own {
            record.parent = own
            branches[record.log] = record
            adopted.append(record)
        }
        return adopted
    }

    // Requests.

    mutating func want(_ log: LogID, on link: LinkID, through sequence: UInt64, at now: Int64) {
        wants[log] = Want(link: link, through: sequence, lastProgress: now)
    }

    mutating func dropWant(_ log: LogID) { wants[log] = nil }

    /// Records that part of a log became durable, so the peer that was asked for it is responding.
    mutating func progress(_ log: LogID, at now: Int64) {
        guard let want = wants[log] else { return }
        let isDone = logs[log]?.durable.position.sequence ?? 0 >= want.through
        wants[log] = isDone ? nil : Want(link: want.link, through: want.through, lastProgress: now)
    }

    // Telling others.

    /// Notes that logs of others advanced, to be told to a few members.
    mutating func offer(_ logs: [LogID]) { unoffered.formUnion(logs) }

    mutating func takeUnoffered() -> [LogID] {
        defer { unoffered = [] }
        return unoffered.sorted()
    }

    var owesReceipts: Bool { !unsignedReceipts.isEmpty }

    /// Notes a log of an absent member: others have to tell it that the log is held here.
    mutating func oweReceipt(of log: LogID) { unsignedReceipts.insert(log) }

    mutating func takeUnsignedReceipts() -> [LogID] {
        defer { unsignedReceipts = [] }
        return unsignedReceipts.sorted()
    }

    mutating func owe(_ marks: [WatermarkRecord.Key]) { owedMarks.formUnion(marks) }

    var owedMarksCount: Int { owedMarks.count }

    mutating func takeOwedMarks() -> [WatermarkRecord.Key] {
        defer { owedMarks = [] }
        return owedMarks.sorted()
    }
}
