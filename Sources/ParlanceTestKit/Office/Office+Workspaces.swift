import ParlanceCore
import ParlanceSodium
import ParlanceWire

// Actions of people on their workspace: join by a code, leave, rotate its key, leave somebody out.
extension Office {
    func doInWorkspace(_ kind: Act.Kind, _ node: Int, _ other: Int, _ random: inout SeededGenerator) {
        let (own, theirs) = (world.nodes[node].keys, world.nodes[other].keys)
        switch kind {
        case .joinWorkspace:
            guard own.isEmpty, let key = theirs.first else { return }
            join(node, by: code(of: key))
        case .leaveWorkspace: if !own.isEmpty { give(.workspace(.leave), to: node) }
        case .renewWorkspace: if !own.isEmpty { renewWorkspace(by: node, &random) }
        case .rotateKey: rotate(node, without: [], &random)
        case .changeSettings: changeSettings(of: node, other, &random)
        default: rotate(node, without: [other], &random)
        }
    }

    /// The user changes whether members are accepted automatically, while the node runs. Sometimes somebody is forgotten
    /// at the same time, whose next link shows whether the node heeds the change.
    private func changeSettings(of node: Int, _ other: Int, _ random: inout SeededGenerator) {
        let accepts = !world.nodes[node].acceptsMembers
        world.nodes[node].acceptsMembers = accepts
        happened(
            "\(world.nodes[node].name) \(accepts ? "accepts" : "no longer accepts") members automatically",
            kind: accepts ? "members accepted again" : "members not accepted"
        )
        let fixed = world.endpointsOfOthers(than: node)
        world.tell(.settingsChanged(fixed: fixed, acceptsMembers: accepts), to: node)
        if random.below(2) == 0 { think(.forget, node, other) }
    }

    /// The code that one person gives to another.
    func code(of key: WorkspaceKey) -> String { InvitationCode(name: "office", secret: key.secret).text }

    /// - Parameter makesIt: it has made the key, so it knows that the key is the first.
    func join(_ node: Int, by text: String, makesIt: Bool = false) {
        guard let code = InvitationCode(text: text) else { return checker.violate("an invitation code cannot be read") }
        give(.workspace(.join(name: code.name, makesIt ? WorkspaceKey(secret: code.secret) : code.key)), to: node)
    }

    func newKey(_ random: inout SeededGenerator) -> WorkspaceKey {
        let words = (0..<4).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
        return WorkspaceKey(secret: SecretBytes(copying: words))
    }

    private func rotate(_ node: Int, without others: [Int], _ random: inout SeededGenerator) {
        guard !world.nodes[node].keys.isEmpty else { return }
        happened(
            "\(world.nodes[node].name) rotates the key without \(others.map { world.nodes[$0].name })",
            kind: others.isEmpty ? "key rotated" : "key rotated without somebody"
        )
        give(.workspace(.rotate(newKey(&random), without: others.map { identity($0) })), to: node)
    }

    /// Somebody who was left out gets in again in a new workspace: all who are there leave theirs and join the new one
    /// by its code.
    func renewWorkspace(by node: Int, _ random: inout SeededGenerator) {
        let text = code(of: newKey(&random))
        happened("\(world.nodes[node].name) makes a new workspace", kind: "new workspace")
        for (index, other) in world.nodes.enumerated() where other.isUp && !other.isStopping {
            if !other.keys.isEmpty { give(.workspace(.leave), to: index) }
            join(index, by: text, makesIt: index == node)
        }
    }

    /// Two nodes rotate the key while they cannot reach each other; often a night passes before they meet.
    func rotateApart(_ duration: Int64, _ random: inout SeededGenerator) {
        partition(duration, &random)
        for part in 0...1 {
            let those = world.nodes.indices.filter { index in
                let node = world.nodes[index]
                return world.network.part[index] == part && node.isUp && !node.isStopping && !node.keys.isEmpty
            }
            guard let node = those.first else { continue }
            rotate(node, without: [], &random)
        }
        happened("the key is rotated in both parts", kind: "key rotated apart")
        if random.below(2) == 0 { follow(.night, 0, after: duration * 3 / 4) }
    }
}
