import FoundationEssentials
import ParlanceWire

// Members of a workspace exchange the addresses at which they accept links, each entry signed by its subject
// (workspaces.md, "Addresses"). A node that knows one address therefore finds all members, across subnets.
extension Engine {
    /// Signs this node's addresses again if they have changed, and tells the members.
    mutating func signOwnAddresses() {
        route(addressBook.signOwn(isMember: workspace.current != nil, turn))
    }

    /// Drops all addresses: the node has left its workspace.
    mutating func dropAddresses() {
        addressBook.clear()
        for id in contacts.ids where contacts[id]?.signedAddresses != nil {
            contacts.keepAddresses(nil, of: id)
            turn.save(id, lazily: true)
        }
        for id in dialing.remembered { remember(id) }
    }

    /// Begins to exchange addresses on a link whose hello has come, if both are accepted members by now.
    ///
    /// Somebody who joins accepts nobody before the charter has come, and passes over what was told until then. Therefore a
    /// link on which the exchange begins late asks the peer for all entries again, by a frame without any.
    mutating func exchangeAddresses(on id: LinkID) {
        guard let link = links[id] else { return }
        let isCarrying = workspace.tellsAddresses(on: link, people)
        if links.change(id, { $0.noteAddresses(carried: isCarrying) }) == true {
            send(.addresses(WireAddresses()), on: id)
        }
        tellAddresses(on: id)
    }

    /// Does the same for a link on which that may not have been possible at its hello.
    mutating func exchangeAddressesLate(on id: LinkID) {
        if links[id]?.carriesAddresses == false { exchangeAddresses(on: id) }
    }

    /// Sends the entries that the peer was not sent on this link.
    mutating func tellAddresses(on id: LinkID) {
        guard let link = links[id], workspace.tellsAddresses(on: link, people) else { return }
        let untold = addressBook.untold(on: link, people)
        guard !untold.isEmpty else { return }
        for entry in untold { links.change(id) { $0.toldAddresses(of: entry.peer, at: entry.time) } }
        var frame = WireAddresses()
        frame.entries = untold.map(\.wire)
        send(.addresses(frame), on: id)
    }

    /// Sends entries that came since the link was opened. They accompany heartbeats, to a few peers at a time.
    mutating func tellLaterAddresses(on id: LinkID) {
        guard let link = links[id], workspace.tellsAddresses(on: link, people),
            !addressBook.untold(on: link, people).isEmpty,
            turn.random.below(Int64(links.count / Limits.offersPerEvent)) == 0
        else { return }
        tellAddresses(on: id)
    }

    mutating func addressesReceived(_ frame: WireAddresses, on id: LinkID) throws(Breach) {
        guard let link = links[id], workspace.tellsAddresses(on: link, people) else { return }
        guard !frame.entries.isEmpty else {
            links.change(id) { $0.askedForAddresses() }
            return tellAddresses(on: id)
        }
        let entries = frame.entries.compactMap { SignedAddresses($0) }
        guard entries.count == frame.entries.count, entries.count <= Limits.addressesPerFrame else {
            throw .addressesFields
        }
        let outcome = addressBook.received(entries, on: link, people, turn.now)
        for (peer, time) in outcome.told { links.change(id) { $0.toldAddresses(of: peer, at: time) } }
        for peer in outcome.learnt {
            keepAddresses(of: peer)
            remember(peer)
        }
        if outcome.isForged { throw .addressesSignature }
        if !outcome.learnt.isEmpty { scheduleDial() }
    }

    /// Copies the signed addresses of a known peer to its row.
    private mutating func keepAddresses(of id: PeerID) {
        guard contacts[id] != nil else { return }
        contacts.keepAddresses(addressBook[id]?.encoded, of: id)
        if people.isKept(id) { turn.save(id, lazily: true) }
    }

    mutating func restoreAddresses() {
        for id in contacts.ids { restoreAddresses(of: id) }
    }

    /// Takes the addresses from a peer's row, unless newer ones are held.
    mutating func restoreAddresses(of id: PeerID) {
        guard workspace.current != nil else { return }
        addressBook.restore(contacts[id]?.signedAddresses, of: id)
        contacts.keepAddresses(addressBook[id]?.encoded, of: id)
    }
}
