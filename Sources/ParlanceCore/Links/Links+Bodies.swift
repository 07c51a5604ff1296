import FoundationEssentials
import ParlanceRecords
import ParlanceWire

// Bodies that did not come with their events (sync.md, "BodiesWanted", "Bodies").
extension Links {
    /// Asks a peer for the bodies that are missing here and that the peer has, by its clock.
    ///
    /// - Parameter full: authors of whom no more is taken now.
    /// - Returns: whether any were requested.
    @discardableResult
    func askForBodies(
        of conversation: Conversation,
        besides full: Set<PeerID>,
        on id: LinkID,
        _ turn: inout Turn
    ) -> Bool {
        guard let theirs = session(of: conversation.id, on: id)?.theirs else { return false }
        var asked = false
        for (log, state) in conversation.logs where !state.durable.missing.isEmpty && !full.contains(log.author) {
            guard let entry = theirs.entries[log] else { continue }
            let missing = state.durable.missing
            let there = missing.filter { entry.hasBody(at: $0) }
            guard !there.isEmpty else { continue }
            var wanted = WireBodiesWanted()
            wanted.conversation = Data(conversation.id.bytes)
            wanted.log = log.wire
            wanted.sequences = Array(there.prefix(Limits.bodiesPerRequest))
            send(.bodiesWanted(wanted), on: id, &turn)
            asked = true
        }
        return asked
    }

    /// Reads the bodies that the peer wants.
    ///
    /// - Parameter durable: the last durable sequence of the log.
    mutating func readBodies(
        _ wanted: [UInt64],
        of key: LogKey,
        through durable: UInt64,
        on id: LinkID,
        _ turn: inout Turn
    ) {
        for sequence in wanted where (1...max(1, durable)).contains(sequence) {
            // A body is read once at a time, and each link reads a bounded number. The peer asks again for the others.
            let place = Link.Place(key: key, sequence: sequence)
            guard change(id, { $0.beginReading(place) }) == true else { continue }
            let request = ReadRequest(
                conversation: key.conversation,
                log: key.log,
                from: sequence,
                through: sequence,
                byteLimit: Limits.bodyBytes
            )
            turn.read(request, for: .bodies(id, key, sequence))
        }
    }

    /// Sends a body that the peer requested.
    ///
    /// - Parameter event: `nil` if the store does not hold it.
    mutating func bodyRead(
        _ event: StoredEvent?,
        of key: LogKey,
        at sequence: UInt64,
        on id: LinkID,
        _ turn: inout Turn
    ) {
        bodyNotRead(of: key, at: sequence, on: id)
        guard let event, let body = event.body else { return }
        var entry = WireBodies.Entry()
        entry.sequence = event.header.sequence
        entry.body = Data(body)
        var bodies = WireBodies()
        bodies.conversation = Data(key.conversation.bytes)
        bodies.log = key.log.wire
        bodies.entries = [entry]
        send(.bodies(bodies), on: id, &turn)
    }

    /// Ends the read of a body. If it failed, the peer asks again with its next heartbeat.
    mutating func bodyNotRead(of key: LogKey, at sequence: UInt64, on id: LinkID) {
        change(id) { $0.endReading(Link.Place(key: key, sequence: sequence)) }
    }
}
