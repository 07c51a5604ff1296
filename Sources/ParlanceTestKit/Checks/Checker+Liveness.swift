import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Checks that everything that can get through does, even while others are away.
extension Checker {
    /// Nodes that run and can reach each other agree, as all nodes must in the end.
    func checkReachable() {
        let up = world.nodes.indices.filter { world.nodes[$0].isUp && isHonest($0) }
        for a in up {
            for b in up where a < b && isMutual(a, b) && mustReach(a, b) {
                guard violation == nil else { return }
                checkPair(a, b)
            }
        }
        for group in Set(up.flatMap { world.nodes[$0].disk.groups }).sorted() {
            for circle in circles(of: group, among: up, where: { self.mustReach($0, $1) }) {
                guard violation == nil else { return }
                check(group, circle)
            }
        }
    }

    /// Whether two running nodes are linked by now: one can dial the other, and does not wait because it was sent away.
    private func mustReach(_ a: Int, _ b: Int) -> Bool {
        world.canMeet(a, b)
            && [(a, b), (b, a)].contains { from, to in
                guard world.network.canDial(from: from, to: to) else { return false }
                guard world.links(between: a, b) == 0, let since = watches[from].links.sentAway[to] else { return true }
                return world.now - since > Limits.backoffRefusedMilliseconds + Office.convergence
            }
    }

    /// What a peer refused waits again as soon as the peer no longer refuses it.
    func checkRefusals() {
        for node in world.nodes.indices {
            for peer in world.nodes.indices where peer != node {
                guard world.nodes[node].disk.peers[world.nodes[peer].identity]?.refusedThrough != nil,
                    isMutual(node, peer), isSteady(node, peer),
                    [(node, peer), (peer, node)].allSatisfy({
                        world.now - (watches[$0].opinionSince[$1] ?? 0) > Self.settling
                    })
                else { continue }
                return violate("\(name(node)) takes what \(name(peer)) refused before for refused still")
            }
        }
    }

    // Couriers.

    /// Whether two of three nodes can carry for the first: all know each other, are linked, have the right time and
    /// agree to carry.
    ///
    /// - Parameter isAway: whether the first node is away by now.
    func couldCarry(_ node: Int, among three: [Int], isAway: Bool = false) -> Bool {
        let isUsual =
            world.network.cutOnceIn == nil && world.network.handshakeDiesOnceIn == nil && world.network.slowest <= 10
        guard isUsual, Set(three).count == 3, !three.contains(where: { !isHonest($0) || $0 == world.network.older })
        else { return false }
        for one in three where !isAway || one != node {
            let machine = world.nodes[one]
            guard machine.isUp, !machine.isStopping, machine.trouble == DiskTrouble(),
                (0..<2_000).contains(world.skew[one])
            else {
                return false
            }
            for other in three where other != one {
                guard isMutual(one, other), machine.disk.peers[world.nodes[other].identity]?.isCourier == true else {
                    return false
                }
                // Keys are exchanged a second after the greeting.
                let hasKeys =
                    world.links(between: one, other) == 1
                    && watches[one].links.isSteady(other, since: world.now - 5_000)
                    && !isStalled(one, other, since: world.now - 5_000)
                guard isAway && other == node || hasKeys else { return false }
            }
        }
        return true
    }

    /// Whether the network held back, after a moment, what was sent on an open link of two nodes.
    private func isStalled(_ a: Int, _ b: Int, since moment: Int64) -> Bool {
        world.pipes.values.contains { $0.stalledUntil > moment && $0.isBetween(a, b) }
    }

    /// A courier holds what one node wrote to another that is away.
    func checkCarried(for node: Int, by author: Int) {
        let conversation = conversation(node, author)
        let log = LogID(author: world.nodes[author].identity, replica: world.nodes[author].replica)
        // A message that was just written is on its way to a courier, and a read that failed is tried again after 5 s. While
        // the network still delays the end of the link to the node, its author takes the node for present.
        guard world.now - (watches[author].wrote[conversation] ?? 0) > 10_000, !watches[author].links.isLinked(node)
        else { return }
        guard let view = finalViews[author]?[conversation], let recipient = view.recipients.first,
            let own = view.logs.first(where: { $0.log == log }), let progress = own.progress.first,
            progress.delivered.sequence < world.nodes[author].disk.position(of: LogKey(conversation, log)).sequence
        else { return }
        if case .held = recipient.reason { return }
        violate(
            "\(name(author)) leaves nothing with a courier for \(name(node)): \(String(describing: recipient.reason))"
        )
    }
}
