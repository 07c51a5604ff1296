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
                if let charter = one?.charter, charter.id == other?.charter?.id, charter.hash != other?.charter?.hash {
                    violate("\(name(a)) and \(name(b)) meet, and hold different events of the charter")
                }
            }
        }
        checkExclusions()
    }

    /// Nobody holds a key that was named by somebody who knew of the exclusion.
    private func checkExclusions() {
        let charters = world.nodes.indices.filter { isHonest($0) }.compactMap {
            world.nodes[$0].disk.workspace?.charter
        }
        for node in world.nodes.indices where isHonest(node) {
            guard let own = world.nodes[node].disk.workspace, let id = own.charter?.id else { continue }
            for charter in charters where charter.id == id && charter.isExcluded(world.nodes[node].identity) {
                for key in own.keys where charter.rotation(to: key.hash) != nil {
                    if !charter.exposed(by: key.hash).contains(world.nodes[node].identity) {
                        violate("\(name(node)) holds a key that was made without it")
                    }
                }
            }
        }
    }
}
