import Foundation
import ParlanceWire

// Members of a workspace tell each other where they take links, each signed by the one it is about (workspaces.md,
// "Addresses"): so whoever knows one address meets everybody, across subnets.
extension Engine {
    /// The machine has these addresses now.
    mutating func ownAddresses(_ addresses: [NumericAddress]) {
        let usable = addresses.filter { $0.range == .ordinary }.prefix(Limits.addressesPerPeer)
        let isFirst = ownPlaces == nil
        let places = usable.map { SignedAddresses.Place(address: $0, port: turn.own.listeningPort) }
        guard places != ownPlaces else { return }
        ownPlaces = places
        signOwnAddresses()
        if !isFirst { dialing.networkChanged(links, people, &turn) }
    }

    /// Signs anew where this node takes links, if that is another place than before, and tells it.
    mutating func signOwnAddresses() {
        guard workspace != nil, turn.own.listeningPort != 0, let places = ownPlaces, !places.isEmpty else {
            addressBook[identity] = nil
            return
        }
        guard addressBook[identity]?.places != places else { return }
        let time = max(UInt64(max(0, turn.now.wall)), (addressBook[identity]?.time ?? 0) + 1)
        addressBook[identity] = SignedAddresses(of: identity, time: time, places: places, with: turn.own.signer)
        for id in links.keys.sorted() { tellAddresses(on: id) }
    }

    /// What was learnt in one workspace is of no use, and no business, in another.
    mutating func dropAddresses() {
        addressBook = [:]
        for id in peers.keys.sorted() where peers[id]?.record.signedAddresses != nil {
            peers[id]?.record.signedAddresses = nil
            turn.save(id, lazily: true)
        }
        for id in dialing.remembered { remember(id) }
    }

    /// Whether addresses go over a link: between members that accept each other, and only with the newest key.
    private func tellsAddresses(on link: Link) -> Bool {
        guard let newest = workspace?.newest, link.workspaceTag == newest.tag else { return false }
        return link.helloReceived && !link.closing && peers[link.peer]?.isAccepted == true && !isRemoved(link.peer)
    }

    /// Tells what the peer has not been told on this link: of oneself, and of those that one has accepted. So an identity that
    /// nobody has met is passed on by nobody.
    mutating func tellAddresses(on id: LinkID) {
        guard let link = links[id], tellsAddresses(on: link) else { return }
        let untold = untoldAddresses(on: link)
        guard !untold.isEmpty else { return }
        for entry in untold { links[id]?.toldAddresses[entry.peer] = entry.time }
        var frame = WireAddresses()
        frame.entries = untold.map(\.wire)
        send(.addresses(frame), on: id)
    }

    private func untoldAddresses(on link: Link) -> [SignedAddresses] {
        let untold = addressBook.values.filter { entry in
            guard entry.peer != link.peer, entry.time > link.toldAddresses[entry.peer] ?? 0 else { return false }
            return entry.peer == identity || peers[entry.peer]?.isAccepted == true && !isRemoved(entry.peer)
        }
        return Array(untold.sorted { ($1.time, $0.peer) < ($0.time, $1.peer) }.prefix(Limits.addressesPerFrame))
    }

    /// What came since the link opened goes with the heartbeats, to a few at a time.
    mutating func tellLaterAddresses(on id: LinkID) {
        guard let link = links[id], tellsAddresses(on: link), !untoldAddresses(on: link).isEmpty,
            turn.random.below(Int64(links.count / Limits.offersPerEvent)) == 0
        else { return }
        tellAddresses(on: id)
    }

    mutating func addressesReceived(_ frame: WireAddresses, on id: LinkID) {
        guard let link = links[id], tellsAddresses(on: link) else { return }
        let entries = frame.entries.compactMap { SignedAddresses($0) }
        guard entries.count == frame.entries.count, entries.count <= Limits.addressesPerFrame else {
            return breakLink(id, .addressesFields)
        }
        // Of several of one member the newest counts.
        var newest: [PeerID: SignedAddresses] = [:]
        for entry in entries where entry.peer != identity && entry.time > newest[entry.peer]?.time ?? 0 {
            newest[entry.peer] = entry
        }
        var isNew = false
        for entry in newest.values.sorted(by: { $0.peer < $1.peer }) {
            if entry.time > addressBook[entry.peer]?.time ?? 0 {
                guard isTaken(entry) else { continue }
                guard entry.isSigned else { return breakLink(id, .addressesSignature) }
                addressBook[entry.peer] = entry
                keepAddresses(of: entry.peer)
                remember(entry.peer)
                isNew = true
            }
            // Only of those who are in the book: anything else is a claim that costs memory.
            links[id]?.toldAddresses[entry.peer] = max(link.toldAddresses[entry.peer] ?? 0, entry.time)
        }
        if isNew { scheduleDial() }
    }

    private func isTaken(_ entry: SignedAddresses) -> Bool {
        let latest = turn.now.wall.addingReportingOverflow(Limits.aheadMilliseconds).partialValue
        guard !isRemoved(entry.peer), peers[entry.peer]?.record.trust != .blocked,
            Int64(clamping: entry.time) <= latest
        else { return false }
        return addressBook[entry.peer] != nil || isWelcome(entry.peer) || addressBook.count < Limits.addressesHeld
    }

    /// What is held of a peer that is kept goes into its row.
    mutating func keepAddresses(of id: PeerID) {
        guard peers[id] != nil else { return }
        peers[id]?.record.signedAddresses = addressBook[id]?.wire.encodedBytes()
        if isKept(id) { turn.save(id, lazily: true) }
    }

    /// At start.
    mutating func restoreAddresses() {
        for id in peers.keys { restoreAddresses(of: id) }
    }

    /// What stands in a peer's row, unless something newer is held.
    mutating func restoreAddresses(of id: PeerID) {
        guard workspace != nil else { return }
        if let bytes = peers[id]?.record.signedAddresses, let wire = WireAddresses.Entry(decoding: bytes),
            let entry = SignedAddresses(wire), entry.peer == id, entry.time > addressBook[id]?.time ?? 0
        {
            addressBook[id] = entry
        }
        peers[id]?.record.signedAddresses = addressBook[id]?.wire.encodedBytes()
    }
}
