import ParlanceWire

extension PeerRecord {
    var isAccepted: Bool { trust.isAccepted }

    /// Whether the user has said nothing about the peer.
    var isUndecided: Bool { trust == .unknown && declined == nil }

    /// Whether the user has declined the last request, and not decided otherwise since.
    package var isDeclined: Bool { trust == .unknown && declined != nil && request == nil }

    /// The announced name, if it differs from the one pinned at acceptance. Pinning prevents a peer from passing as
    /// another. `nil` if the user has set an alias.
    package var newName: String? {
        guard let pinnedName, alias == nil, !announcedName.isEmpty, announcedName != pinnedName else { return nil }
        return announcedName
    }

    /// A row for a peer of which nothing is on disk: only what it showed of itself stays.
    init(seen other: PeerRecord) {
        self.init(id: other.id)
        announcedName = other.announcedName
        epochs = other.epochs
        addresses = other.addresses
        signedAddresses = other.signedAddresses
    }

    /// Bounds the epochs of replicas that wrote nothing held here. Keeps those with the greatest epochs, and among
    /// equal ones those with the smaller IDs.
    mutating func dropEpochs(besides replica: ReplicaID, _ conversations: Conversations) {
        guard epochs.count > Limits.epochsPerPeer else { return }
        var writers: Set<ReplicaID> = [replica]
        for conversation in conversations.values {
            for log in conversation.logs(of: id) { writers.insert(log.replica) }
        }
        let idle = epochs.filter { !writers.contains($0.key) }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        for (replica, _) in idle.dropFirst(Limits.epochsPerPeer) { epochs[replica] = nil }
    }
}

extension Trust {
    package var isAccepted: Bool { self == .accepted || self == .verified }
}
