import Foundation
import ParlanceWire

// Members of a workspace tell each other where they take links, each signed by the one it is about (workspaces.md,
// "Addresses"): so whoever knows one address meets everybody, across subnets.
extension Engine {
    /// Signs anew where this node takes links, if that is another place than before, and tells it.
    mutating func signOwnAddresses() {
        route(addressBook.signOwn(isMember: workspace.current != nil, turn))
    }

    /// The node has left its workspace.
    mutating func dropAddresses() {
        addressBook.clear()
        for id in contacts.ids where contacts[id]?.signedAddresses != nil {
            contacts.keepAddresses(nil, of: id)
            turn.save(id, lazily: true)
        }
        for id in dialing.remembered { remember(id) }
    }

    /// Tells what the peer has not been told on this link.
    mutating func tellAddresses(on id: LinkID) {
        guard let link = links[id], workspace.tellsAddresses(on: link, people) else { return }
        let untold = addressBook.untold(on: link, people)
        guard !untold.isEmpty else { return }
        for entry in untold { links.change(id) { $0.toldAddresses(of: entry.peer, at: entry.time) } }
        var frame = WireAddresses()
        frame.entries = untold.map(\.wire)
        send(.addresses(frame), on: id)
    }

    /// What came since the link opened goes with the heartbeats, to a few at a time.
    mutating func tellLaterAddresses(on id: LinkID) {
        guard let link = links[id], workspace.tellsAddresses(on: link, people),
            !addressBook.untold(on: link, people).isEmpty,
            turn.random.below(Int64(links.count / Limits.offersPerEvent)) == 0
        else { return }
        tellAddresses(on: id)
    }

    mutating func addressesReceived(_ frame: WireAddresses, on id: LinkID) {
        guard let link = links[id], workspace.tellsAddresses(on: link, people) else { return }
        let entries = frame.entries.compactMap { SignedAddresses($0) }
        guard entries.count == frame.entries.count, entries.count <= Limits.addressesPerFrame else {
            return breakLink(id, .addressesFields)
        }
        let outcome = addressBook.received(entries, on: link, people, turn.now)
        for (peer, time) in outcome.told { links.change(id) { $0.toldAddresses(of: peer, at: time) } }
        for peer in outcome.learnt {
            keepAddresses(of: peer)
            remember(peer)
        }
        if outcome.isForged { return breakLink(id, .addressesSignature) }
        if !outcome.learnt.isEmpty { scheduleDial() }
    }

    /// What is held of a peer that is kept goes into its row.
    private mutating func keepAddresses(of id: PeerID) {
        guard contacts[id] != nil else { return }
        contacts.keepAddresses(addressBook[id]?.encoded, of: id)
        if isKept(id) { turn.save(id, lazily: true) }
    }

    /// At start.
    mutating func restoreAddresses() {
        for id in contacts.ids { restoreAddresses(of: id) }
    }

    /// What stands in a peer's row, unless something newer is held.
    mutating func restoreAddresses(of id: PeerID) {
        guard workspace.current != nil else { return }
        addressBook.restore(contacts[id]?.signedAddresses, of: id)
        contacts.keepAddresses(addressBook[id]?.encoded, of: id)
    }
}
