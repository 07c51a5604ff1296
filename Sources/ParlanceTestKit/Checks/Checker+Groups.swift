import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Checks what must hold for groups: while people write, and for each group once the faults have stopped.
extension Checker {
    /// The people who, as a node durably knows, are no longer in a group.
    func outsiders(of group: ConversationID, for node: Int) -> Set<Int> {
        guard let membership = world.nodes[node].disk.memberships[group] else { return [] }
        return Set(membership.everMembers.filter { !membership.isMember($0) }.compactMap { indexes[$0] })
    }

    /// A former member does not get what an author wrote who knew of the removal, except from a node that does not know
    /// of it yet, or that knows of a new addition.
    func checkOutsider(_ batch: PersistBatch, _ node: Int) {
        for event in batch.events where event.header.kind == .message {
            guard let message = accepted[event.id], message.outsiders.contains(node) else { continue }
            let group = event.header.conversation
            let isMemberForAnybody = world.nodes.indices.contains { other in
                other != node
                    && world.nodes[other].disk.memberships[group]?.isMember(world.nodes[node].identity) == true
            }
            if !isMemberForAnybody {
                violate("\(name(node)) was removed and gets \"\(message.text.prefix(40))\", whose author knew it")
            }
        }
    }

    // In the end.

    func checkGroups() {
        for group in Set(world.nodes.flatMap(\.disk.groups)).sorted() {
            for circle in circles(of: group, among: Array(world.nodes.indices)) {
                guard violation == nil else { return }
                check(group, circle)
            }
        }
    }

    private func membership(_ group: ConversationID, _ node: Int) -> Membership? {
        world.nodes[node].disk.memberships[group]
    }

    /// Whether a node regards somebody as a member of a group.
    private func counts(_ other: Int, _ group: ConversationID, for node: Int) -> Bool {
        membership(group, node)?.isMember(world.nodes[other].identity) == true
    }

    private func isBlocked(_ other: Int, by node: Int) -> Bool {
        world.nodes[node].disk.peers[world.nodes[other].identity]?.trust == .blocked
    }

    /// The lists of members who must agree on a group: members who are in contact with each other, directly or through
    /// others.
    func circles(
        of group: ConversationID,
        among nodes: [Int],
        where canReach: (Int, Int) -> Bool = { _, _ in true }
    ) -> [[Int]] {
        let honest = nodes.filter { isHonest($0) }
        let isPeace =
            honest.count == world.nodes.indices.count { isHonest($0) }
            && honest.allSatisfy { a in
                honest.allSatisfy { a == $0 || isMutual(a, $0) && canReach(a, $0) }
            }
        let active = honest.filter { counts($0, group, for: $0) }
        guard !isPeace else {
            // All nodes that a member of the group regards as members.
            let members = honest.filter { node in active.contains { counts(node, group, for: $0) } }
            return members.isEmpty ? [] : [members]
        }
        var left = active
        var circles: [[Int]] = []
        while let first = left.first {
            var circle = [first]
            left.removeFirst()
            var next = 0
            while next < circle.count {
                let node = circle[next]
                next += 1
                let met = left.filter { areFellows(node, $0, group) && canReach(node, $0) }
                circle += met
                left.removeAll { met.contains($0) }
            }
            circles.append(circle.sorted())
        }
        return circles
    }

    /// Whether two members of a group exchange it, if a link is possible. Between two of whom one has not accepted the
    /// other nothing brings the newest key of the workspace, and an older one may not serve them.
    func areFellows(_ a: Int, _ b: Int, _ group: ConversationID) -> Bool {
        counts(a, group, for: b) && counts(b, group, for: a) && !isBlocked(a, by: b) && !isBlocked(b, by: a)
            && (isMutual(a, b) || world.canMeet(a, b) && world.serves(a, b))
    }

    func check(_ group: ConversationID, _ circle: [Int]) {
        for node in circle where !world.nodes[node].disk.groups.contains(group) {
            return violate("\(name(node)) is a member of \(group) and does not know it")
        }
        guard let membership = membership(group, circle[0]) else { return }
        let (first, disk) = (name(circle[0]), world.nodes[circle[0]].disk)
        for node in circle.dropFirst() {
            let other = world.nodes[node].disk
            if let held = self.membership(group, node), held.hash != membership.hash {
                let (more, less) = (lacking(held, membership), lacking(membership, held))
                return violate("of \(group) \(first) holds no change \(less), and \(name(node)) none \(more)")
            }
            let floors = floors(of: group, among: circle, between: circle[0], node)
            if let found = disk.disagreement(with: other, on: group, besides: floors) {
                return violate("\(first) and \(name(node)) differ in \(group): \(found)")
            }
        }
        for node in circle {
            checkMessages(of: group, membership, circle, node)
            checkEffects(of: group, node)
            checkDeletions(of: group, membership, at: node)
            for peer in circle where peer != node && areFellows(node, peer, group) && world.canReach(node, peer) {
                guard violation == nil else { return }
                checkFinalView(of: node, peer, group)
            }
        }
    }

    /// The changes that one node holds and another does not.
    private func lacking(_ one: Membership, _ other: Membership) -> [String] {
        let changes = other.events.filter { !one.contains($0.id) }
        return changes.map { "\($0.header.log.short) \($0.header.sequence)\(other.isValid($0.id) ? "" : " (void)")" }
    }

    /// Every message by a member who was never removed is there.
    private func checkMessages(of group: ConversationID, _ membership: Membership, _ circle: [Int], _ node: Int) {
        let history = world.nodes[node].disk.history(of: group)
        let places = Dictionary(uniqueKeysWithValues: history.enumerated().map { ($1.id, $0) })
        for id in acceptedOrder[group] ?? [] {
            guard let message = accepted[id], isHonest(message.author) || message.author == garbler else { continue }
            let author = world.nodes[message.author].identity
            guard membership.isMember(author), !membership.hasLost(author) else { continue }
            // A message that no queried node holds may be missing: for example, if its author is not among these nodes
            // or was rolled back.
            let isHeld = circle.contains { message.event(on: world.nodes[$0].disk) != nil }
            guard isHeld || circle.contains(message.author) && !awaited.contains(id) && !hasExpired(id) else {
                continue
            }
            check(message, places, node, among: circle)
        }
    }
}
