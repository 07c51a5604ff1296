import ParlanceWire

// What others say that they hold of our logs, and of others' (sync.md, "Delivered and read").
extension Engine {
    /// A peer told what it holds: what that says of our logs counts as delivered.
    mutating func recordDelivered(of conversation: ConversationID, on id: LinkID) {
        guard let link = links[id], conversations.recordDelivered(of: conversation, to: link, &turn) else {
            return
        }
        // Found out again from the peer's clock if it is lost, so it need not be synced by itself.
        turn.saveLazily()
        tellDelivery(of: conversation)
    }

    mutating func claimRead(_ event: StoredEvent?, at sequence: UInt64, of key: LogKey, on id: LinkID) {
        guard let isRead = conversations.claimRead(event, at: sequence, of: key) else { return }
        // If what is durable was not read, a fresh link tries again.
        guard isRead else { return close(id, .unspecified) }
        recordDelivered(of: key.conversation, on: id)
        takeWaitingMarks(of: key.conversation, on: id)
    }

    /// Logs have become durable further, or were read: marks that waited for it may count now.
    mutating func takeWaitingMarks(of id: ConversationID, on link: LinkID) {
        let waiting = links.waitingMarks(of: id, on: link)
        guard !waiting.isEmpty else { return }
        var raised: [WatermarkRecord.Key] = []
        for mark in waiting {
            let claim = conversations[id]?.claim(of: mark.position, in: mark.key.log, turn) ?? .ahead
            if claim == .unread { conversations[id]?.lookUp(mark.position.sequence, of: mark.key.log, on: link, &turn) }
            guard claim == .held || claim == .other else { continue }
            links.change(id, on: link) { $0.drop(mark.key) }
            // Others of this member may have come meanwhile.
            guard claim == .held, let open = links[link],
                conversations.maySpeak(mark.key, in: id, on: open, turn.own)
            else { continue }
            if conversations.take(mark, from: open.peer, &turn) { raised.append(mark.key) }
        }
        countMarks(raised, of: id)
    }
}
