import ParlanceRecords
import ParlanceWire

// What peers claim to hold of our logs and of others' logs (sync.md, "Delivered and read").
extension Engine {
    /// Takes what a peer's clock says about our logs as delivered.
    mutating func recordDelivered(of conversation: ConversationID, on id: LinkID) {
        guard let link = links[id], conversations.recordDelivered(of: conversation, to: link, &turn) else {
            return
        }
        // If this is lost, the peer's clock supplies it again, so it need not be synced at once.
        turn.saveLazily()
        tellDelivery(of: conversation)
    }

    mutating func claimRead(_ event: StoredEvent?, at sequence: UInt64, of key: LogKey, on id: LinkID) {
        guard let isRead = conversations.claimRead(event, at: sequence, of: key) else { return }
        // If durable events could not be read, a new link tries again.
        guard isRead else { return close(id, .unspecified) }
        recordDelivered(of: key.conversation, on: id)
        takeWaitingMarks(of: key.conversation, on: id)
    }

    /// Reconsiders waiting watermarks after logs advanced on disk or were read.
    mutating func takeWaitingMarks(of id: ConversationID, on link: LinkID) {
        let waiting = links.waitingMarks(of: id, on: link)
        guard !waiting.isEmpty else { return }
        var raised: [WatermarkRecord.Key] = []
        for mark in waiting {
            let claim = conversations[id]?.claim(of: mark.position, in: mark.key.log, turn) ?? .ahead
            if claim == .unread { conversations[id]?.lookUp(mark.position.sequence, of: mark.key.log, on: link, &turn) }
            guard claim == .held || claim == .other else { continue }
            links.change(id, on: link) { $0.drop(mark.key) }
            // Other watermarks of this member may have come meanwhile.
            guard claim == .held, let open = links[link],
                conversations.maySpeak(mark.key, in: id, by: open.peer, open.replica, turn.own)
            else { continue }
            if conversations.take(mark, from: open.peer, &turn) { raised.append(mark.key) }
        }
        countMarks(raised, of: id)
    }
}
