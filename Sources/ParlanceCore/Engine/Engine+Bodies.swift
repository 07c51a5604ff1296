import ParlanceRecords
import ParlanceWire

// Bodies that did not come with their events. Any peer that has them can supply them (sync.md, "Bodies").
extension Engine {
    /// Handles a change of missing bodies. Peers are told, since it changes what counts as delivered. Missing bodies
    /// are requested.
    mutating func tellMissing(_ changed: [MissingBodies]) {
        for row in changed {
            // This includes peers whose clock has not come yet.
            for id in links.ids {
                guard links.session(of: row.conversation, on: id)?.hearsChanges == true else { continue }
                sendHave([row.log], of: row.conversation, on: id)
            }
            // Receipts did not cover events without their bodies. Now they may.
            if row.sequences.isEmpty {
                conversations.noteReceipt(LogKey(row.conversation, row.log), links, &turn)
            }
        }
        for conversation in Set(changed.filter { !$0.sequences.isEmpty }.map(\.conversation)).sorted() {
            for id in links.ids where askForBodies(of: conversation, on: id) { break }
        }
    }

    /// Has the store tell which texts are missing, in the order of its writes; they are requested then.
    mutating func textsDamaged(in logs: [LogKey]) {
        turn.batch.rows.damaged += logs
        turn.batch.isUrgent = true
    }

    /// - Returns: whether any were requested.
    @discardableResult
    mutating func askForBodies(of id: ConversationID, on link: LinkID) -> Bool {
        guard let conversation = conversations[id] else { return false }
        let full = quotas.full(in: id, at: turn.now.monotonic)
        return links.askForBodies(of: conversation, besides: full, on: link, &turn)
    }

    mutating func bodiesWanted(_ wanted: WireBodiesWanted, on id: LinkID) throws(Breach) {
        guard let link = links[id], let conversation = ConversationID(wanted.conversation),
            let log = LogID(wanted.log), wanted.sequences.count <= Limits.bodiesPerRequest
        else { throw .bodiesWantedFields }
        guard admits(conversation, with: link.peer), let durable = conversations[conversation]?.durable(of: log) else {
            return
        }
        let key = LogKey(conversation, log)
        links.readBodies(wanted.sequences, of: key, through: durable.position.sequence, on: id, &turn)
    }

    /// Sends a body that a peer wanted. If it is one of ours and gone, nobody is expected to have it (sync.md, "Delivered and
    /// read").
    mutating func bodyRead(_ event: StoredEvent?, of key: LogKey, at sequence: UInt64, on id: LinkID) {
        links.bodyRead(event, of: key, at: sequence, on: id, &turn)
        guard let event, event.body == nil, key.log == ownLog, conversations.noteGone(sequence, of: key) else { return }
        for link in links.ids { recordDelivered(of: key.conversation, on: link) }
    }

    /// Takes the bodies that are missing. The store has the headers and checks the hashes.
    mutating func bodiesReceived(_ bodies: WireBodies, on id: LinkID) throws(Breach) {
        guard let link = links[id], let conversation = ConversationID(bodies.conversation),
            let log = LogID(bodies.log)
        else { throw .bodiesFields }
        guard admits(conversation, with: link.peer),
            let missing = conversations[conversation]?.durable(of: log)?.missing,
            !quotas.full(in: conversation, at: turn.now.monotonic).contains(log.author)
        else { return }
        for entry in bodies.entries where missing.contains(entry.sequence) {
            guard entry.body.count <= Limits.bodyBytes else { throw .bodySize }
            turn.hold(
                FoundBody(conversation: conversation, log: log, sequence: entry.sequence, body: [UInt8](entry.body))
            )
        }
    }
}
