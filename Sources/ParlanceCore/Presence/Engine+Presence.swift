import Foundation
import ParlanceWire

// Who is here: heartbeats on links, grace for a reconnect, being away, typing.
extension Engine {
    /// What we announce of being here.
    var announcedPresence: WirePresence {
        var presence = WirePresence()
        let profile = stored.profile
        switch profile.activity {
        case .online: presence.activity = isIdle ? .away : .online
        case .away: presence.activity = .away
        case .busy: presence.activity = .busy
        }
        presence.statusText = profile.statusText
        return presence
    }

    private func heartbeat() -> WireHeartbeat {
        var heartbeat = WireHeartbeat()
        heartbeat.presence = announcedPresence
        heartbeat.name = stored.profile.name
        return heartbeat
    }

    mutating func heartbeatDue(_ id: LinkID) {
        guard let link = links[id], !closeSurplus(link) else { return }
        route(dialing.linkServes(link, turn.now))
        send(.heartbeat(heartbeat()), on: id)
        tellUntold(on: id)
        tellLaterAddresses(on: id)
        for conversation in links[id]?.syncs.keys.sorted() ?? [] { askForBodies(of: conversation, on: id) }
        turn.deadlines[.heartbeat(id)] = turn.now.monotonic + Limits.heartbeatMilliseconds
    }

    /// A change of one's own presence or name is told at once.
    mutating func announce() {
        for id in links.keys.sorted() { heartbeatDue(id) }
        turn.emit(.notify(.profile(profile)))
    }

    mutating func heartbeatReceived(_ heartbeat: WireHeartbeat, on id: LinkID) {
        // A stranger has said all that is shown of it in its hello.
        guard let link = links[id], isWelcome(link.peer) else { return }
        learn(name: heartbeat.name, presence: heartbeat.presence, of: link.peer)
    }

    /// Takes what a peer says of itself, cut to the limits.
    mutating func learn(name: String, presence: WirePresence, of id: PeerID) {
        guard let before = peers[id] else { return }
        var peer = before
        let shown = name.withoutControlCharacters.prefix(utf8: Limits.nameBytes)
        if !shown.isBlank { peer.record.announcedName = shown }
        if peer.isAccepted && (peer.record.pinnedName ?? "").isEmpty { peer.record.pinnedName = shown }
        peer.announced.statusText = presence.statusText.withoutControlCharacters.prefix(utf8: Limits.statusTextBytes)
        switch presence.activity {
        case .away: peer.announced.activity = .away
        case .busy: peer.announced.activity = .busy
        default: peer.announced.activity = .online
        }
        guard peer != before else { return }
        peers[id] = peer
        if isKept(id) && peer.record != before.record { turn.save(id, lazily: true) }
        tellPeer(id)
    }

    mutating func silenceDue(_ id: LinkID) {
        guard let link = links[id] else { return }
        let due = link.lastHeard + Limits.silenceMilliseconds
        guard due <= turn.now.monotonic else {
            turn.deadlines[.silence(id)] = due
            return
        }
        close(id, .unspecified, because: .lost)
    }

    /// The grace after a link closed is over.
    mutating func offlineDue(_ id: PeerID) {
        guard mainLink(of: id) == nil, peers[id] != nil else { return }
        if peers[id]?.isPresent == true {
            peers[id]?.isPresent = false
            if isKept(id) { turn.save(id, lazily: true) }
            tellPeer(id)
        }
        forgetStranger(id)
    }

    /// Nothing stays in memory of somebody who is not here and whom nobody knows.
    mutating func forgetStranger(_ id: PeerID) {
        guard let record = peers[id]?.record, record.trust == .unknown, record.request == nil, record.alias == nil,
            !wasJustDeclined(id), mainLink(of: id) == nil, dialing.targets(of: id).isEmpty,
            conversations[ConversationID(direct: identity, id)] == nil, !isKnownMember(id)
        else { return }
        peers[id] = nil
        dialing.forget(id)
        dialBacks.forget(id)
        turn.emit(.notify(.gone(id)))
    }

    /// A command is a sign that somebody sits here.
    mutating func noteActivity() {
        lastCommand = turn.now.monotonic
        guard isIdle else { return }
        isIdle = false
        announce()
    }

    mutating func awayDue() {
        let due = lastCommand + Limits.awayMilliseconds
        turn.deadlines[.away] = due > turn.now.monotonic ? due : turn.now.monotonic + Limits.awayMilliseconds
        guard due <= turn.now.monotonic, !isIdle else { return }
        isIdle = true
        if profile.activity == .online { announce() }
    }

    // Typing.

    mutating func tellTyping(in conversation: ConversationID, command: CommandID) {
        defer { turn.emit(.answer(command, .success(.done))) }
        var typing = WireTyping()
        typing.conversation = Data(conversation.bytes)
        for link in links.values.sorted(by: { $0.id < $1.id }) where link.syncs[conversation]?.listed == true {
            guard turn.now.monotonic - (link.lastTypingSent ?? .min / 2) >= Limits.typingSentMilliseconds else {
                continue
            }
            links[link.id]?.lastTypingSent = turn.now.monotonic
            send(.typing(typing), on: link.id)
        }
    }

    mutating func typingReceived(_ typing: WireTyping, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(typing.conversation),
            admits(conversation, with: link.peer)
        else { return }
        turn.deadlines[.typing(link.peer)] = turn.now.monotonic + Limits.typingShownMilliseconds
        guard peers[link.peer]?.typingIn != conversation else { return }
        typingEnded(link.peer)
        turn.deadlines[.typing(link.peer)] = turn.now.monotonic + Limits.typingShownMilliseconds
        peers[link.peer]?.typingIn = conversation
        turn.emit(.notify(.typing(link.peer, conversation, active: true)))
    }

    /// Typing ends by itself, or with the message it was about.
    mutating func typingEnded(_ id: PeerID) {
        turn.deadlines[.typing(id)] = nil
        guard let conversation = peers[id]?.typingIn else { return }
        peers[id]?.typingIn = nil
        turn.emit(.notify(.typing(id, conversation, active: false)))
    }
}
