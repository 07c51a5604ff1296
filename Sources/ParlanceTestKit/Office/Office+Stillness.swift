import ParlanceCore
import ParlanceWire

// A quiet while in the middle of the run: who is down stays down, who is cut off stays cut off, and nothing new goes wrong.
// Then those who can reach each other must agree (`Checker.checkReachable`), as all must in the end.
extension Office {
    func beStill() {
        guard stillUntil == 0 else { return }
        happened("nothing new happens for a while", kind: "stillness")
        stillUntil = world.now - 1_000 + Self.stillness
        world.network.calm()
        for (index, node) in world.nodes.enumerated() {
            node.trouble = DiskTrouble()
            if node.isStopping || node.isDiskGone { world.crash(index) }
        }
    }

    func lookAround() {
        askForViews()
        if checker.violation == nil { checker.checkReachable() }
    }

    /// What the nodes that run say of others and of deliveries.
    func askForViews() {
        for (index, node) in world.nodes.enumerated() where node.isUp {
            checker.finalViews[index] = [:]
            give(.listDeliveries, to: index)
            give(.listPeers, to: index)
        }
        rest(0)
    }

    /// 90 seconds, after a link that died in silence has been given up.
    private static let stillness: Int64 = convergence + Limits.silenceMilliseconds
}
