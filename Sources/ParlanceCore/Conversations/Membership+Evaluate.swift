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
        private var idle: Set<EventID> = []
        /// The events that wait for one that is not held.
        private var waiting: [MembershipChange] = []
        /// By identity, the places of the events that name it as an admin or as a member, whether or not these events
        /// count.
        private(set) var makingAdmin: [PeerID: [Int]] = [:]
        private var makingMember: [PeerID: [Int]] = [:]
        private var ownEvents: [PeerID: [Int]] = [:]
        private var visited: PlaceSet
        /// The number of places; each place is smaller.
        private let capacity: Int
        private var admins: [PeerID] = []
        /// The same as a set.
        private var areAdmins: Set<PeerID> = []
        /// How many identities are members at present.
        private var memberCount = 0
        private(set) var shares: [PeerID: Share] = [:]
        private(set) var valid: Set<EventID> = []
        private(set) var standings: SortedTable<PeerID, Standings> = [:]
        private(set) var names: SortedTable<PeerID, String> = [:]
        private(set) var title = ""
    }
}

extension Membership.Evaluation {
    init(_ changes: [EventID: MembershipChange]) {
        let order = Self.sort(changes)
        capacity = order.count
        visited = PlaceSet(count: capacity)
        var places: [EventID: Int] = [:]
        for change in order.compactMap({ changes[$0] }) where change.after.allSatisfy({ places[$0] != nil }) {
            let place = events.count
            var ancestors = PlaceSet(count: capacity)
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
    static func settled(_ changes: inout [EventID: MembershipChange]) -> Self {
        while true {
            var evaluation = Self(changes)
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
        case .add, .remove, .appoint, .dismiss: isNamed(makingMember) && isNamed(makingAdmin)
        }
    }

    private mutating func noteWhatItMakes(_ change: MembershipChange, at place: Int) {
        switch change.action {
        case .create:
            makingAdmin[change.log.author, default: []].append(place)
            for peer in [change.log.author] + change.subjects { makingMember[peer, default: []].append(place) }
        case .add: for peer in change.subjects { makingMember[peer, default: []].append(place) }
        case .appoint: for peer in change.subjects { makingAdmin[peer, default: []].append(place) }
        case .remove, .dismiss, .leave: break
        }
    }

    /// The events to hold: those that count, what the changes among them had seen, and a limited number of the others
    /// for each author.
    private func held(of changes: [EventID: MembershipChange]) -> Set<EventID> {
        guard changes.count > Limits.membershipVoid else { return Set(changes.keys).subtracting(idle) }
        var held = valid
        var seen = PlaceSet(count: capacity)
        for event in events where valid.contains(event.change.id) && event.change.action != .leave {
            seen.formUnion(event.ancestors)
        }
        for event in events where seen.contains(event.place) { held.insert(event.change.id) }
        var void: [VoidShare: Int] = [:]
        for event in events where !held.contains(event.change.id) {
            let share = share(event.change)
            guard void[share, default: 0] < share.limit else { continue }
            void[share, default: 0] += 1
            held.insert(event.change.id)
        }
        var waits: [PeerID?: Int] = [:]
        for change in waiting.sorted(by: { ($0.sequence, $0.id) < ($1.sequence, $1.id) }) {
            guard waits[sharer(change), default: 0] < Limits.membershipWaiting else { continue }
            waits[sharer(change), default: 0] += 1
            held.insert(change.id)
        }
        return held
    }

    /// The events that do not count at present and share one limit. For an admin's changes that limit equals the number
    /// that could count: if they count later, no node may have dropped them.
    private struct VoidShare: Hashable {
        let author: PeerID?
        /// `nil` for departures, creations, and all events of identities that were never members.
        let isLoss: Bool?
        var limit: Int { isLoss == nil ? Limits.membershipVoid : Limits.membershipChanges }
    }

    private func share(_ change: MembershipChange) -> VoidShare {
        let author = sharer(change)
        return switch change.action {
        case .create, .leave: VoidShare(author: author, isLoss: nil)
        // Only identities that an appointment names can make these (`couldCount`).
        case .add, .remove, .appoint, .dismiss:
            VoidShare(author: author, isLoss: author == nil ? nil : change.action.isLoss)
        }
    }

    /// The identity whose share an event counts against. Identities that were never members share one: there may be any
    /// number of them.
    private func sharer(_ change: MembershipChange) -> PeerID? {
        standings[change.log.author]?[.member].wasHeld == true ? change.log.author : nil
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
        case .create(let title) where hasRoom(change):
            // All creations of a group are identical. Repeating one does not make up for a later loss.
            self.title = title
            give([change.log.author], .member, event)
            give([change.log.author], .admin, event)
            give(change.subjects, .member, event)
        case .add where may(.admin, event): give(change.subjects, .member, event)
        case .appoint where may(.admin, event): give(change.subjects, .admin, event)
        case .remove where may(.admin, event), .leave where may(.member, event):
            take(change.subjects, [.member, .admin], event)
        case .dismiss where may(.admin, event): take(change.subjects, [.admin], event)
        default: return
        }
        valid.insert(change.id)
        shares[change.log.author, default: Membership.Share()].count(change.action)
    }

    /// Whether the author may perform the event's action. An admin must also be a member, with room for one more
    /// change.
    private func may(_ capability: Membership.Capability, _ event: Membership.Seen) -> Bool {
        holds(capability, event) && (capability == .member || holds(.member, event) && hasRoom(event.change))
    }

    private func hasRoom(_ change: MembershipChange) -> Bool {
        shares[change.log.author, default: Membership.Share()].hasRoom(for: change.action)
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
            event.knows(gain.event) && gain.event.ancestors.isSuperset(of: open)
        }
    }

    private mutating func give(
        _ peers: [PeerID],
        _ capability: Membership.Capability,
        _ event: Membership.Seen
    ) {
        for peer in peers {
            if capability == .member {
                guard memberCount < Limits.members else { return }
                if let name = event.change.names[peer], !name.isEmpty { names[peer] = name }
            }
            let isNew = standings[peer, default: Membership.Standings()][capability].gain(by: event)
            if isNew && capability == .member { memberCount += 1 }
            if capability == .admin && areAdmins.insert(peer).inserted { admins.append(peer) }
        }
    }

    private mutating func take(
        _ peers: [PeerID],
        _ capabilities: [Membership.Capability],
        _ event: Membership.Seen
    ) {
        for peer in peers {
            for capability in capabilities {
                let wasHeld = standings[peer, default: Membership.Standings()][capability].lose(by: event, of: capacity)
                if wasHeld && capability == .member { memberCount -= 1 }
            }
        }
    }
}

extension MembershipChange {
    fileprivate var isCreation: Bool { if case .create = action { true } else { false } }
}
