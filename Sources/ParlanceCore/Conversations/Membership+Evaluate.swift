import ParlanceWire

// How membership follows from the events (groups.md, "Evaluation").
//
// Admins are taken in the order in which they were made so, the creator first; each one's events in their order, and
// before each what its author had seen. An event counts if its author holds the right at that moment. So of two admins
// who remove each other the senior stays, on every device.
extension Membership {
    mutating func evaluate() {
        var evaluation = Evaluation(changes)
        evaluation.run()
        valid = evaluation.valid
        standings = evaluation.standings
        evaluated = evaluation.order
        setLabels(title: evaluation.title, names: evaluation.names)
    }
}

private struct Evaluation {
    /// The events whose ancestors are all held: first those without parents, then by the longest way to one, then by ID.
    let order: [EventID]
    /// The same, by their places.
    private var events: [Membership.Seen] = []
    private var ownEvents: [PeerID: [Int]] = [:]
    private var visited: PlaceSet
    private var admins: [PeerID] = []
    /// Who is among them.
    private var areAdmins: Set<PeerID> = []
    /// How many hold membership.
    private var memberCount = 0
    private(set) var valid: Set<EventID> = []
    private(set) var standings: [PeerID: Membership.Standing] = [:]
    private(set) var names: [PeerID: String] = [:]
    private(set) var title = ""

    init(_ changes: [EventID: MembershipChange]) {
        order = Self.sort(changes)
        visited = PlaceSet(count: order.count)
        var places: [EventID: Int] = [:]
        for change in order.compactMap({ changes[$0] }) {
            let place = events.count
            var ancestors = PlaceSet(count: order.count)
            for parent in change.after.compactMap({ places[$0] }) {
                ancestors.formUnion(events[parent].ancestors)
                ancestors.insert(parent)
            }
            places[change.id] = place
            ownEvents[change.log.author, default: []].append(place)
            events.append(Membership.Seen(change, place: place, ancestors: ancestors))
        }
    }

    /// Those with all ancestors held, parents before children; a pure function of the set.
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

    mutating func run() {
        for event in events where event.change.isCreation { visit(event) }
        var next = 0
        while next < admins.count {
            for place in ownEvents[admins[next]] ?? [] { visit(events[place]) }
            next += 1
        }
        for event in events { visit(event) }
    }

    /// Judges an event, after all that its author had seen.
    private mutating func visit(_ event: Membership.Seen) {
        guard !visited.contains(event.place) else { return }
        for earlier in event.ancestors.subtracting(visited) { judge(events[earlier]) }
        judge(event)
    }

    private mutating func judge(_ event: Membership.Seen) {
        visited.insert(event.place)
        let change = event.change
        switch change.action {
        case .create(let title):
            // All say the same. One that is written again makes up for nothing that came after.
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
    }

    /// Whether the author may do it at an event. An admin has to be a member too.
    private func may(_ capability: Membership.Capability, _ event: Membership.Seen) -> Bool {
        holds(capability, event) && (capability == .member || holds(.member, event))
    }

    /// Whether the author holds a capability at an event: it had seen a gain that makes up for each loss that stands and
    /// is not later than the event.
    private func holds(_ capability: Membership.Capability, _ event: Membership.Seen) -> Bool {
        guard let standing = standings[event.change.log.author] else { return false }
        var open = PlaceSet(count: events.count)
        // What the author of a loss had seen still counts. A place in the log would not do: a log can be forked.
        for loss in standing.losses[capability] ?? [] where !loss.knows(event) { open.insert(loss.place) }
        return (standing.gains[capability] ?? []).reversed().contains { gain in
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
            let isNew = standings[peer, default: Membership.Standing()].gain(capability, by: event)
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
                let wasHeld = standings[peer, default: Membership.Standing()].lose(
                    capability,
                    by: event,
                    of: events.count
                )
                if wasHeld && capability == .member { memberCount -= 1 }
            }
        }
    }
}

extension MembershipChange {
    fileprivate var isCreation: Bool { if case .create = action { true } else { false } }
}
