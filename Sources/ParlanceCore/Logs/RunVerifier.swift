import ParlanceSodium
package import ParlanceWire

/// Takes a run of one log as it came and says whether it is what its author wrote (events.md, "Runs").
///
/// A run is valid if it chains on from what is held, each body fits its header, and its last header is signed by the
/// author. So a long catch-up costs hashes, and a signature check only at each head.
package enum RunVerifier {
    package enum Failure: Error, Equatable {
        case breach(Breach)
        /// It begins after what is held: something in between has not come.
        case gap
        /// It does not continue the header that is held.
        case doesNotChain

        /// The rule that is broken, where the run has to stand by itself.
        var breach: Breach {
            switch self {
            case .breach(let rule): rule
            case .gap, .doesNotChain: .eventsChain
            }
        }
    }

    /// - Parameters:
    ///   - log: the log that the headers name.
    ///   - branch: where they are kept, if that log was forked before them.
    /// - Returns: the events that are new, in order; empty if all are held.
    package static func verify(
        _ run: [ReceivedEvent],
        of log: LogID,
        branch: LogID? = nil,
        in conversation: ConversationID,
        after held: LogPosition
    ) throws(Failure) -> [StoredEvent] {
        var events: [StoredEvent] = []
        events.reserveCapacity(run.count)
        var position = held
        var sinceHead = 0
        var bytesSinceHead = 0
        for received in run {
            var event = try read(received)
            event.branch = branch
            guard event.header.log == log, event.header.conversation == conversation else {
                throw .breach(.eventLog)
            }
            guard event.header.sequence != held.sequence || event.id == held.head else { throw .doesNotChain }
            if event.header.sequence <= held.sequence { continue }
            guard event.header.sequence == position.sequence + 1 else { throw .gap }
            guard event.header.previous == (position.sequence == 0 ? nil : position.head) else { throw .doesNotChain }
            sinceHead += 1
            bytesSinceHead += event.byteCount
            guard sinceHead <= Limits.eventsPerHead, sinceHead == 1 || bytesSinceHead <= Limits.runBytes else {
                throw .breach(.eventHeadDistance)
            }
            if let signature = event.signature {
                guard HeadSeal.verify(signature, of: event.id, by: log.author) else { throw .breach(.eventSignature) }
                sinceHead = 0
                bytesSinceHead = 0
            }
            position = event.position
            events.append(event)
        }
        guard sinceHead == 0 else { throw .breach(.eventsUnsigned) }
        return events
    }

    /// The hash of no bytes: the event has no body.
    private static let noBody = Bytes32(hashingBody: [])

    /// Takes a membership event by itself, as an invitation has it: signed, with its body.
    package static func verify(
        single received: ReceivedEvent,
        in conversation: ConversationID
    ) throws(Failure) -> StoredEvent {
        let event = try read(received)
        guard event.header.kind.isMembership, event.header.conversation == conversation, event.body != nil else {
            throw .breach(.inviteEvent)
        }
        guard let signature = event.signature, HeadSeal.verify(signature, of: event.id, by: event.header.log.author)
        else { throw .breach(.eventSignature) }
        return event
    }

    /// Reads an event without a look at its signature: what somebody claims, and nobody has proved.
    static func claimed(_ received: ReceivedEvent) -> StoredEvent? { try? read(received) }

    /// Reads the headers of a branch up to a signed one, which with another such is the proof of a fork.
    ///
    /// - Returns: its first event.
    static func verify(proof: [ReceivedEvent], of log: LogID, in id: ConversationID) throws(Failure) -> StoredEvent {
        guard proof.count <= Limits.eventsPerHead else { throw .breach(.forkBranches) }
        var events: [StoredEvent] = []
        for bare in proof {
            let event = try read(bare, needsBody: false)
            guard event.header.log == log, event.header.conversation == id else {
                throw .breach(.forkLog)
            }
            if let last = events.last {
                guard event.header.previous == last.id, event.header.sequence == last.header.sequence + 1 else {
                    throw .breach(.forkChain)
                }
            }
            events.append(event)
        }
        guard let first = events.first, let last = events.last, let signature = last.signature,
            HeadSeal.verify(signature, of: last.id, by: log.author)
        else { throw .breach(.forkSignature) }
        return first
    }

    /// What an event says if it is well formed and its body fits its header.
    private static func read(_ received: ReceivedEvent, needsBody: Bool = true) throws(Failure) -> StoredEvent {
        guard let header = received.header else { throw .breach(.eventHeader) }
        let body = received.body
        if let body {
            guard Bytes32(hashingBody: body) == header.bodyHash else { throw .breach(.eventBodyHash) }
        }
        // Only a text may travel without its body: what the others say must be known wherever they are held.
        guard !needsBody || body != nil || header.kind.mayLackBody || header.bodyHash == Self.noBody else {
            throw .breach(.eventBodyMissing)
        }
        // Else a relay could take the signature away, and some would know the event by itself and some not.
        guard !header.kind.isMembership || !received.signature.isEmpty else {
            throw .breach(.membershipUnsigned)
        }
        guard received.signature.isEmpty || received.signature.count == 64 else { throw .breach(.eventSignatureLength) }
        return StoredEvent(
            id: received.id,
            header: header,
            headerBytes: received.headerBytes,
            body: body,
            signature: received.signature.isEmpty ? nil : received.signature
        )
    }
}
