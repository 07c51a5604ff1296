package import ParlanceRecords
package import ParlanceWire

/// A second, plain and slow implementation of the evaluation in groups.md, with which the nodes' results are compared.
/// Offices are smaller than most limits.
package struct PlainMembership {
    /// What somebody can have in a group.
    package enum Capability: Hashable {
        case member, admin
    }

    private struct Gain {
        let id: EventID
        /// Everything that its author had seen.
        let seen: Set<EventID>
    }

    private struct Right: Hashable {
        let capability: Capability
        let peer: PeerID
    }

    /// Whether something that an author wrote at a position counts.
    package enum Standing {
        case yes
        case no
        /// It counts if the log had named what brought its author back.
        case ifNamed
    }

    /// The events that are evaluated, each with its ancestors.
    package private(set) var ancestors: [EventID: Set<EventID>] = [:]
    package private(set) var valid: Set<EventID> = []
    private var changes: [EventID: PlainChange] = [:]
    private var order: [EventID] = []
    private var judged: Set<EventID> = []
    private var seniority: [PeerID] = []
    private var gains: [Right: [Gain]] = [:]
    private var losses: [Right: [PlainChange]] = [:]
    private var made: [PeerID: [PlainChange]] = [:]

    package init(_ events: [StoredEvent]) {
        self.init(events.compactMap { PlainChange($0) })
    }

    private init(_ all: [PlainChange]) {
        for change in all { changes[change.id] = change }
        var depths: [EventID: Int] = [:]
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for change in all where ancestors[change.id] == nil && change.after.allSatisfy({ ancestors[$0] != nil }) {
                var seen = Set(change.after)
                for parent in change.after { seen.formUnion(ancestors[parent] ?? []) }
                guard isPossible(change, having: seen) else { continue }
                ancestors[change.id] = seen
                depths[change.id] = (change.after.compactMap { depths[$0] }.max() ?? -1) + 1
                isGrowing = true
            }
        }
        order = ancestors.keys.sorted { (depths[$0] ?? 0, $0) < (depths[$1] ?? 0, $1) }
        judgeAll()
    }

    /// Whether an event can count at all: an ancestor gives its author the right, whether or not that ancestor counts.
    private func isPossible(_ change: PlainChange, having seen: Set<EventID>) -> Bool {
        let author = change.log.author
        let before = seen.compactMap { changes[$0] }
        let creations = before.filter { if case .create = $0.action { true } else { false } }
        let isCreator = creations.contains { $0.log.author == author }
        let isNamed = (creations + before.filter { $0.action == .add }).contains { $0.subjects.contains(author) }
        switch change.action {
        case .create: return true
        case .leave: return isCreator || isNamed
        default:
            return isCreator
                || isNamed && before.contains { $0.action == .appoint && $0.subjects.contains(author) }
        }
    }

    /// The events that are to be held (groups.md, "What is held"): those that wait, and those that can count. Offices are
    /// too small for the other bounds.
    package var held: Set<EventID> {
        let waiting = changes.values.filter { !$0.after.allSatisfy { ancestors[$0] != nil } }
        return Set(ancestors.keys).union(waiting.map(\.id))
    }

    /// Whether an event is somebody's departure.
    package func isDeparture(_ id: EventID) -> Bool { changes[id]?.action == .leave }

    /// The same evaluation, of the event and of what its author had seen.
    package func asSeen(by id: EventID) -> PlainMembership {
        let seen = (ancestors[id] ?? []).union([id])
        return PlainMembership(seen.compactMap { changes[$0] })
    }

    /// What a former member may be told about the group: the events that removed it, and everything that their authors
    /// had seen. All events are told if it would count as a member by these, or by these, all its additions and what
    /// their authors had seen (groups.md, "Being removed").
    package func farewell(to peer: PeerID) -> Set<EventID> {
        func pasts(_ ids: some Sequence<EventID>) -> Set<EventID> {
            ids.reduce(into: []) { $0.formUnion((ancestors[$1] ?? []).union([$1])) }
        }
        func isIn(_ ids: Set<EventID>) -> Bool {
            !PlainMembership(ids.compactMap { changes[$0] }).members(among: [peer]).isEmpty
        }
        let told = pasts((losses[Right(capability: .member, peer: peer)] ?? []).map(\.id))
        let additions = ancestors.keys.filter {
            changes[$0]?.action == .add && changes[$0]?.subjects.contains(peer) == true
        }
        return isIn(told) || isIn(told.union(pasts(additions))) ? Set(ancestors.keys) : told
    }

    package func members(among peers: [PeerID]) -> [PeerID] { peers.filter { holds(.member, $0) } }

    package func admins(among peers: [PeerID]) -> [PeerID] { members(among: peers).filter { holds(.admin, $0) } }

    package func wasGiven(_ capability: Capability, _ peer: PeerID) -> Bool {
        gains[Right(capability: capability, peer: peer)] != nil
    }

    package func standing(_ capability: Capability, of log: LogID, at sequence: UInt64) -> Standing {
        if has(capability, of: log, at: sequence, ifNamed: { _ in false }) { return .yes }
        return has(capability, of: log, at: sequence) { _ in true } ? .ifNamed : .no
    }

    /// Whether the author of a log has something at a position of the log.
    ///
    /// - Parameter named: whether the log had named an event by then.
    func has(
        _ capability: Capability,
        of log: LogID,
        at sequence: UInt64,
        ifNamed named: (EventID) -> Bool
    ) -> Bool {
        let right = Right(capability: capability, peer: log.author)
        guard let gains = gains[right] else { return false }
        let open = (losses[right] ?? []).filter { loss in
            let own = loss.action == .leave && loss.log == log ? loss.sequence : 0
            return max(loss.marks[log] ?? 0, own) < sequence
        }
        return open.isEmpty || gains.contains { makesUp($0, for: open) && named($0.id) }
    }

    private mutating func judgeAll() {
        for id in order {
            if case .create = changes[id]?.action { judge(id) }
        }
        var next = 0
        while next < seniority.count {
            for id in order where changes[id]?.log.author == seniority[next] { judge(id) }
            next += 1
        }
        for id in order { judge(id) }
    }

    private mutating func judge(_ id: EventID) {
        guard !judged.contains(id), let seen = ancestors[id] else { return }
        for earlier in order + [id] where seen.contains(earlier) || earlier == id {
            guard judged.insert(earlier).inserted, let change = changes[earlier], may(change), isWithinShare(change)
            else { continue }
            valid.insert(earlier)
            made[change.log.author, default: []].append(change)
            carryOut(change)
        }
    }

    private func may(_ change: PlainChange) -> Bool {
        switch change.action {
        case .create: true
        case .leave: had(.member, change)
        default: had(.admin, change) && had(.member, change)
        }
    }

    /// An author's changes count up to a number, separately for creations, for what gives and for what takes;
    /// departures always count.
    private func isWithinShare(_ change: PlainChange) -> Bool {
        let earlier = made[change.log.author] ?? []
        func count(_ actions: PlainChange.Action...) -> Int { earlier.count { actions.contains($0.action) } }
        return switch change.action {
        case .create: count(change.action) < Limits.membershipCreations
        case .add, .appoint: count(.add, .appoint) < Limits.membershipChanges
        case .remove, .dismiss: count(.remove, .dismiss) < Limits.membershipChanges
        case .leave: true
        }
    }

    /// Whether the author of an event had something: if the one who took it had seen the event, the author still had
    /// it.
    private func had(_ capability: Capability, _ change: PlainChange) -> Bool {
        let right = Right(capability: capability, peer: change.log.author)
        let open = (losses[right] ?? []).filter { ancestors[$0.id]?.contains(change.id) == false }
        return (gains[right] ?? []).contains { gain in
            ancestors[change.id]?.contains(gain.id) == true && makesUp(gain, for: open)
        }
    }

    private mutating func carryOut(_ change: PlainChange) {
        let author = change.log.author
        switch change.action {
        case .create:
            give(.member, [author], change)
            give(.admin, [author], change)
            give(.member, change.subjects, change)
        case .add: give(.member, change.subjects, change)
        case .appoint: give(.admin, change.subjects, change)
        case .remove, .leave:
            take(.member, change)
            take(.admin, change)
        case .dismiss: take(.admin, change)
        }
    }

    private mutating func give(_ capability: Capability, _ peers: [PeerID], _ change: PlainChange) {
        for peer in peers {
            let gain = Gain(id: change.id, seen: ancestors[change.id] ?? [])
            gains[Right(capability: capability, peer: peer), default: []].append(gain)
            if capability == .admin && !seniority.contains(peer) { seniority.append(peer) }
        }
    }

    private mutating func take(_ capability: Capability, _ change: PlainChange) {
        for peer in change.subjects { losses[Right(capability: capability, peer: peer), default: []].append(change) }
    }

    private func holds(_ capability: Capability, _ peer: PeerID) -> Bool {
        let right = Right(capability: capability, peer: peer)
        return (gains[right] ?? []).contains { makesUp($0, for: losses[right] ?? []) }
    }

    private func makesUp(_ gain: Gain, for losses: [PlainChange]) -> Bool {
        losses.allSatisfy { gain.seen.contains($0.id) }
    }
}
