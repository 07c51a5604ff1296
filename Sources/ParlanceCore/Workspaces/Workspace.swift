package import ParlanceSodium
package import ParlanceWire

/// A network of nodes that share a key: only nodes with the key complete the handshake (workspaces.md).
package struct Workspace: Equatable, Sendable {
    /// A label. Members usually choose the same, but nothing enforces it.
    package var name: String
    /// The newest first; at least one.
    package var keys: [WorkspaceKey]
    /// Identities that were left out of a rotation: they get no newer key and no link.
    package var removed: Set<PeerID> = []

    package init(name: String, keys: [WorkspaceKey]) {
        self.name = name
        self.keys = keys
    }

    package var newest: WorkspaceKey? { keys.first }

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
        let mayLackIt = max(link.toldKey ?? shown, shown) < newest || !removed.isSubset(of: link.toldRemoved)
        return Handover(isTold: mayLackIt && newest.isNumbered && isAccepted, serves: used.serves(at: wall))
    }

    /// Inserts a key; keys that are no longer the newest are superseded from now on. The newest key takes a number if
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
        keys.sort { $1 < $0 }
        keys = Array(keys.prefix(Limits.workspaceKeys))
        for index in keys.indices.dropFirst() where keys[index].superseded == nil { keys[index].superseded = wall }
        return keys.contains { $0.hash == key.hash }
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
    package var name: String
    /// The newest key: anybody who has it can join.
    package var key: WorkspaceKey
    /// The peers that are linked now.
    package var connected: [PeerID]
    package var removed: [PeerID]
}
