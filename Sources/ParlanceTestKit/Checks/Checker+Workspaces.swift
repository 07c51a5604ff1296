import ParlanceCore

// Checks that members of a workspace that can meet have the same newest key in the end.
extension Checker {
    func checkKeys() {
        for a in world.nodes.indices {
            for b in world.nodes.indices where a < b && isHonest(a) && isHonest(b) && isMutual(a, b) {
                let (one, other) = (world.nodes[a].disk.workspace, world.nodes[b].disk.workspace)
                if one?.keys.first?.hash != other?.keys.first?.hash
                    || one?.keys.first?.number != other?.keys.first?.number
                {
                    violate("\(name(a)) and \(name(b)) meet, and hold different keys for the newest")
                }
                if one?.removed != other?.removed {
                    violate("\(name(a)) and \(name(b)) meet, and do not agree on who is left out")
                }
            }
        }
    }
}
