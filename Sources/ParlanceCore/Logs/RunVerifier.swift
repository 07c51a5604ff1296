import ParlanceSodium
package import ParlanceWire

/// Takes a run of one log as it came and says whether it is what its author wrote (events.md, "Runs").
///
/// A run is valid if it chains on from what is held, each body fits its header, and its last header is signed by the
/// author. So a long catch-up costs hashes, and a signature check only at each head.
package enum RunVerifier {
    package enum Failure: Error, Equatable {
        case malformed(String)
        /// It begins after what is held: something in between has not come.
        case gap
        /// It does not continue the header that is held.
        case doesNotChain
        case badSignature
    }

    /// - Returns: the events that are new, in order; empty if all are held.
    package static func verify(
        _ run: [WireEvent],
        of log: LogID,
        in conversation: ConversationID,
        after held: LogPosition
    ) throws(Failure) -> [StoredEvent] {
        var events: [StoredEvent] = []
        events.reserveCapacity(run.count)
        var position = held
        var sinceHead = 0
        var bytesSinceHead = 0
        for wire in run {
            let event = try decode(wire)
            guard event.header.log == log, event.header.conversation == conversation else {
                throw .malformed("a run of more than one log")
            }
            if event.header.sequence <= held.sequence { continue }
            guard event.header.sequence == position.sequence + 1 else { throw .gap }
            guard event.header.previous == (position.sequence == 0 ? nil : position.head) else { throw .doesNotChain }
            sinceHead += 1
            bytesSinceHead += event.byteCount
            guard sinceHead <= Limits.eventsPerHead, sinceHead == 1 || bytesSinceHead <= Limits.runBytes else {
                throw .malformed("a run without a head for too long")
            }
            if let signature = event.signature {
                guard HeadSeal.verify(signature, of: event.id, by: log.author) else { throw .badSignature }
                sinceHead = 0
                bytesSinceHead = 0
            }
            position = event.position
            events.append(event)
        }
        guard sinceHead == 0 else { throw .badSignature }
        return events
    }

    private static func decode(_ wire: WireEvent) throws(Failure) -> StoredEvent {
        let headerBytes = [UInt8](wire.header)
        let header: EventHeader
        do { header = try EventHeader(decoding: headerBytes) } catch { throw .malformed(error.message) }
        var body: [UInt8]?
        if wire.hasBody {
            let bytes = [UInt8](wire.body)
            guard Bytes32(hashingBody: bytes) == header.bodyHash else { throw .malformed("a body of another event") }
            body = bytes
        }
        // Only a message may travel without its body: what a withdrawal says must be known wherever it is held.
        guard body != nil || header.kind != .withdraw else { throw .malformed("a withdrawal without its body") }
        guard wire.signature.isEmpty || wire.signature.count == 64 else { throw .malformed("a signature") }
        return StoredEvent(
            id: EventID(hashing: headerBytes),
            header: header,
            headerBytes: headerBytes,
            body: body,
            signature: wire.signature.isEmpty ? nil : [UInt8](wire.signature)
        )
    }
}
