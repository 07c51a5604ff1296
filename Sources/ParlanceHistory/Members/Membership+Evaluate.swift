import ParlanceRecords
import ParlanceWire

// Evaluating membership events (groups.md, "Evaluation").
//
// Admins are processed in the order of their appointment, the creator first; the events of each in their order, and
// before each event what its author had seen. An event counts if its author holds the right at that moment. If two
// admins remove each other, the senior one stays, on every device.
extension Membership {
    struct Evaluation {
        /// The events whose ancestors are all held, sorted by the longest path to an event without parents, then by ID.
        /// Events that can never count, and their descendants, are left out.
        private(set) var events: [Seen] = []
        /// The events that can never count, regardless of what else is held.
        private(set) var idle: Set<EventID> = []
        /// The events that wait for one that is not held.
        private(set) var waiting: [MembershipChange] = []
        /// By identity, the places of the events that name it as an admin or as a member, whether or not these events
        /// count.
        private(set) var makingAdmin: [PeerID: [Int]] = [:]
        private var makingMember: [PeerID: [Int]] = [:]
        private(set) var ownEvents: [PeerID: [Int]] = [:]
        private var visited: PlaceSet
        /// The number of places; each place is smaller.
        let capacity: Int
        let rules: MembershipRules
        private(set) var admins: [PeerID] = []
        /// The same as a set.
        private(set) var areAdmins: Set<PeerID> = []
        /// How many identities are members at present.
        private var memberCount = 0
        /// The places of the events that count.
        private var counting: PlaceSet
        /// The places of events that do not count and that counting ones had seen; only in a charter.
        private var voidSeen: PlaceSet
        /// The number of events that count or that counting ones had seen.
        private var seenCount = 0
        /// How many of these do not count, by the author whose counting event was the first to have seen them.
        private var brought: [PeerID: Int] = [:]
        /// By the key that they name, the rotations that count or are copies.
        private var rotations: [Bytes32: [Seen]] = [:]
        /// Rotations that would count if no other one named the same key.
        private(set) var copies: Set<EventID> = []
        /// Those whom seniority shielded from a loss, by its event.
        private(set) var spared: [EventID: [PeerID]] = [:]
        private(set) var shares: [PeerID: Share] = [:]
        private(set) var valid: Set<EventID> = []
        private(set) var standings: SortedTable<PeerID, Standings> = [:]
        private(set) var names: SortedTable<PeerID, String> = [:]
        private(set) var title = ""
    }
}

extension Membership.Evaluation {
    init(_ changes: [EventID: MembershipChange], _ rules: MembershipRules) {
        let order = Self.sort(changes)
        self.rules = rules
        capacity = order.count
        visited = PlaceSet(count: capacity)
        counting = visited
        voidSeen = visited
        var places: [EventID: Int] = [:]
        for change in order.compactMap({ changes[$0] }) where change.after.allSatisfy({ places[$0] != nil }) {
            let place = events.count
            var ancestors = PlaceSet(count: place)
            for parent in change.after.compactMap({ places[$0] }) {
                ancestors.formUnion(events[parent].ancestors)
                ancestors.insert(parent)
            }
            guard couldCount(change, after: ancestors) else {
                idle.insert(change.id)
                continue
            }
            places[change.id] = place
            ownEvents[change.log.author, default: []].append(place)
            events.append(Membership.Seen(change, place: place, ancestors: ancestors))
            noteWhatItMakes(change, at: place)
        }
        waiting = changes.values.filter { places[$0.id] == nil && !idle.contains($0.id) }
    }

    /// Evaluates the events of a set that are to be held (groups.md, "What is held"), and removes the others from the
    /// set.
    static func settled(_ changes: inout [EventID: MembershipChange], _ rules: MembershipRules) -> Self {
        while true {
            var evaluation = Self(changes, rules)
            evaluation.run()
            let held = evaluation.held(of: changes)
            guard held.count < changes.count else { return evaluation }
            // Descendants of a removed event wait from now on.
            changes = changes.filter { held.contains($0.key) }
        }
    }

    /// Whether an event can count at all: an event that its author had seen must name the author in the necessary role.
    private func couldCount(_ change: MembershipChange, after ancestors: PlaceSet) -> Bool {
        func isNamed(_ makers: [PeerID: [Int]]) -> Bool {
            makers[change.log.author]?.reversed().contains { ancestors.contains($0) } == true
        }
        return switch change.action {
        case .create: true
        case .leave: isNamed(makingMember)
        case .add, .remove, .appoint, .dismiss, .admit, .note: isNamed(makingMember) && isNamed(makingAdmin)
        }
    }

    private mutating func noteWhatItMakes(_ change: MembershipChange, at place: Int) {
        switch change.action {
        case .create:
            makingAdmin[change.log.author, default: []].append(place)
            for peer in [change.log.author] + change.subjects { makingMember[peer, default: []].append(place) }
        case .add, .admit: for peer in change.subjects { makingMember[peer, default: []].append(place) }
        case .appoint:
            for peer in change.subjects {
                makingAdmin[peer, default: []].append(place)
                if rules.isCharter { makingMember[peer, default: []].append(place) }
            }
        case .remove, .dismiss, .leave, .note: break
        }
    }

    /// Events with all ancestors held, parents before children; a pure function of the set.
    private static func sort(_ changes: [EventID: MembershipChange]) -> [EventID] {
        var children: [EventID: [EventID]] = [:]
        var lacking: [EventID: Int] = [:]
        var depth: [EventID: Int] = [:]
        var ready: [EventID] = []
        for (id, change) in changes {
            let parents = Set(change.after)
            lacking[id] = parents.count
            for parent in parents { children[parent, default: []].append(id) }
            if parents.isEmpty { ready.append(id) }
        }
        var sorted: [EventID] = []
        while let id = ready.popLast() {
            sorted.append(id)
            for child in children[id] ?? [] {
                depth[child] = max(depth[child] ?? 0, (depth[id] ?? 0) + 1)
                lacking[child, default: 0] -= 1
                if lacking[child] == 0 { ready.append(child) }
            }
        }
        return sorted.sorted { (depth[$0] ?? 0, $0) < (depth[$1] ?? 0, $1) }
    }

    private mutating func run() {
        for event in events where event.change.isCreation { visit(event) }
        var next = 0
        while next < admins.count {
            for place in ownEvents[admins[next]] ?? [] { visit(events[place]) }
            next += 1
        }
        for event in events { visit(event) }
        if rules.isCharter { leaveOutCopies() }
    }

    /// Of the rotations that name one key, keeps one: the most senior author's first one, of those that had not seen
    /// another. So nobody's copy of a rotation takes effect in place of a senior's, in whatever order they are judged.
    private mutating func leaveOutCopies() {
        let rank = Dictionary(uniqueKeysWithValues: admins.enumerated().map { ($1, $0) })
        func key(_ event: Membership.Seen) -> (Int, Int) { (rank[event.change.log.author] ?? .max, event.place) }
        for same in rotations.values where same.count > 1 {
            let originals = same.filter { event in !same.contains { event.knows($0) } }
            let kept = originals.min { key($0) < key($1) }
            for event in same where event != kept {
                valid.remove(event.change.id)
                copies.insert(event.change.id)
            }
        }
    }

    /// Judges an event, after everything that its author had seen.
    private mutating func visit(_ event: Membership.Seen) {
        guard !visited.contains(event.place) else { return }
        for earlier in event.ancestors.subtracting(visited) { judge(events[earlier]) }
        judge(event)
    }

    private mutating func judge(_ event: Membership.Seen) {
        visited.insert(event.place)
        let change = event.change
        switch change.action {
        case .create(let title) where hasRoom(event):
            // All creations of a group are identical. Repeating one does not make up for a later loss.
            self.title = title
            give([change.log.author], .member, event)
            give([change.log.author], .admin, event)
            give(change.subjects, .member, event)
        case .add where may(.admin, event), .admit where may(.admin, event): give(change.subjects, .member, event)
        case .appoint where may(.admin, event):
            give(change.subjects, .admin, event)
            if rules.isCharter { give(change.subjects, .member, event) }
        case .remove where may(.admin, event), .leave where may(.member, event):
            guard take([.member, .admin], event) else { return }
        case .dismiss where may(.admin, event):
            guard take([.admin], event) else { return }
        case .note(let note) where may(.admin, event):
            if let key = note.key { rotations[key, default: []].append(event) }
        default: return
        }
        valid.insert(change.id)
        if rules.isCharter {
            let found = newlySeenVoid(event)
            voidSeen.formUnion(found)
            brought[change.log.author, default: 0] += found.count
            seenCount += 1 + found.count
        }
        counting.insert(event.place)
        shares[change.log.author, default: Membership.Share()].count(change.action)
    }

    /// Whether the author may perform the event's action. An admin must also be a member, with room for one more
    /// change.
    private func may(_ capability: Membership.Capability, _ event: Membership.Seen) -> Bool {
        holds(capability, event) && (capability == .member || holds(.member, event) && hasRoom(event))
    }

    private func hasRoom(_ event: Membership.Seen) -> Bool {
        let share = shares[event.change.log.author, default: Membership.Share()]
        guard share.hasRoom(for: event.change.action, rules) else { return false }
        guard let bounds = rules.charter else { return true }
        // Its own author pays for what does not count, so nobody can use up what another may have seen.
        let found = newlySeenVoid(event).count
        return valid.count < bounds.events && seenCount + found < bounds.seen
            && brought[event.change.log.author, default: 0] + found <= bounds.voidSeen
    }

    /// What an author had seen that does not count, and that no counting event had seen so far.
    private func newlySeenVoid(_ event: Membership.Seen) -> PlaceSet {
        var found = event.ancestors
        found.subtract(counting)
        found.subtract(voidSeen)
        return found
    }

    /// Whether the author holds a capability at an event: it had seen a gain that makes up for each loss that stands
    /// and is not later than the event.
    private func holds(_ capability: Membership.Capability, _ event: Membership.Seen) -> Bool {
        guard let standing = standings[event.change.log.author]?[capability] else { return false }
        var open = PlaceSet(count: capacity)
        // A loss does not affect an event that its author had seen. Comparing positions in the log would fail for
        // forks.
        for loss in standing.losses where !loss.knows(event) { open.insert(loss.place) }
        return standing.gains.reversed().contains { gain in
            event.knows(gain.event) && gain.makesUp(for: open)
        }
    }

    private mutating func give(
        _ peers: [PeerID],
        _ capability: Membership.Capability,
        _ event: Membership.Seen
    ) {
        // In a charter only the end of an exclusion makes up for it.
        let lifts = capability == .admin || event.change.action != .admit && event.change.action != .appoint
        for peer in peers {
            if capability == .member {
                guard memberCount < rules.members else { return }
                if let name = event.change.names[peer], !name.isEmpty { names[peer] = name }
            }
            if capability == .admin && !areAdmins.contains(peer) {
                guard admins.count < rules.admins else { continue }
                areAdmins.insert(peer)
                admins.append(peer)
            }
            let isNew = standings[peer, default: Membership.Standings()][capability].gain(by: event, lifts: lifts)
            if isNew && capability == .member { memberCount += 1 }
        }
    }

    /// - Returns: whether the event takes something from anybody.
    private mutating func take(_ capabilities: [Membership.Capability], _ event: Membership.Seen) -> Bool {
        let author = event.change.log.author
        let shielded = event.change.subjects.filter { isShielded($0, from: author) }
        let peers = event.change.subjects.filter { !shielded.contains($0) }
        if !shielded.isEmpty { spared[event.change.id] = shielded }
        for peer in peers {
            for capability in capabilities {
                let wasHeld = standings[peer, default: Membership.Standings()][capability].lose(by: event, of: capacity)
                if wasHeld && capability == .member { memberCount -= 1 }
            }
        }
        return !peers.isEmpty
    }

    /// Whether somebody is an admin of a charter who became it before somebody else: no junior takes anything from them.
    private func isShielded(_ peer: PeerID, from author: PeerID) -> Bool {
        guard rules.isCharter, peer != author, let standing = standings[peer], standing[.admin].isHeld,
            standing[.member].isHeld
        else { return false }
        return admins.first { $0 == peer || $0 == author } == peer
    }
}

extension MembershipChange {
    fileprivate var isCreation: Bool { if case .create = action { true } else { false } }
}
