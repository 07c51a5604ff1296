import ParlanceWire

/// A conversation as the engine keeps it: who is in it, and how far each log has come.
struct Conversation: Equatable, Sendable {
    let record: ConversationRecord
    private(set) var logs: [LogID: LogState] = [:]
    /// How far members have received and read logs.
    var marks = Marks()
    /// `nil` in a direct conversation.
    var group: Group?
    /// Logs that were forked, by the branches' own names.
    private(set) var branches: [LogID: BranchRecord] = [:] { didSet { displaced = displacedBranches() } }
    /// Branches that are kept and shown here, and neither told of nor synced: more of one log than there is room for.
    private(set) var displaced: Set<LogID> = []
    /// Logs that were parted here and are not yet on disk: where what was held beyond the base has gone.
    private var parting: [LogID: LogID] = [:]
    /// What is asked of somebody who did not write it.
    private(set) var wants: [LogID: Want] = [:]
    /// Logs of others that moved on since a few members were last told of them.
    private var unoffered: Set<LogID> = []
    /// What is known of our own logs without a look at the disk.
    private(set) var ownHeads = OwnHeads()
    /// Logs of members who are away, whose receipts are to be signed and given to others.
    private var unsignedReceipts: Set<LogID> = []

    init(_ record: ConversationRecord) {
        self.record = record
        if case .group = record.kind { group = Group(id: record.id) }
    }

    var id: ConversationID { record.id }

    /// What is durable here: the only clock that is told to anyone.
    var durableClock: Clock { durableClock(of: logs.keys) }

    /// The entries of some logs in it.
    func durableClock(of some: some Collection<LogID>) -> Clock {
        var clock = Clock()
        clock.entries.reserveCapacity(some.count)
        for log in some where !displaced.contains(log) { clock.entries[log] = logs[log]?.durable }
        return clock
    }

    /// Logs in a fixed order, so that effects come in the same order from the same seed.
    var sortedLogs: [LogID] { logs.keys.sorted() }

    /// Through where a member has a log, at a level or above; any of its replicas counts.
    func reached(_ log: LogID, by member: PeerID, at level: WatermarkLevel) -> LogPosition {
        marks.reached(log, by: member, at: level)
    }

    /// The log that the headers of a log's events name: itself, but for a branch.
    func root(of log: LogID) -> LogID {
        var root = log
        while let parent = branches[root]?.parent { root = parent }
        return root
    }

    /// The branches that a log parts into, in the order of their names.
    func branches(of parent: LogID) -> [BranchRecord] {
        branches.isEmpty ? [] : branches.values.filter { $0.parent == parent }.sorted { $0.log < $1.log }
    }

    /// The branches of a log that are synced: those with the smallest names, so that everybody who knows the same syncs the same.
    func syncedBranches(of parent: LogID) -> [BranchRecord] {
        branches(of: parent).filter { !displaced.contains($0.log) }
    }

    private func displacedBranches() -> Set<LogID> {
        guard branches.count > Limits.branchesPerLog else { return [] }
        let parents = Set(branches.values.map(\.parent))
        let over = parents.flatMap { branches(of: $0).dropFirst(Limits.branchesPerLog).map(\.log) }
        guard !over.isEmpty else { return [] }
        // What parts from one that is displaced goes with it.
        var found = Set(over)
        var next = over
        while let parent = next.popLast() {
            for branch in branches(of: parent) where found.insert(branch.log).inserted { next.append(branch.log) }
        }
        return found
    }

    /// What a log is held up to if nothing of it is: a branch begins behind what it has in common.
    func start(of log: LogID) -> LogPosition { branches[log]?.base ?? .start }

    // What the disk says of a log. It may not have heard yet that the log was parted: what it says of a place beyond the base
    // is about the branch that the place has gone to.

    mutating func setMissing(_ sequences: [UInt64], of log: LogID) {
        logs[log]?.setMissing(sequences)
        guard let branch = parting[log], let base = branches[branch]?.base else { return }
        setMissing(sequences.filter { $0 > base.sequence }, of: branch)
    }

    mutating func setApplied(_ position: LogPosition, of log: LogID) {
        guard let branch = parting[log], let base = branches[branch]?.base, position.sequence > base.sequence else {
            logs[log]?.apply(through: position)
            return
        }
        logs[log]?.apply(through: base)
        setApplied(position, of: branch)
    }

    /// What the disk has of a log.
    mutating func persist(_ log: LogID, _ advance: PendingBatch.Advance) {
        logs[log]?.persist(through: advance.position, at: advance.time)
    }

    /// Branches are on disk.
    mutating func parted(_ record: BranchRecord) {
        for log in parting.keys where parting[log] == record.log { parting[log] = nil }
    }

    /// What is durable of a log; `nil` if nothing of it is known.
    func durable(of log: LogID) -> Clock.Entry? { logs[log]?.durable }

    /// Through where a log is durable; 0 if nothing of it is.
    func durableThrough(_ log: LogID) -> UInt64 { logs[log]?.durable.position.sequence ?? 0 }

    /// Whether some of a log is held that is not durable yet.
    func isWriting(_ log: LogID) -> Bool { logs[log].map { $0.held.position != $0.durable.position } ?? false }

    /// Through where a log is held.
    func held(of log: LogID) -> LogPosition { logs[log]?.held.position ?? start(of: log) }

    /// Whether events of an author may be in it.
    func mayWrite(_ author: PeerID, _ identity: PeerID) -> Bool {
        switch record.kind {
        case .direct(let peer): author == peer || author == identity
        case .group: group?.membership.mentions(author) == true
        }
    }

    // At start.

    mutating func restore(_ record: LogRecord) { logs[record.log] = LogState(record) }

    mutating func restore(_ branch: BranchRecord) { branches[branch.log] = branch }

    // What is held.

    /// Takes an event into the batch; its log is held up to it from now on.
    mutating func hold(_ event: StoredEvent, _ turn: inout Turn) {
        turn.batch.rows.events.append(event)
        turn.batch.byteCount += event.byteCount
        advance(event.log, to: event, &turn)
    }

    /// The same for a run of one log.
    mutating func hold(_ run: [StoredEvent], of log: LogID, _ turn: inout Turn) {
        guard let last = run.last else { return }
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

    /// A batch failed: a log is again as it is on disk. A log of which nothing is on disk is none, unless others part from it.
    mutating func takeBack(_ log: LogID) {
        logs[log]?.takeBack()
        if logs[log]?.durable.position.sequence == 0 && branches(of: log).isEmpty { logs[log] = nil }
    }

    /// An own event was seen on its way to the disk, or read from it.
    mutating func noteHead(_ position: LogPosition, of log: LogID) { ownHeads.note(position, of: log) }

    // What own events name.

    /// Own events name a log through a place from now on.
    mutating func name(_ log: LogID, through sequence: UInt64, _ turn: inout Turn) {
        logs[log]?.name(through: sequence)
        turn.batch.named[LogKey(id, log)] = sequence
    }

    mutating func persistNamed(_ log: LogID, through sequence: UInt64) {
        logs[log]?.persistNamed(through: sequence)
    }

    /// This copy has written nothing here yet: what an own earlier copy has named is named with the log of that one, which is
    /// named like any other. So the first event of a copy need not name every log that there ever was.
    mutating func beginNaming() {
        for log in logs.keys { logs[log]?.beginNaming() }
    }

    /// An event that is applied refers to others: whoever names it need not name those.
    mutating func cover(by event: StoredEvent) {
        guard let applied = logs[event.log]?.applied.sequence, event.header.sequence <= applied else { return }
        for reference in event.header.references { logs[reference.log]?.cover(through: reference.sequence) }
    }

    // Waiting (events.md, "Dependencies").

    /// - Parameter moment: since when a log waits, in monotonic milliseconds; `nil` if it does not.
    mutating func wait(_ log: LogID, since moment: Int64?) { logs[log]?.wait(since: moment) }

    /// Logs whose messages are shown before what they refer to is here, since that has not come for long.
    func overdueLogs(at now: Int64) -> Set<LogID> { Set(logs.filter { $0.value.isOverdue(at: now) }.keys) }

    // Forks.

    /// From now on these branches are logs of their own.
    ///
    /// - Parameter own: the branch that what is held beyond the base belongs to.
    /// - Returns: branches whose parent is another one now.
    mutating func part(_ log: LogID, at base: LogPosition, into new: [BranchRecord], own: LogID?) -> [BranchRecord] {
        for record in new { branches[record.log] = record }
        guard let own, var state = logs[log], state.held.position.sequence > base.sequence else { return [] }
        logs[own] = state.part(at: base)
        logs[log] = state
        parting[log] = own
        return adopt(branchesOf: log, beyond: base, to: own)
    }

    /// What parted from a log beyond a place where it turns out to part, too, parts from the branch that it was in.
    private mutating func adopt(branchesOf log: LogID, beyond base: LogPosition, to own: LogID) -> [BranchRecord] {
        var adopted: [BranchRecord] = []
        for var record in branches(of: log) where record.base.sequence > base.sequence && record.log != own {
            record.parent = own
            branches[record.log] = record
            adopted.append(record)
        }
        return adopted
    }

    // What is asked for.

    mutating func want(_ log: LogID, on link: LinkID, through sequence: UInt64, at now: Int64) {
        wants[log] = Want(link: link, through: sequence, lastProgress: now)
    }

    mutating func dropWant(_ log: LogID) { wants[log] = nil }

    /// Something of a log became durable: whoever was asked for it is at work.
    mutating func progress(_ log: LogID, at now: Int64) {
        guard let want = wants[log] else { return }
        let isDone = logs[log]?.durable.position.sequence ?? 0 >= want.through
        wants[log] = isDone ? nil : Want(link: want.link, through: want.through, lastProgress: now)
    }

    // What others are told.

    /// Logs of others moved on: a few members are to be told.
    mutating func offer(_ logs: [LogID]) { unoffered.formUnion(logs) }

    mutating func takeUnoffered() -> [LogID] {
        defer { unoffered = [] }
        return unoffered.sorted()
    }

    var owesReceipts: Bool { !unsignedReceipts.isEmpty }

    /// A member who is away is to hear through others that its log is held.
    mutating func oweReceipt(of log: LogID) { unsignedReceipts.insert(log) }

    mutating func takeUnsignedReceipts() -> [LogID] {
        defer { unsignedReceipts = [] }
        return unsignedReceipts.sorted()
    }
}
