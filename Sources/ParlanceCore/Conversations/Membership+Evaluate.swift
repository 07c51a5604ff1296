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
    private let changes: [EventID: MembershipChange]
    private let place: [EventID: Int]
    /// For each place in the order, the places of its ancestors.
    private var ancestors: [PlaceSet] = []
    private var visited: PlaceSet
    private var admins: [PeerID] = []
    private(set) var valid: Set<EventID> = []
    private(set) var standings: [PeerID: Membership.Standing] = [:]
    private(set) var names: [PeerID: String] = [:]
    private(set) var title = ""

    init(_ changes: [EventID: MembershipChange]) {
        self.changes = changes
        order = Self.sort(changes)
        var place: [EventID: Int] = [:]
        for (index, id) in order.enumerated() { place[id] = index }
        self.place = place
        visited = PlaceSet(count: order.count)
        for id in order {
            var set = PlaceSet(count: order.count)
            for parent in changes[id]?.after ?? [] {
                guard let index = place[parent] else { continue }
                set.formUnion(ancestors[index])
                set.insert(index)
            }
            ancestors.append(set)
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
        for index in order.indices where changes[order[index]]?.isCreation == true { visit(index) }
        var next = 0
        while next < admins.count {
            let own = order.indices.filter { changes[order[$0]]?.log.author == admins[next] }
            for index in own { visit(index) }
            next += 1
        }
        for index in order.indices { visit(index) }
    }

    /// Judges an event, after all that its author had seen.
    private mutating func visit(_ index: Int) {
        guard !visited.contains(index) else { return }
        for earlier in ancestors[index].members where !visited.contains(earlier) { judge(earlier) }
        judge(index)
    }

    private mutating func judge(_ index: Int) {
        visited.insert(index)
        guard let change = changes[order[index]] else { return }
        switch change.action {
        case .create(let title):
            // All say the same. One that is written again makes up for nothing that came after.
            self.title = title
            give([change.log.author], .member, change, index)
            give([change.log.author], .admin, change, index)
            give(change.subjects, .member, change, index)
        case .add where may(.admin, change, index): give(change.subjects, .member, change, index)
        case .appoint where may(.admin, change, index): give(change.subjects, .admin, change, index)
        case .remove where may(.admin, change, index), .leave where may(.member, change, index):
            take(change.subjects, [.member, .admin], change)
        case .dismiss where may(.admin, change, index): take(change.subjects, [.admin], change)
        default: return
        }
        valid.insert(change.id)
    }

    /// Whether the author may do it at an event. An admin has to be a member too.
    private func may(_ capability: Membership.Capability, _ change: MembershipChange, _ index: Int) -> Bool {
        holds(capability, change, index) && (capability == .member || holds(.member, change, index))
    }

    /// Whether the author holds a capability at an event: it had seen a gain that makes up for each loss that stands and
    /// is not later than the event.
    private func holds(_ capability: Membership.Capability, _ change: MembershipChange, _ index: Int) -> Bool {
        guard let standing = standings[change.log.author] else { return false }
        // What the author of a loss had seen still counts. A place in the log would not do: a log can be forked.
        let open = (standing.losses[capability] ?? []).filter { loss in
            place[loss.id].map { ancestors[$0].contains(index) } != true
        }
        return (standing.gains[capability] ?? []).contains { gain in
            place[gain.id].map { ancestors[index].contains($0) } == true
                && open.allSatisfy { gain.knows.contains($0.id) }
        }
    }

    private mutating func give(
        _ peers: [PeerID],
        _ capability: Membership.Capability,
        _ change: MembershipChange,
        _ index: Int
    ) {
        for peer in peers {
            if capability == .member {
                guard standings.values.count(where: { $0.holds(.member) }) < Limits.members else { return }
                if let name = change.names[peer], !name.isEmpty { names[peer] = name }
            }
            let lost = standings[peer]?.losses[capability] ?? []
            let known = lost.map(\.id).filter { id in place[id].map { ancestors[index].contains($0) } == true }
            let gain = Membership.Gain(id: change.id, log: change.log, sequence: change.sequence, knows: Set(known))
            standings[peer, default: Membership.Standing()].gains[capability, default: []].append(gain)
            if capability == .admin && !admins.contains(peer) { admins.append(peer) }
        }
    }

    private mutating func take(
        _ peers: [PeerID],
        _ capabilities: [Membership.Capability],
        _ change: MembershipChange
    ) {
        for peer in peers {
            for capability in capabilities {
                standings[peer, default: Membership.Standing()].losses[capability, default: []].append(change)
            }
        }
    }
}

extension MembershipChange {
    fileprivate var isCreation: Bool { if case .create = action { true } else { false } }
}

/// A set of small numbers, as bits.
private struct PlaceSet {
    private var words: [UInt64]

    init(count: Int) {
        words = [UInt64](repeating: 0, count: (count + 63) / 64)
    }

    func contains(_ place: Int) -> Bool { words[place / 64] & (1 << UInt64(place % 64)) != 0 }

    mutating func insert(_ place: Int) { words[place / 64] |= 1 << UInt64(place % 64) }

    mutating func formUnion(_ other: PlaceSet) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    /// Ascending.
    var members: [Int] {
        var found: [Int] = []
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                found.append(index * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return found
    }
}
