import ParlanceWire

// What people are shown of peers and of what waits.
extension Engine {
    mutating func tellPeer(_ id: PeerID) {
        guard peers[id] != nil else { return }
        emit(.notify(.peer(view(of: id))))
    }

    func view(of id: PeerID) -> PeerView {
        let peer = peers[id] ?? Peer(PeerRecord(id: id))
        let conversation = ConversationID(direct: identity, id)
        let ways = targets(of: id)
        let link = mainLink(of: id)
        let failing = ways.filter { $0.lastError != nil }.min { $0.nextTry < $1.nextTry }
        return PeerView(
            record: peer.record,
            displayName: displayName(of: peer.record),
            nearby: ways.contains { if case .instance = $0.key { true } else { false } },
            connected: link != nil,
            presence: PresenceView(
                activity: peer.isPresent ? peer.announced.activity : nil,
                statusText: peer.announced.statusText,
                lastSeen: peer.isPresent ? now.wall : peer.record.lastSeen
            ),
            endpoints: link.map { [$0.remote] } ?? ways.flatMap(\.endpoints),
            typing: peer.typingShown,
            conversation: conversation,
            delivery: deliveryView(of: conversation),
            reason: link == nil ? failing?.lastError : nil,
            nextTry: link == nil ? nextTry(of: id) : nil
        )
    }

    /// When a link to a peer is tried next, if it is.
    private func nextTry(of id: PeerID) -> Int64? {
        guard peers[id]?.isAccepted == true else { return nil }
        return targets(of: id).filter { $0.attempt == nil }.map { max($0.nextTry, now.monotonic) }.min()
    }

    /// Whether own messages wait that a conversation's peer has not got.
    func hasPending(_ conversation: ConversationID) -> Bool {
        guard let state = conversations[conversation], let own = state.logs[ownLog] else { return false }
        return own.durable.position.sequence > state.reached(ownLog, by: state.peer, at: .delivered).sequence
    }

    /// The thresholds from which every status of an own message follows.
    func deliveryView(of id: ConversationID) -> DeliveryView {
        guard let conversation = conversations[id] else {
            return DeliveryView(conversation: id, peer: identity, logs: [])
        }
        let peer = conversation.peer
        let link = mainLink(of: peer)
        let logs = conversation.sortedLogs.filter { $0.author == identity }.map { log in
            DeliveryView.LogDelivery(
                log: log,
                delivered: conversation.reached(log, by: peer, at: .delivered),
                read: conversation.reached(log, by: peer, at: .read),
                sendingThrough: sendingThrough(log, link?.syncs[id]?.cursors[log], conversation),
                refusedThrough: log == ownLog ? peers[peer]?.record.refusedThrough ?? 0 : 0
            )
        }
        let waits = hasPending(id)
        return DeliveryView(
            conversation: id,
            peer: peer,
            logs: logs,
            reason: waits ? waitReason(id, peer, link) : nil,
            nextTry: waits && link == nil ? nextTry(of: peer) : nil
        )
    }

    /// What is being read for a link is on its way already: it can leave at any moment.
    private func sendingThrough(_ log: LogID, _ cursor: Cursor?, _ conversation: Conversation) -> UInt64 {
        guard let cursor else { return 0 }
        return cursor.reading == nil ? cursor.sent : conversation.logs[log]?.durable.position.sequence ?? cursor.sent
    }

    private func waitReason(_ id: ConversationID, _ peer: PeerID, _ link: Link?) -> WaitReason {
        if let refused = peers[peer]?.record.refusedThrough,
            refused >= conversations[id]?.logs[ownLog]?.durable.position.sequence ?? 0
        {
            return .refused
        }
        guard let link else {
            let failing = targets(of: peer).compactMap(\.lastError).first
            let isNearby = targets(of: peer).contains { if case .instance = $0.key { true } else { false } }
            return isNearby ? failing.map { .unreachable($0) } ?? .peerOffline : .peerOffline
        }
        if link.syncs[id]?.listed == true { return .onItsWay }
        return peers[peer]?.record.answerReceived == nil ? .waitsForAcceptance : .notTaken
    }
}
