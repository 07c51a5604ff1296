import ParlanceCore
import ParlanceWire

// A quiet time in the middle of the run: nodes that are down stay down, nodes that are cut off stay cut off, and there
// are no new faults. Then the nodes that can reach each other must agree (`Checker.checkReachable`), as all must in the
// end.
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
        setQuota(isUsual: true)
    }

    func lookAround() {
        askForViews()
        if checker.violation == nil { checker.checkReachable() }
        setQuota(isUsual: false)
    }

    /// What the running nodes say about others and about deliveries.
    func askForViews() {
        for (index, node) in world.nodes.enumerated() where node.isUp {
            checker.finalViews[index] = [:]
            give(.listDeliveries, to: index)
            give(.listPeers, to: index)
        }
        rest(0)
    }

    /// 90 seconds, after links that died silently have been closed.
    private static let stillness: Int64 = convergence + Limits.silenceMilliseconds
}
