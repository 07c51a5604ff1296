import ParlanceWire

// The only place where rooms are connected: which of them receive which facts.
extension Engine {
    /// A read-only view of the rooms that know people.
    var people: People { People(own: identity, contacts, conversations, workspace.current, addressBook) }

    /// Gives each fact to its receivers, in order.
    mutating func route(_ facts: [Fact]) {
        for fact in facts { route(fact) }
    }

    private mutating func route(_ fact: Fact) {
        switch fact {
        case .accepted(let peer):
            for link in links.all(with: peer) {
                turn.deadlines[.idle(link.id)] = nil
                admit(link)
                scheduleCourier(on: link.id)
                exchangeAddressesLate(on: link.id)
            }
            remember(peer)
            if mainLink(of: peer) != nil { keepSeen([peer]) }
        case .forgotten(let peer):
            presence.forget(peer)
            lastClocks.forget(peer)
            dialing.forget(peer)
            dialBacks.forget(peer)
            workspace.forget(peer)
        case .announcementChanged: announce()
        case .workspaceChanged:
            if workspace.current == nil { dropAddresses() }
            signOwnAddresses()
        case .invited: showInvitation()
        case .ownPlacesChanged(let isFirst):
            signOwnAddresses()
            if !isFirst { dialing.networkChanged(links, people, &turn) }
        case .ownAddressesSigned:
            for link in links.keys.sorted() { tellAddresses(on: link) }
        case .depositRefused(let link, let envelope): sendDeposited(envelope, held: false, on: link)
        case .waysChanged(let peer): tellPeer(peer)
        case .lostSight(let peer):
            // Of a stranger without a link, discovery was the last sign of life.
            if mainLink(of: peer) == nil, contacts[peer] != nil, !people.isKept(peer) {
                presence.heard(of: peer, at: turn.now)
                noteSeen(peer)
            }
            tellPeer(peer)
            if turn.deadlines[.offline(peer)] == nil { strangerLeft(peer) }
        case .wantsDialBack(let link): send(.dialBack(WireDialBack()), on: link)
        case .dialedBack(let link, let outcome): answerDialBack(outcome, on: link)
        }
    }
}
