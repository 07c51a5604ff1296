import ParlanceWire

/// Where members of the workspace take links, signed by each, including this node (workspaces.md, "Addresses").
///
/// - It owns the entries and this machine's own addresses.
/// - It takes the addresses of this machine and what members pass on.
/// - It returns these facts: `ownPlacesChanged` and `ownAddressesSigned`.
struct AddressBook: Equatable, Sendable {
    private var entries: [PeerID: SignedAddresses] = [:]
    /// All addresses of this machine.
    private var machine: Set<NumericAddress> = []
    /// The addresses at which this machine accepts links.
    private var listening: [NumericAddress] = []
    /// Those of them that are in networks within the machine, and those of these by which a peer has come.
    private var inner: Set<NumericAddress> = []
    private var innerUsed: Set<NumericAddress> = []
    /// The places that members are told; `nil` until they are known.
    private var ownPlaces: [SignedAddresses.Place]?

    /// The result of taking entries from a member.
    struct OnEntries: Equatable {
        /// The members with new entries, in the order in which these were taken.
        var learnt: [PeerID] = []
        /// For each member, the time through which the sender needs no entry any more.
        var told: [PeerID: UInt64] = [:]
        /// Whether an entry lacks a valid signature. The entries after it were not examined.
        var isForged = false
    }

    var count: Int { entries.count }

    subscript(peer: PeerID) -> SignedAddresses? { entries[peer] }

    // This node.

    /// Takes all present addresses of the machine.
    ///
    /// - Returns: the addresses that it has lost.
    mutating func machineHas(_ addresses: [NumericAddress]) -> Set<NumericAddress> {
        defer { machine = Set(addresses) }
        return machine.subtracting(addresses)
    }

    func isOfMachine(_ address: NumericAddress) -> Bool { address.range == .loopback || machine.contains(address) }

    /// Takes the addresses at which this node accepts links.
    ///
    /// - Parameter inner: those of networks within the machine, such as that of its containers. The same address means
    ///   another machine elsewhere, so it is told only if a peer has come by it.
    mutating func listens(at addresses: [NumericAddress], inner: Set<NumericAddress>, _ own: OwnNode) -> [Fact] {
        listening = addresses
        self.inner = inner
        return choosePlaces(own)
    }

    /// A peer that is welcome has come by an address of this machine.
    mutating func served(at address: NumericAddress?, _ own: OwnNode) -> [Fact] {
        guard let address, inner.contains(address), innerUsed.insert(address).inserted else { return [] }
        return choosePlaces(own)
    }

    private mutating func choosePlaces(_ own: OwnNode) -> [Fact] {
        let usable = listening.filter { $0.range == .ordinary && (!inner.contains($0) || innerUsed.contains($0)) }
        let places = usable.prefix(Limits.addressesPerPeer).map {
            SignedAddresses.Place(address: $0, port: own.listeningPort)
        }
        invariant(places.count <= Limits.addressesPerPeer, "a node tells a bounded number of addresses")
        guard places != ownPlaces else { return [] }
        let isFirst = ownPlaces == nil
        ownPlaces = places
        return [.ownPlacesChanged(isFirst: isFirst)]
    }

    /// Signs this node's addresses anew if they changed.
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

    /// Entries that the peer has not been told on this link: this node's and those of accepted members. An identity
    /// that nobody has met is therefore not passed on.
    func untold(on link: Link, _ people: People) -> [SignedAddresses] {
        let untold = entries.values.filter { entry in
            guard entry.peer != link.peer, entry.time > link.toldAddresses[entry.peer] ?? 0 else { return false }
            return entry.peer == people.own || people.isAccepted(entry.peer) && !people.isRemoved(entry.peer)
        }
        return Array(untold.sorted { ($1.time, $0.peer) < ($0.time, $1.peer) }.prefix(Limits.addressesPerFrame))
    }

    mutating func received(_ received: [SignedAddresses], on link: Link, _ people: People, _ now: Instant) -> OnEntries
    {
        // Of several entries of one member only the newest counts.
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
                invariant(entry.peer != people.own, "a node takes its own addresses from nobody")
                entries[entry.peer] = entry
                outcome.learnt.append(entry.peer)
            }
            // Note only members in the book: noting other claims would cost memory.
            outcome.told[entry.peer] = max(link.toldAddresses[entry.peer] ?? 0, entry.time)
        }
        return outcome
    }

    private func takes(_ entry: SignedAddresses, _ people: People, _ now: Instant) -> Bool {
        let latest = now.wall.addingReportingOverflow(Limits.aheadMilliseconds).partialValue
        guard !people.isShunned(entry.peer), Int64(clamping: entry.time) <= latest else { return false }
        return entries[entry.peer] != nil || people.isWelcome(entry.peer) || entries.count < Limits.addressesHeld
    }

    /// Takes the entry in a peer's row, unless a newer one is held.
    mutating func restore(_ row: [UInt8]?, of peer: PeerID) {
        guard let row, let entry = SignedAddresses(decoding: row), entry.peer == peer,
            entry.time > entries[peer]?.time ?? 0
        else { return }
        entries[peer] = entry
    }

    mutating func drop(_ peer: PeerID) {
        entries[peer] = nil
    }

    /// Drops all entries on leaving a workspace: another workspace must not learn them.
    mutating func clear() {
        entries = [:]
    }
}
