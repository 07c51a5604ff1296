package import ParlanceWire

/// A conversation as the engine keeps it: who is in it, and how far each log has come.
package struct Conversation: Equatable, Sendable {
    package let record: ConversationRecord
    package var logs: [LogID: LogState] = [:]
    /// How far members have received and read logs, merged by maximum.
    package var watermarks: [WatermarkRecord.Key: WatermarkRecord] = [:]
    /// `nil` in a direct conversation.
    var group: Group?
    /// Logs that were forked, by the branches' own names.
    var branches: [LogID: BranchRecord] = [:] { didSet { displaced = displacedBranches() } }
    /// Branches that are kept and shown here, and neither told of nor synced: more of one log than there is room for.
    private(set) var displaced: Set<LogID> = []
    /// Logs that were parted here and are not yet on disk: where what was held beyond the base has gone.
    var parting: [LogID: LogID] = [:]
    /// What is asked of somebody who did not write it.
    var wants: [LogID: Want] = [:]
    /// Logs of others that moved on since a few members were last told of them.
    var unoffered: Set<LogID> = []
    /// What is known of the own logs without a look at the disk.
    var ownHeads = OwnHeads()
    /// Logs of members who are away, whose receipts are to be signed and given to others.
    var unsignedReceipts: Set<LogID> = []

    package init(_ record: ConversationRecord) {
        self.record = record
        if case .group = record.kind { group = Group(id: record.id) }
    }

    package var id: ConversationID { record.id }

    /// What is durable here: the only clock that is told to anyone.
    package var durableClock: Clock {
        var clock = Clock(entries: logs.mapValues(\.durable))
        for log in displaced { clock.entries[log] = nil }
        return clock
    }

    /// Logs in a fixed order, so that effects come in the same order from the same seed.
    package var sortedLogs: [LogID] { logs.keys.sorted() }

    /// Through where a member has a log, at a level or above; any of its replicas counts.
    package func reached(_ log: LogID, by member: PeerID, at level: WatermarkLevel) -> LogPosition {
        // A large group has many marks, and few are of one log and one member: these alone are looked at whole.
        var most = LogPosition.start
        for key in watermarks.keys where key.log == log && key.member == member && key.level >= level {
            guard let position = watermarks[key]?.position else { continue }
            if position.sequence > most.sequence { most = position }
        }
        return most
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
            logs[log]?.applied = position
            return
        }
        logs[log]?.applied = base
        setApplied(position, of: branch)
    }

    /// Branches are on disk.
    mutating func parted(_ record: BranchRecord) {
        for log in parting.keys where parting[log] == record.log { parting[log] = nil }
    }

    /// Through where a log is held.
    func held(of log: LogID) -> LogPosition { logs[log]?.held.position ?? start(of: log) }

    /// Whether events of an author may be in it.
    func mayWrite(_ author: PeerID, _ identity: PeerID) -> Bool {
        switch record.kind {
        case .direct(let peer): author == peer || author == identity
        case .group: group?.membership.mentions(author) == true
        }
    }
}

/// What makes a conversation a group.
struct Group: Equatable, Sendable {
    /// All that is held.
    var membership = Membership()
    /// What is on disk: only this is told to others, and this is gone back to if a batch fails.
    var durable = Membership()
    var label: GroupLabel
    /// Whether something came in an invitation, durably, that those who have the group open are to be told.
    var hasNews = false
    /// For each other member, the own log's last sequence when it joined; and what of that is on disk.
    var joined: [PeerID: UInt64] = [:]
    var durableJoined: [PeerID: UInt64] = [:]

    init(id: ConversationID) {
        label = GroupLabel(conversation: id, title: "", topic: "")
    }

    var title: String { label.title.isEmpty ? membership.title : label.title }
}

/// A request for what another member holds of a log that it did not write.
struct Want: Equatable, Sendable {
    var link: LinkID
    /// What that member said it holds.
    var through: UInt64
    /// When it was asked, or something of it came last.
    var lastProgress: Int64
}
