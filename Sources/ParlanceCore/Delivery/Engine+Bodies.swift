import Foundation
import ParlanceWire

// Bodies that did not come with their events: they are asked for from anybody who has them (sync.md, "Bodies").
extension Engine {
    /// Bodies are missing, or came: peers learn it, since it changes what is delivered, and somebody is asked.
    mutating func tellMissing(_ changed: [MissingBodies]) {
        for row in changed {
            // Whoever has our clock, whether or not its own has come.
            for id in links.ids {
                guard links.session(of: row.conversation, on: id)?.hearsChanges == true else { continue }
                sendHave([row.log], of: row.conversation, on: id)
            }
            // What lacked them was not said to be held.
            if row.sequences.isEmpty {
                conversations.noteReceipt(LogKey(row.conversation, row.log), links, &turn)
            }
        }
        for conversation in Set(changed.filter { !$0.sequences.isEmpty }.map(\.conversation)).sorted() {
            for id in links.ids where askForBodies(of: conversation, on: id) { break }
        }
    }

    /// Asks the peer of a link for bodies that are missing here and, by its clock, not there.
    ///
    /// - Returns: whether there was something to ask for.
    @discardableResult
    mutating func askForBodies(of id: ConversationID, on link: LinkID) -> Bool {
        guard let conversation = conversations[id], let theirs = links.session(of: id, on: link)?.theirs else {
            return false
        }
        var asked = false
        for (log, state) in conversation.logs.filter({ !$0.value.durable.missing.isEmpty })
            .sorted(by: { $0.key < $1.key })
        {
            guard let entry = theirs.entries[log] else { continue }
            let missing = state.durable.missing
            let there = missing.filter { $0 <= entry.position.sequence && !entry.missing.contains($0) }
            guard !there.isEmpty else { continue }
            var wanted = WireBodiesWanted()
            wanted.conversation = Data(id.bytes)
            wanted.log = log.wire
            wanted.sequences = Array(there.prefix(Limits.bodiesPerRequest))
            send(.bodiesWanted(wanted), on: link)
            asked = true
        }
        return asked
    }

    mutating func bodiesWanted(_ wanted: WireBodiesWanted, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(wanted.conversation),
            let log = LogID(wanted.log), wanted.sequences.count <= Limits.bodiesPerRequest
        else { return breakLink(id, .bodiesWantedFields) }
        guard admits(conversation, with: link.peer),
            let durable = conversations[conversation]?.durable(of: log)?.position.sequence
        else { return }
        let key = LogKey(conversation, log)
        for sequence in wanted.sequences where (1...max(1, durable)).contains(sequence) {
            // One read for each on the way, and so many on a link: what is passed over is asked for again.
            guard links[id]?.beginReading(Link.Place(key: key, sequence: sequence)) == true else { continue }
            let request = ReadRequest(
                conversation: conversation,
                log: log,
                from: sequence,
                through: sequence,
                byteLimit: Limits.bodyBytes
            )
            turn.read(request, for: .bodies(id, key, sequence))
        }
    }

    mutating func bodiesRead(_ events: [StoredEvent], of key: LogKey, at sequence: UInt64, on id: LinkID) {
        links[id]?.endReading(Link.Place(key: key, sequence: sequence))
        guard let event = events.first, let body = event.body else { return }
        var entry = WireBodies.Entry()
        entry.sequence = event.header.sequence
        entry.body = Data(body)
        var bodies = WireBodies()
        bodies.conversation = Data(key.conversation.bytes)
        bodies.log = key.log.wire
        bodies.entries = [entry]
        send(.bodies(bodies), on: id)
    }

    /// Bodies come by themselves; the store has the header, which says whether they are right.
    mutating func bodiesReceived(_ bodies: WireBodies, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(bodies.conversation),
            let log = LogID(bodies.log)
        else { return breakLink(id, .bodiesFields) }
        guard admits(conversation, with: link.peer),
            let missing = conversations[conversation]?.durable(of: log)?.missing
        else { return }
        for entry in bodies.entries where missing.contains(entry.sequence) {
            guard entry.body.count <= Limits.bodyBytes else { return breakLink(id, .bodySize) }
            let found = FoundBody(
                conversation: conversation,
                log: log,
                sequence: entry.sequence,
                body: [UInt8](entry.body)
            )
            turn.batch.bodies.append(found)
            turn.batch.byteCount += found.body.count
            turn.batch.isUrgent = true
        }
    }
}
