package import ParlanceSodium
package import ParlanceWire

/// The network of those who share a key: only who holds it gets past the handshake (workspaces.md).
package struct Workspace: Equatable, Sendable {
    /// A label, the same for nobody but by custom.
    package var name: String
    /// Newest first, one at least.
    package var keys: [WorkspaceKey]
    /// Identities that were left out of a rotation: they get no newer key, and no link.
    package var removed: Set<PeerID> = []

    package init(name: String, keys: [WorkspaceKey]) {
        self.name = name
        self.keys = keys
    }

    package var newest: WorkspaceKey? { keys.first }

    func key(of tag: UInt32) -> WorkspaceKey? { keys.first { $0.tag == tag } }

    /// What is to be told on a link, and what the link serves for then.
    struct Handover: Equatable {
        /// The newest key goes out on it, with its number and with whom the workspace left out.
        let isTold: Bool
        /// It was opened with a key that serves still.
        let serves: Bool
    }

    /// The link shows only that the peer holds the key that the link was opened with. It does not show whether the peer knows
    /// the number of that key: an invitation code has none.
    ///
    /// - Returns: `nil` for a link of another network.
    func handover(on link: Link, isAccepted: Bool, at wall: Int64) -> Handover? {
        guard let newest, let tag = link.workspaceTag, let used = key(of: tag) else { return nil }
        let shown = WorkspaceKey(unnumbered: used.secret)
        let mayLackIt = max(link.toldKey ?? shown, shown) < newest || !removed.isSubset(of: link.toldRemoved)
        return Handover(isTold: mayLackIt && newest.isNumbered && isAccepted, serves: used.serves(at: wall))
    }

    /// Takes a key in; those that are not the newest any more are superseded as of now. The newest key takes a number if its
    /// own is unknown. A number that is known stays, whatever a peer says: with a higher one somebody who was left out would
    /// make the superseded key, which it has, the newest again.
    ///
    /// - Returns: whether that changed anything.
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

    /// What was superseded later than now, as the clock said that was ahead, is superseded as of now: so it neither serves until
    /// then nor ends at once.
    ///
    /// - Returns: whether there was such a key.
    mutating func mendTimes(at wall: Int64) -> Bool {
        let wrong = keys.indices.filter { keys[$0].superseded.map { $0 > wall } == true }
        for index in wrong { keys[index].superseded = wall }
        return !wrong.isEmpty
    }

    /// Drops keys that have served their time.
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
    /// Counts the rotations from 1; of two keys of one number the one with the greater hash is the newer. 0: it came by code,
    /// which has no number, and no member has told it yet.
    package fileprivate(set) var number: UInt64
    /// Names the key without giving it away.
    package let hash: Bytes32
    /// When a newer one took its place here, in milliseconds since 1970.
    package var superseded: Int64?

    /// - Parameters:
    ///   - secret: 32 bytes.
    ///   - number: 1 for a key that is made here, or of a passphrase.
    package init(secret: SecretBytes, number: UInt64 = 1, superseded: Int64? = nil) {
        self.secret = secret
        self.number = number
        self.superseded = superseded
        hash = secret.withBytes { Bytes32(hashing: Array($0), domain: Domain.workspace) }
    }

    /// A key whose number is unknown.
    init(unnumbered secret: SecretBytes) { self.init(secret: secret, number: 0) }

    var isNumbered: Bool { number > 0 }

    /// The beginning of the hash: stands in the preamble of a link, and in discovery.
    package var tag: UInt32 { hash.withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(as: UInt32.self)) } }

    /// Whether it still admits as the newest does. Afterwards it serves only to hand on the newest to those accepted.
    func serves(at wall: Int64) -> Bool {
        superseded.map { wall - $0 < Limits.workspaceKeyServesMilliseconds } ?? true
    }

    package static func == (a: WorkspaceKey, b: WorkspaceKey) -> Bool {
        a.hash == b.hash && a.number == b.number && a.superseded == b.superseded
    }

    package static func < (a: WorkspaceKey, b: WorkspaceKey) -> Bool { (a.number, a.hash) < (b.number, b.hash) }
}

/// What becomes of the workspace in a batch.
package enum WorkspaceChange: Equatable, Sendable {
    case set(Workspace)
    case left
}

/// The workspace as people see it.
package struct WorkspaceView: Equatable, Sendable {
    package var name: String
    /// The newest key: whoever has it gets in.
    package var key: WorkspaceKey
    /// Peers that are linked with it now.
    package var connected: [PeerID]
    package var removed: [PeerID]
}
