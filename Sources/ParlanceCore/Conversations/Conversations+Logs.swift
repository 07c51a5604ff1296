import ParlanceRecords
import ParlanceWire

// Additions to logs, and forks. Each method ignores a conversation that does not exist.
extension Conversations {
    /// Appends an event to our own log.
    ///
    /// - Returns: the event.
    @discardableResult
    mutating func append(
        _ kind: EventKind,
        body: [UInt8],
        target: EventReference? = nil,
        to id: ConversationID,
        _ turn: inout Turn
    ) -> StoredEvent? {
        change(id) { $0.append(kind, body: body, target: target, &turn) }
    }

    /// Adds a verified run of one log to the batch.
    mutating func hold(_ run: [StoredEvent], of key: LogKey, _ turn: inout Turn) {
        change(key.conversation) { $0.hold(run, of: key.log, &turn) }
    }

    /// Makes each branch a log of its own.
    ///
    /// - Returns: the logs whose state on links is obsolete.
    mutating func take(_ split: Split, in id: ConversationID, _ turn: inout Turn) -> [LogID] {
        defer { considerGivingUp(in: id, &turn) }
        return change(id) { $0.take(split, &turn) } ?? []
    }

    // Progress of others with our logs.

    /// The events that a peer lacks of our own log in the direct conversation with it.
    func undelivered(to peer: PeerID, _ own: OwnNode) -> Undelivered {
        let id = ConversationID(direct: own.identity, peer)
        return Undelivered(
            conversation: id,
            log: own.log,
            reached: self[id]?.reached(own.log, by: peer, at: .delivered).sequence ?? 0,
            through: self[id]?.durableThrough(own.log) ?? 0
        )
    }

    /// Takes what the peer of a link holds of our logs as delivered.
    ///
    /// - Returns: whether any mark went up.
    mutating func recordDelivered(of id: ConversationID, to link: Link, _ turn: inout Turn) -> Bool {
        change(id) { $0.recordDelivered(to: link, &turn) } ?? false
    }

    /// A text of ours is gone, and a peer has asked for it.
    ///
    /// - Returns: whether that was not known.
    mutating func noteGone(_ sequence: UInt64, of key: LogKey) -> Bool {
        change(key.conversation) { $0.noteGone(sequence, of: key.log) } ?? false
    }

    /// Takes the event that was read at a position of one of our logs.
    ///
    /// - Returns: whether the store could answer; `nil` if there is no such conversation.
    mutating func claimRead(_ event: StoredEvent?, at sequence: UInt64, of key: LogKey) -> Bool? {
        change(key.conversation) { $0.claimRead(event, at: sequence, of: key.log) }
    }
}
