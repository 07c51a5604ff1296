import ParlanceCore
import ParlanceHistory
import ParlanceSodium
import ParlanceWire

// Actions of people on their workspace: join by a code, leave, rotate its key, leave somebody out.
extension Office {
    func doInWorkspace(_ kind: Act.Kind, _ node: Int, _ other: Int, _ random: inout SeededGenerator) {
        let (own, theirs) = (world.nodes[node].keys, world.nodes[other].keys)
        switch kind {
        case .joinWorkspace:
            guard own.isEmpty, let key = theirs.first else { return }
            let workspace = world.nodes[other].disk.workspace
            // Nobody gives the code to somebody whom the admins excluded.
            guard workspace?.charter?.isExcluded(world.nodes[node].identity) != true else { return }
            join(node, by: code(of: key, workspace?.charter.map { CharterPrefix(of: $0.id) } ?? workspace?.code))
        case .rotateKey where script.hasCharter && !own.isEmpty && random.below(3) > 0:
            changeCharter(node, other, &random)
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

    /// An admin makes another one or takes the right back, lets somebody in, ends an exclusion or suggests something; who
    /// is none is refused.
    private func changeCharter(_ node: Int, _ other: Int, _ random: inout SeededGenerator) {
        let changes: [CharterCommand] = [
            .appoint, .appoint, .dismiss, .readmit, .readmit, .admit,
            .policy(name: "retention", value: "\(random.below(9))"),
        ]
        let change = changes[Int(random.below(Int64(changes.count)))]
        happened("\(world.nodes[node].name) changes the charter: \(change)", kind: "charter changed")
        let who = if case .policy = change { [String]() } else { [identity(other)] }
        give(.workspace(.change(change, who: who)), to: node)
    }

    /// The code that one person gives to another.
    func code(of key: WorkspaceKey, _ charter: CharterPrefix? = nil) -> String {
        InvitationCode(name: Self.workspaceName, secret: key.secret, charter: charter).text
    }

    /// The code of a new workspace that somebody makes.
    func newCode(by node: Int, _ random: inout SeededGenerator) -> String {
        let key = newKey(&random)
        guard script.hasCharter else { return code(of: key) }
        charters += 1
        let body = Charter.creation(Self.workspaceName, nonce)
        return code(of: key, CharterPrefix(of: ConversationID(creator: world.nodes[node].identity, charter: body)))
    }

    private static let workspaceName = "office"

    private var nonce: [UInt8] { [UInt8](repeating: charters, count: ReplicaID.count) }

    /// - Parameter makesIt: it has made the key, so it knows that the key is the first.
    func join(_ node: Int, by text: String, makesIt: Bool = false) {
        guard let code = InvitationCode(text: text) else { return checker.violate("an invitation code cannot be read") }
        if let charter = code.charter {
            let key = WorkspaceKey(secret: code.secret)
            let command: WorkspaceCommand =
                makesIt ? .found(name: code.name, key, nonce: nonce) : .join(name: code.name, code.key, charter)
            give(.workspace(command), to: node)
            return
        }
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
        let text = newCode(by: node, &random)
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
            let admins = those.filter {
                world.nodes[$0].disk.workspace?.charter?.isAdmin(world.nodes[$0].identity) == true
            }
            guard let node = admins.first ?? those.first else { continue }
            // With a charter, each part excludes somebody now and then.
            let others = script.hasCharter && random.below(2) == 0 ? those.suffix(1).filter { $0 != node } : []
            rotate(node, without: others, &random)
        }
        happened("the key is rotated in both parts", kind: "key rotated apart")
        if random.below(2) == 0 { follow(.night, 0, after: duration * 3 / 4) }
    }
}
