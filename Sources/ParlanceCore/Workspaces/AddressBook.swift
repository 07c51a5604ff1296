import ParlanceWire

/// Where members of the workspace take links, as each has signed it, this node included (workspaces.md, "Addresses").
///
/// - It owns the entries, and the places at which this machine takes links.
/// - It is told the addresses of this machine, and what members pass on.
/// - It returns these facts: `ownPlacesChanged` and `ownAddressesSigned`.
struct AddressBook: Equatable, Sendable {
    private var entries: [PeerID: SignedAddresses] = [:]
    /// The places of this machine; `nil` until they are told.
    private var ownPlaces: [SignedAddresses.Place]?

    /// What came of entries that a member passed on.
    struct OnEntries: Equatable {
        /// Members whose entries are new, in the order in which they were taken.
        var learnt: [PeerID] = []
        /// Of which members the sender needs no older entry.
        var told: [PeerID: UInt64] = [:]
        /// An entry does not bear the signature of the member it is about; those after it were not looked at.
        var isForged = false
    }

    var count: Int { entries.count }

    subscript(peer: PeerID) -> SignedAddresses? { entries[peer] }

    // This node.

    /// The machine has these addresses now.
    mutating func machineHas(_ addresses: [NumericAddress], port: UInt16) -> [Fact] {
        let usable = addresses.filter { $0.range == .ordinary }.prefix(Limits.addressesPerPeer)
        let places = usable.map { SignedAddresses.Place(address: $0, port: port) }
        guard places != ownPlaces else { return [] }
        let isFirst = ownPlaces == nil
        ownPlaces = places
        return [.ownPlacesChanged(isFirst: isFirst)]
    }

    /// Signs anew where this node takes links, if that is another place than before.
    ///
    /// - Parameter isMember: whether this node is in a workspace.
    mutating func signOwn(isMember: Bool, _ turn: Turn) -> [Fact] {
        let own = turn.own
        guard isMember, own.listeningPort != 0, let places = ownPlaces, !places.isEmpty else {
            entries[own.identity] = nil
            return []
        }
        guard entries[own.identity]?.places != places else { return [] }
        let time = max(UInt64(max(0, turn.now.wall)), (entries[own.identity]?.time ?? 0) + 1)
        entries[own.identity] = SignedAddresses(of: own.identity, time: time, places: places, with: own.signer)
        return [.ownAddressesSigned]
    }

    // Members.

    /// What the peer has not been told on this link: of this node, and of those that it has accepted. So an identity that nobody
    /// has met is passed on by nobody.
    func untold(on link: Link, _ people: People) -> [SignedAddresses] {
        let untold = entries.values.filter { entry in
            guard entry.peer != link.peer, entry.time > link.toldAddresses[entry.peer] ?? 0 else { return false }
            return entry.peer == people.own || people.isAccepted(entry.peer) && !people.isRemoved(entry.peer)
        }
        return Array(untold.sorted { ($1.time, $0.peer) < ($0.time, $1.peer) }.prefix(Limits.addressesPerFrame))
    }

    mutating func received(_ received: [SignedAddresses], on link: Link, _ people: People, _ now: Instant) -> OnEntries
    {
        // Of several of one member the newest counts.
        var newest: [PeerID: SignedAddresses] = [:]
        for entry in received where entry.peer != people.own && entry.time > newest[entry.peer]?.time ?? 0 {
            newest[entry.peer] = entry
        }
        var outcome = OnEntries()
        for entry in newest.values.sorted(by: { $0.peer < $1.peer }) {
            if entry.time > entries[entry.peer]?.time ?? 0 {
                guard takes(entry, people, now) else { continue }
                guard entry.isSigned else {
                    outcome.isForged = true
                    return outcome
                }
                entries[entry.peer] = entry
                outcome.learnt.append(entry.peer)
            }
            // Only of those who are in the book: anything else is a claim that costs memory.
            outcome.told[entry.peer] = max(link.toldAddresses[entry.peer] ?? 0, entry.time)
        }
        return outcome
    }

    private func takes(_ entry: SignedAddresses, _ people: People, _ now: Instant) -> Bool {
        let latest = now.wall.addingReportingOverflow(Limits.aheadMilliseconds).partialValue
        guard !people.isShunned(entry.peer), Int64(clamping: entry.time) <= latest else { return false }
        return entries[entry.peer] != nil || people.isWelcome(entry.peer) || entries.count < Limits.addressesHeld
    }

    /// Takes what stands in a peer's row, unless something newer is held.
    mutating func restore(_ row: [UInt8]?, of peer: PeerID) {
        guard let row, let entry = SignedAddresses(decoding: row), entry.peer == peer,
            entry.time > entries[peer]?.time ?? 0
        else { return }
        entries[peer] = entry
    }

    mutating func drop(_ peer: PeerID) {
        entries[peer] = nil
    }

    /// What was learnt in one workspace is of no use, and no business, in another.
    mutating func clear() {
        entries = [:]
    }
}
