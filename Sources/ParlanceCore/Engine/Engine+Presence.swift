import FoundationEssentials
import ParlanceRecords
import ParlanceWire

// Presence: heartbeats on links, the delay before a peer is shown as offline, strangers that left.
extension Engine {
    /// The presence that this node announces to a peer.
    func announcedPresence(to peer: PeerID) -> WirePresence {
        let announcement = presence.announcement(of: stored.profile)
        var wire = WirePresence()
        switch announcement.activity {
        case .online: wire.activity = .online
        case .away: wire.activity = .away
        case .busy: wire.activity = .busy
        }
        wire.statusText = announcement.statusText
        wire.picture = announcedPicture(to: peer)
        return wire
    }

    private func heartbeat(to peer: PeerID) -> WireHeartbeat {
        var heartbeat = WireHeartbeat()
        heartbeat.presence = announcedPresence(to: peer)
        heartbeat.name = stored.profile.name
        return heartbeat
    }

    mutating func heartbeatDue(_ id: LinkID) {
        guard let link = links[id], !closeSurplus(link) else { return }
        route(dialing.linkServes(link, turn.now))
        send(.heartbeat(heartbeat(to: link.peer)), on: id)
        tellUntold(on: id)
        tellLaterAddresses(on: id)
        for conversation in links[id]?.sessionsInOrder ?? [] { askForBodies(of: conversation, on: id) }
        turn.deadlines[.heartbeat(id)] = turn.now.monotonic + Limits.heartbeatMilliseconds
    }

    /// Tells peers at once that the presence, name or picture of this node has changed.
    mutating func announce() {
        for id in links.keys.sorted() { heartbeatDue(id) }
    }

    mutating func heartbeatReceived(_ heartbeat: WireHeartbeat, on id: LinkID) {
        guard let link = links[id] else { return broken("a frame arrives on an open link") }
        guard people.isWelcome(link.peer) else { return strangerNamed(heartbeat.name, on: id) }
        learn(name: heartbeat.name, presence: heartbeat.presence, of: link.peer)
        pictureAnnounced(heartbeat.presence.picture, on: id)
    }

    /// Takes a new name of a stranger, so that people who are about to meet know each other by the names they have just
    /// chosen. Of a stranger, no more than the name is shown, and it can change it only so often on a link.
    private mutating func strangerNamed(_ name: String, on id: LinkID) {
        guard let link = links[id], link.helloReceived, !link.closing, let record = contacts[link.peer],
            record.trust == .unknown, record.announcedName != name, links.change(id, { $0.takesName() }) == true
        else { return }
        if contacts.heard(name, of: link.peer) { tellPeer(link.peer) }
    }

    /// Takes a peer's name and presence, cut to the limits.
    mutating func learn(name: String, presence wire: WirePresence, of id: PeerID) {
        guard contacts[id] != nil else { return }
        let isRenamed = contacts.heard(name, of: id)
        let activity: Activity =
            switch wire.activity {
            case .away: .away
            case .busy: .busy
            default: .online
            }
        let isHeard = presence.heard(Presence.Announcement(activity: activity, statusText: wire.statusText), of: id)
        guard isHeard || isRenamed else { return }
        if people.isKept(id) && isRenamed { turn.save(id, lazily: true) }
        tellPeer(id)
    }

    /// When something last came from a peer; `nil` if nothing has since this node started.
    func lastHeard(of peer: PeerID) -> Instant? {
        let moments = links.all(with: peer).map(\.lastHeard) + [presence.lastHeard(of: peer)].compactMap(\.self)
        return moments.max { $0.monotonic < $1.monotonic }
    }

    /// Notes in a peer's row when something last came from it.
    mutating func noteSeen(_ peer: PeerID) {
        if let heard = lastHeard(of: peer) { contacts.wasSeen(peer, heard) }
    }

    /// Keeps on disk when peers were here, since this node may end without a word before they leave.
    mutating func keepSeen(_ peers: [PeerID]) {
        for peer in peers where people.isKept(peer) {
            noteSeen(peer)
            turn.save(peer, lazily: true)
        }
    }

    /// The grace period after a link closed has ended.
    mutating func offlineDue(_ id: PeerID) {
        guard mainLink(of: id) == nil, contacts[id] != nil else { return }
        if presence.left(id) {
            if people.isKept(id) { turn.save(id, lazily: true) }
            tellPeer(id)
        }
        strangerLeft(id)
    }

    /// Keeps a stranger that has just left for a while, with the address that worked, so that the user can still write
    /// to it.
    mutating func strangerLeft(_ id: PeerID) {
        guard isForgettable(id) else { return }
        if let surplus = contacts.strangerLeft(id, &turn) { forgetStranger(surplus) }
    }

    mutating func strangersDue() {
        for id in contacts.strangersDue(&turn) { forgetStranger(id) }
    }

    /// Whether a peer is a stranger that is not connected, has no place to dial and shares no conversation.
    private func isForgettable(_ id: PeerID) -> Bool {
        contacts.isStranger(id, turn.now) && mainLink(of: id) == nil && dialing.targets(of: id).isEmpty
            && conversations[ConversationID(direct: identity, id)] == nil && !people.isKnownMember(id)
            && workspace.requests[id] == nil
    }

    mutating func forgetStranger(_ id: PeerID) {
        guard isForgettable(id) else { return }
        contacts.drop(id)
        route([.forgotten(id)])
        turn.emit(.notify(.gone(id)))
    }

    // Typing.

    mutating func tellTyping(in conversation: ConversationID, command: CommandID) {
        defer { turn.emit(.answer(command, .success(.done))) }
        links.sendTyping(in: conversation, &turn)
    }

    mutating func typingReceived(_ typing: WireTyping, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(typing.conversation),
            admits(conversation, with: link.peer)
        else { return }
        presence.typing(link.peer, in: conversation, &turn)
    }
}
