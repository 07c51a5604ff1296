import ParlanceRecords
import ParlanceWire

// Dialling, as far as it concerns several rooms.
extension Engine {
    mutating func startDialing(fixed: [Endpoint]) {
        dialing.add(fixed: fixed, &turn)
        for peer in contacts.ids { remember(peer) }
        scheduleDial()
    }

    /// Takes over settings that have changed. Links that are up stay, and so does what was decided about people.
    mutating func settingsChanged(fixed: [Endpoint], acceptsMembers: Bool) {
        dialing.replace(fixed: fixed, &turn)
        workspace.setAcceptsMembers(acceptsMembers)
        scheduleDial()
    }

    /// Updates the remembered addresses of a peer as places to dial.
    mutating func remember(_ id: PeerID) {
        dialing.remember(id, at: addresses(of: id), &turn)
    }

    /// The addresses at which a welcome peer was reached, and those that a member announces.
    private func addresses(of id: PeerID) -> [Endpoint] {
        let people = people
        let worked = people.isWelcome(id) ? contacts[id]?.addresses ?? [] : []
        guard workspace.current != nil, id != identity, !people.isShunned(id) else { return worked }
        // A member may tell an address that is this machine's own, such as that of a bridge for containers.
        let told = (addressBook[id]?.endpoints ?? []).filter { !worked.contains($0) && !isOwn($0) }
        return worked + told
    }

    /// Whether this node itself listens there.
    func isOwn(_ endpoint: Endpoint) -> Bool {
        guard let address = ZonedAddress(endpoint.host)?.address, endpoint.port == turn.own.listeningPort else {
            return false
        }
        return addressBook.isOfMachine(address)
    }

    /// Tries peers at once because of a new command.
    mutating func startOver(_ peers: [PeerID]) { dialing.startOver(peers, links, people, &turn) }

    mutating func scheduleDial() { dialing.schedule(links, people, &turn) }

    /// Closes the links that use an address that this machine has lost, and dials their peers at once: nothing comes
    /// through any more, and only `Limits.silenceMilliseconds` would end them.
    mutating func machineHas(_ addresses: [NumericAddress]) {
        let dead = links.using(addressBook.machineHas(addresses))
        for link in dead { close(link.id, .unspecified, because: .lost) }
        startOver(Set(dead.map(\.peer)).sorted())
    }

    mutating func dialFailed(_ dial: DialID, _ failure: DialFailure) {
        let facts = dialing.failed(dial, failure, isPressing: isPressing(dial), links, people, &turn)
        route(facts)
    }

    /// Whether a place is retried at the shorter interval: a remembered address if a message waits for its peer, any
    /// other place always.
    private func isPressing(_ dial: DialID) -> Bool {
        guard let peer = dialing.remembered(of: dial) else { return true }
        return people.shared(with: peer).contains { hasPending($0, for: peer) }
    }

    /// Remembers the address that worked: the one dialled, or the listening address of a peer that dialled us.
    mutating func rememberAddress(of link: Link, listeningPort: UInt32) {
        guard let port = link.dialled ? link.remote.port : UInt16(exactly: listeningPort), port != 0,
            contacts.wasReached(link.peer, at: Endpoint(host: link.remote.host, port: port))
        else { return }
        remember(link.peer)
        if people.isKept(link.peer) { turn.save(link.peer, lazily: true) }
    }

    /// Opens a new link to replace one that is 24 hours old.
    mutating func dialAgain(_ link: Link) {
        turn.emit(.dial(DialID(turn.nextNumber()), link.remote, expecting: link.peer))
    }

    /// Why a peer has no link, or why its link does not answer.
    func trouble(with id: PeerID) -> LinkTrouble? {
        if let since = mainLink(of: id)?.stalledSince { return LinkTrouble(.unanswered, since: since) }
        return dialing.trouble(with: id, isLinked: mainLink(of: id) != nil, in: workspace.current)
    }

    /// Closes a link if there are too many.
    ///
    /// - Returns: whether it was closed.
    mutating func closeSurplus(_ link: Link) -> Bool {
        guard dialing.isSurplus(link, links, people, turn.now) else { return false }
        close(link.id, .limit)
        return true
    }

    // Dial-backs.

    mutating func askForDialBack(of who: String?, _ id: CommandID) {
        let meant = who.flatMap { try? resolve($0).get() }
        let open = links.values.filter { link in
            link.helloReceived && !link.closing && contacts.isAccepted(link.peer)
                && (meant == nil || link.peer == meant)
        }
        let facts = dialBacks.ask(over: turn.own.listeningPort == 0 ? [] : open, for: id, &turn)
        route(facts)
    }

    mutating func dialBackReceived(on id: LinkID) {
        guard let link = links[id], contacts.isAccepted(link.peer) else { return }
        let facts = dialBacks.requested(on: link, &turn)
        route(facts)
    }

    mutating func dialedBackReceived(_ answer: WireDialedBack, on id: LinkID) {
        let reason = answer.reason.withoutControlCharacters.prefix(utf8: Limits.dialBackReasonBytes)
        let outcome: DialBackView.Outcome =
            switch answer.outcome {
            case .reached: .reached
            case .tooOften: .tooOften
            default: .failed(reason)
            }
        guard let peer = links.peer(of: id) else { return }
        let facts = dialBacks.answered(DialBackView(peer: peer, outcome: outcome), on: id, &turn)
        route(facts)
    }

    mutating func answerDialBack(_ outcome: DialBackView.Outcome, on id: LinkID) {
        var answer = WireDialedBack()
        switch outcome {
        case .reached: answer.outcome = .reached
        case .tooOften: answer.outcome = .tooOften
        case .failed(let reason):
            answer.outcome = .failed
            answer.reason = reason.prefix(utf8: Limits.dialBackReasonBytes)
        case .noAnswer: answer.outcome = .failed
        }
        send(.dialedBack(answer), on: id)
    }
}
