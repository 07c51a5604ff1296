import ParlanceRecords
package import ParlanceSodium
package import ParlanceWire

/// A network of nodes that share a key: only nodes with the key complete the handshake (workspaces.md).
package struct Workspace: Equatable, Sendable {
    /// A label. Members usually choose the same, but nothing enforces it.
    package var name: String
    /// The newest first; at least one.
    package var keys: [WorkspaceKey]
    /// Identities that were left out of a rotation: they get no newer key and no link. Only without a charter: with one,
    /// they are excluded there.
    package var removed: Set<PeerID> = []
    /// What the admins have signed (charter.md); `nil` in a workspace without a charter, and as long as this node does
    /// not know which one it has.
    package var charter: Charter?
    /// What the invitation code says about the charter; `nil` if this node joined without such a code.
    package var code: CharterPrefix?
    /// The invitation that the code bears; `nil` if it bears none.
    package var invitation: InvitationKey?

    package init(
        name: String,
        keys: [WorkspaceKey],
        charter: Charter? = nil,
        code: CharterPrefix? = nil,
        _ invitation: InvitationKey? = nil
    ) {
        self.name = name
        self.keys = keys
        self.charter = charter
        self.code = code
        self.invitation = invitation
    }

    package var newest: WorkspaceKey? { keys.first }

    /// The name as people see it: that of the charter, unless the user has chosen another one. What was typed before a code
    /// may have other letter case.
    package var shownName: String {
        guard let title = charter?.title, title.lowercased() == name.lowercased() else { return name }
        return title
    }

    /// Whether it has a charter of which nothing is held yet.
    package var awaitsCharter: Bool { charter.map(\.events.isEmpty) ?? (code != nil) }

    /// Whether somebody gets no link and no key: left out of a rotation, or excluded.
    package func leavesOut(_ peer: PeerID) -> Bool { removed.contains(peer) || charter?.isExcluded(peer) == true }

    /// All of them, in the order of their IDs.
    package var leftOut: [PeerID] { removed.union(charter?.excluded ?? []).sorted() }

    /// What to show others for the user to be let in; `nil` if that is not necessary, or nobody invited the user.
    func proof(of own: PeerID) -> InvitationProof? {
        // As long as nothing of the charter has come, an admin may have to let the user in.
        if let charter, !charter.title.isEmpty, charter.isMember(own) || charter.isExcluded(own) { return nil }
        return invitation?.proof(for: own)
    }

    /// Whether a code's charter is, or may be, that of this workspace.
    func mayHave(_ code: CharterPrefix) -> Bool { charter.map { code.names($0.id) } ?? (self.code ?? code == code) }

    func key(of tag: UInt32) -> WorkspaceKey? { keys.first { $0.tag == tag } }

    /// What to tell on a link, and what the link then serves for.
    struct Handover: Equatable {
        /// Whether to send the newest key, with its number and the identities left out.
        let isTold: Bool
        /// Whether it was opened with a key that still serves.
        let serves: Bool
    }

    /// Decides what to tell on a link. The link proves only that the peer holds the key it was opened with, not that it
    /// knows the key's number: an invitation code has none.
    ///
    /// - Returns: `nil` for a link of another network.
    func handover(on link: Link, isAccepted: Bool, at wall: Int64) -> Handover? {
        guard let newest, let tag = link.workspaceTag, let used = key(of: tag) else { return nil }
        let shown = WorkspaceKey(unnumbered: used.secret)
        let known = newer(link.toldKey ?? shown, shown)
        let serves = used.serves(at: wall) && !shutsOut(link.peer, with: tag, isAccepted: isAccepted)
        guard let charter else {
            let mayLackIt = known < newest || !removed.isSubset(of: link.toldRemoved)
            return Handover(isTold: mayLackIt && newest.isNumbered && isAccepted, serves: serves)
        }
        // The peer takes no key that no rotation names, so it is told the charter first.
        let mayTake = link.charter.isTold && isAccepted && charter.isMember(link.peer)
        let isNamed = charter.rotation(to: newest.hash) != nil
        return Handover(isTold: mayTake && isNamed && isNewer(newest, than: known), serves: serves)
    }

    /// Whether somebody gets no link by an old key: somebody excluded, or left out, may have that key, and nobody here
    /// knows who comes with it (workspaces.md, "Rotation").
    ///
    /// - Parameter tag: that of the key with which the peer came.
    func shutsOut(_ peer: PeerID, with tag: UInt32?, isAccepted: Bool) -> Bool {
        guard !isAccepted, charter?.isAdmitted(peer) != true, let tag, let used = key(of: tag), used != newest else {
            return false
        }
        return isExposed(used)
    }

    /// Whether somebody excluded, or left out, may have a key.
    func isExposed(_ key: WorkspaceKey) -> Bool {
        guard let charter else { return !removed.isEmpty && key != newest }
        return !charter.excluded.isEmpty && !charter.exposed(by: key.hash).isEmpty
    }

    /// Whether a key comes after another one: by the charter's rotations, or by number if there is no charter.
    private func isNewer(_ key: WorkspaceKey, than other: WorkspaceKey) -> Bool {
        guard let charter else { return other < key }
        let (rank, before) = (charter.rank(of: key.hash), charter.rank(of: other.hash))
        return rank == before ? rank <= 0 && other < key : rank > before
    }

    /// The newer of two keys.
    func newer(_ key: WorkspaceKey, _ other: WorkspaceKey) -> WorkspaceKey { isNewer(other, than: key) ? other : key }

    /// Inserts a key of a workspace without a charter; keys that are no longer the newest are superseded from now on. The newest key takes a number if
    /// its own is unknown. A known number is never replaced: with a higher number, an identity that was left out could
    /// make the superseded key, which it has, the newest again.
    ///
    /// - Returns: whether anything changed.
    mutating func insert(_ key: WorkspaceKey, at wall: Int64) -> Bool {
        if let index = keys.firstIndex(where: { $0.hash == key.hash }) {
            guard index == 0, !keys[0].isNumbered, key.isNumbered else { return false }
            keys[0].number = key.number
            return true
        }
        keys.append(key)
        sortKeys(at: wall)
        return keys.contains { $0.hash == key.hash }
    }

    /// Brings the keys into their order.
    package mutating func orderKeys() { keys = keys.sorted { isNewer($0, than: $1) } }

    /// Brings the keys into their order, and notes which of them are superseded from now on.
    mutating func sortKeys(at wall: Int64) {
        if let charter {
            for index in keys.indices {
                guard let rotation = charter.rotation(to: keys[index].hash) else { continue }
                keys[index].number = rotation.number
            }
        }
        orderKeys()
        keys = Array(keys.prefix(Limits.workspaceKeys))
        // An older key is the newest again if a rotation turns out not to count.
        if !keys.isEmpty { keys[0].superseded = nil }
        for index in keys.indices.dropFirst() where keys[index].superseded == nil { keys[index].superseded = wall }
    }

    /// What must hold of it whenever it changes.
    func check() {
        invariant((1...Limits.workspaceKeys).contains(keys.count), "a workspace has a key, and not too many")
        invariant(Set(keys.map(\.hash)).count == keys.count, "a workspace has a key once")
        invariant(keys.first?.superseded == nil, "the newest key of a workspace is not superseded")
        invariant(keys.dropFirst().allSatisfy { $0.superseded != nil }, "older keys of a workspace are superseded")
        invariant(
            zip(keys, keys.dropFirst()).allSatisfy { !isNewer($1, than: $0) },
            "the keys of a workspace are in their order"
        )
        invariant(charter == nil || removed.isEmpty, "with a charter only the charter leaves somebody out")
        invariant(removed.count <= Limits.workspaceRemoved, "not too many are left out of a workspace")
        invariant(
            code == nil || charter.map { code?.names($0.id) == true } ?? true,
            "the charter of a workspace is the one that its code names"
        )
    }

    /// Corrects times of supersession that are in the future, from a clock that was ahead: the keys are superseded from
    /// now on, so they neither serve until then nor end at once.
    ///
    /// - Returns: whether there was such a key.
    mutating func mendTimes(at wall: Int64) -> Bool {
        let wrong = keys.indices.filter { keys[$0].superseded.map { $0 > wall } == true }
        for index in wrong { keys[index].superseded = wall }
        return !wrong.isEmpty
    }

    /// Drops keys that have expired.
    ///
    /// - Returns: whether there were any.
    mutating func prune(at wall: Int64) -> Bool {
        let before = keys.count
        keys.removeAll { key in
            key.superseded.map { wall - $0 >= Limits.workspaceKeyKeptMilliseconds } ?? false
        }
        return keys.count != before
    }
}

/// A key that all nodes of a workspace share: the pre-shared key of their handshakes.
package struct WorkspaceKey: Equatable, Comparable, Sendable {
    /// 32 bytes.
    package let secret: SecretBytes
    /// The number of the key, counting rotations from 1. Of two keys with one number, the one with the greater hash is
    /// newer. 0 means unknown: the key came by code, and no member has told its number yet.
    package fileprivate(set) var number: UInt64
    /// Identifies the key without revealing it.
    package let hash: Bytes32
    /// When a newer one replaced it here, in milliseconds since 1970.
    package var superseded: Int64?

    /// - Parameters:
    ///   - secret: 32 bytes.
    ///   - number: 1 for a key that is made here or derived from a passphrase.
    package init(secret: SecretBytes, number: UInt64 = 1, superseded: Int64? = nil) {
        self.secret = secret
        self.number = number
        self.superseded = superseded
        hash = secret.withBytes { Bytes32(hashing: Array($0), domain: Domain.workspace) }
    }

    /// A key whose number is unknown.
    init(unnumbered secret: SecretBytes) { self.init(secret: secret, number: 0) }

    var isNumbered: Bool { number > 0 }

    /// The first 4 bytes of the hash, used in the preamble of a link and in discovery.
    package var tag: UInt32 { hash.withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(as: UInt32.self)) } }

    /// Whether the key still admits like the newest. Afterwards it serves only to pass the newest key on to accepted
    /// peers.
    func serves(at wall: Int64) -> Bool {
        superseded.map { wall - $0 < Limits.workspaceKeyServesMilliseconds } ?? true
    }

    package static func == (a: WorkspaceKey, b: WorkspaceKey) -> Bool {
        a.hash == b.hash && a.number == b.number && a.superseded == b.superseded
    }

    package static func < (a: WorkspaceKey, b: WorkspaceKey) -> Bool { (a.number, a.hash) < (b.number, b.hash) }
}

/// The change of the workspace in a batch.
package enum WorkspaceChange: Equatable, Sendable {
    case set(Workspace)
    case left
}

/// The workspace in the form that people see.
package struct WorkspaceView: Equatable, Sendable {
    /// What somebody is in the workspace: a member, as far as this node knows, somebody who waits for an admin, or who was
    /// excluded, or none of these.
    package enum Standing: Equatable, Sendable { case member, waiting, excluded, outside }

    /// Somebody whom a command names.
    package struct Meant: Equatable, Sendable {
        package var peer: PeerID
        /// Before the command.
        package var was: Standing
    }

    package var name: String
    /// The newest key: anybody who has it can join.
    package var key: WorkspaceKey
    /// How many keys there have been, with this one. Of two rotations at once both may have the same number, and both have
    /// changed the key.
    package var keyNumber: UInt64
    /// What the invitation code says about the charter; `nil`: nothing.
    package var code: CharterPrefix?
    /// The other members, as far as this node knows (`OwnWorkspace.members`).
    package var members: [PeerID]
    /// Those of them that are linked now.
    package var connected: [PeerID]
    /// Others that are linked, with a key of the workspace, and are neither members nor waiting.
    package var strangers: [PeerID]
    /// Those linked whose link needs no network, since both ends are on this computer.
    package var withinComputer: Set<PeerID> = []
    /// The peers that get no link: left out of a rotation, or excluded.
    package var removed: [PeerID]
    /// `nil` without a charter.
    package var charter: CharterView?
    /// What this node does not hold and members name as the charter of the workspace, the last that each named.
    package var met: [PeerCharterState]
    /// Only in the answer to a command that names people: these.
    package var meant: [Meant] = []
    /// Only in the answer to the policy `admission approve`: the people whom an admin has to admit by name. These are members
    /// that the user's list does not have, and people on the list that are not members any more.
    package var passedOver: [PeerID] = []
}

/// The charter in the form that people see.
package struct CharterView: Equatable, Sendable {
    package var id: ConversationID
    /// The name that the creator gave the workspace; empty until the events have come.
    package var title: String
    /// In the order in which they became it.
    package var admins: [PeerID]
    package var admission: Charter.Admission
    /// Those that are no invitations.
    package var policies: [Charter.Policy]
    /// The invitations that admit somebody now.
    package var invitations: [Charter.Invitation]
    /// Those that would, but whose codes let nobody in any more; and those that somebody shows in vain who waits.
    package var endedInvitations: [EndedInvitation]
    /// Peers that hold the key and wait for an admin to let them in, whether or not they are linked now.
    package var waiting: [PeerID]
    /// Whether this user is a member. If not, and nobody excluded them, an admin has to let them in.
    package var isMember: Bool
    /// Whether this user is an admin.
    package var isAdmin: Bool
    /// Who excluded this user; `nil` if nobody did.
    package var excludedBy: PeerID?
    /// What is known of the invitation by which this user came, while an admin has to let them in; `nil` if there is none.
    package var ownInvitation: InvitationStanding?
}

/// A charter that a member names and this node does not hold.
package struct PeerCharterState: Equatable, Sendable {
    package var id: ConversationID
    package var peer: PeerID
    /// Whether the user may adopt it: this node holds none, and its code names none.
    package var isOffered: Bool
}
