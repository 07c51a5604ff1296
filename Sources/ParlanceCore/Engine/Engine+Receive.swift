import ParlanceRecords
import ParlanceWire

// Taking events that others wrote.
extension Engine {
    mutating func eventsReceived(_ wire: WireEvents, on id: LinkID) throws(Breach) {
        guard let peer = links[id]?.peer, let conversation = ConversationID(wire.conversation) else {
            throw .eventsConversation
        }
        guard admits(conversation, with: peer) else { return sendRefusal(of: conversation, .notMember, on: id) }
        guard let run = ReceivedRun(wire, of: conversation) else { throw .eventsFirstHeader }
        guard run.place != .malformed else { throw .eventsPlace }
        if conversations[conversation] == nil { createDirect(with: peer) }
        guard conversations[conversation]?.mayWrite(run.named.author, identity) == true else {
            // The author may be a member according to other nodes, although no event held here added it. Its log is
            // requested again once one does.
            guard conversations[conversation]?.group == nil else { return }
            throw .eventsAuthor
        }
        for part in conversations[conversation]?.parts(of: run) ?? [] {
            guard let log = try place(of: part, on: id) else { return }
            try take(part, LogKey(conversation, log), on: id)
        }
    }

    private mutating func take(_ run: ReceivedRun, _ key: LogKey, on id: LinkID) throws(Breach) {
        guard let link = links[id], let held = conversations[key.conversation]?.held(of: key.log) else { return }
        let bases = conversations[key.conversation]?.bases(of: key.log) ?? []
        // Before the signatures, which cost more than a flood should.
        if let end = fullUntil(for: run, key) { return tellFull(key, until: end, on: id) }
        do {
            let events = try RunVerifier.verify(
                run.events,
                of: run.named,
                branch: key.log == run.named ? nil : key.log,
                in: key.conversation,
                after: held,
                bases: bases
            )
            // Only this replica can have signed events that its store does not hold, so the store was rolled back.
            let areHeld = events.isEmpty
            if key.log == ownLog && !areHeld { conversations.takeNewReplica(&turn) }
            hold(consume events, via: link.peer, key)
            theirHeld(run, of: key.log, on: id)
            if areHeld {
                if links.session(of: key.conversation, on: id)?.isSearching(key.log) == true {
                    conversations[key.conversation]?.compareLater(run, in: key.log, on: id, &turn)
                }
                sendHave([key.log], of: key.conversation, on: id)
            } else {
                links.begin(key.conversation, on: id) { $0.owes(key.log) }
            }
        } catch {
            switch error {
            case .gap:
                conversations.dropWant(key)
                sendClock(of: key.conversation, on: id, again: true)
            case .doesNotChain: conversations[key.conversation]?.compareLater(run, in: key.log, on: id, &turn)
            // The peer may know of a fork at its end that this node has not heard of.
            case .breach(.eventsUnsigned) where !bases.isEmpty: break
            case .breach(let rule): throw rule
            }
        }
    }

    /// - Parameter peer: who sent or carried the events.
    mutating func hold(_ events: consuming [StoredEvent], via peer: PeerID, _ key: LogKey) {
        var changes: [StoredEvent] = []
        for index in events.indices {
            events[index].arrive(at: turn.now.wall)
            // Through whom a change came is kept with the log only.
            if events[index].header.kind.isMembership { changes.append(events[index]) }
            if key.log.author != peer { events[index].via = peer }
        }
        if !events.isEmpty { presence.typingEnded(key.log.author, &turn) }
        conversations.hold(events, of: key, &turn)
        takeMembership(changes, in: key.conversation)
    }

    /// Notes that the sender of a run holds it through its last event, except for bodies that did not come, so that it
    /// is not sent back. For our logs only the peer's own clock counts, since it decides what is delivered.
    private mutating func theirHeld(_ run: ReceivedRun, of log: LogID, on id: LinkID) {
        guard log.author != identity, let last = run.events.last, let sequence = last.header?.sequence,
            let theirs = links.session(of: run.conversation, on: id)?.theirs, theirs[log].sequence < sequence
        else { return }
        let bare = run.events.filter { $0.body == nil && $0.header?.untravelledBody == nil }.compactMap(\.header)
        let missing = bare.filter { ($0.kind == .message || $0.kind == .edit) && $0.sequence > theirs[log].sequence }
            .map(\.sequence)
        let position = LogPosition(sequence: sequence, head: last.id)
        links.change(run.conversation, on: id) { $0.raised(log, to: position, lacking: missing) }
    }

    /// Creates the direct conversation with a peer, if there is none.
    mutating func createDirect(with peer: PeerID) {
        let id = ConversationID(direct: identity, peer)
        if conversations[id] == nil { conversations.create(ConversationRecord(id: id, kind: .direct(peer)), &turn) }
    }
}
