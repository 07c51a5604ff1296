package import ParlanceRecords
import ParlanceSodium
package import ParlanceWire

/// Verifies that a received run of one log is what its author wrote (events.md, "Runs").
///
/// A run is valid if it continues the chain of what is held, each body matches its header, and the author has signed
/// its last header. A long catch-up therefore costs hashes, and signature checks only at heads.
package enum RunVerifier {
    package enum Failure: Error, Equatable {
        case breach(Breach)
        /// The run begins after the next expected event: events in between have not come.
        case gap
        /// The run does not continue the header that is held.
        case doesNotChain

        /// The rule that the failure breaks where a run must stand by itself.
        var breach: Breach {
            switch self {
            case .breach(let rule): rule
            case .gap, .doesNotChain: .eventsChain
            }
        }
    }

    /// - Parameters:
    ///   - log: the log that the headers name.
    ///   - branch: the branch in which they are kept, if that log was forked before them.
    ///   - bases: where known branches of the log begin. Their proofs sign what they follow, so a run may end there.
    /// - Returns: the new events, in order; empty if all are held already.
    package static func verify(
        _ run: [ReceivedEvent],
        of log: LogID,
        branch: LogID? = nil,
        in conversation: ConversationID,
        after held: LogPosition,
        bases: Set<LogPosition> = []
    ) throws(Failure) -> [StoredEvent] {
        var events: [StoredEvent] = []
        events.reserveCapacity(run.count)
        var position = held
        var sinceHead = 0
        var bytesSinceHead = 0
        for received in run {
            var event: StoredEvent
            do throws(Breach) { event = try read(received) } catch { throw .breach(error) }
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
        guard sinceHead == 0 || bases.contains(position) else { throw .breach(.eventsUnsigned) }
        return events
    }

    /// Verifies a single membership event, as an invitation carries it: with signature and body.
    package static func verify(
        single received: ReceivedEvent,
        in conversation: ConversationID
    ) throws(Breach) -> StoredEvent {
        let event = try read(received)
        guard event.header.kind.isMembership, event.header.conversation == conversation, event.body != nil else {
            throw .inviteEvent
        }
        guard let signature = event.signature, HeadSeal.verify(signature, of: event.id, by: event.header.log.author)
        else { throw .eventSignature }
        return event
    }

    /// Reads an event without checking its signature: the result is an unproved claim.
    static func claimed(_ received: ReceivedEvent) -> StoredEvent? { try? read(received) }

    /// Verifies the headers of a branch up to a signed one. Two such branches prove a fork.
    ///
    /// - Returns: the first event of the branch.
    static func verify(proof: [ReceivedEvent], of log: LogID, in id: ConversationID) throws(Breach) -> StoredEvent {
        guard proof.count <= Limits.eventsPerHead else { throw .forkBranches }
        var events: [StoredEvent] = []
        for bare in proof {
            let event = try read(bare, needsBody: false)
            guard event.header.log == log, event.header.conversation == id else {
                throw .forkLog
            }
            if let last = events.last {
                guard event.header.previous == last.id, event.header.sequence == last.header.sequence + 1 else {
                    throw .forkChain
                }
            }
            events.append(event)
        }
        guard let first = events.first, let last = events.last, let signature = last.signature,
            HeadSeal.verify(signature, of: last.id, by: log.author)
        else { throw .forkSignature }
        return first
    }

    /// Reads an event that is well formed and whose body matches its header.
    private static func read(_ received: ReceivedEvent, needsBody: Bool = true) throws(Breach) -> StoredEvent {
        guard let header = received.header else { throw .eventHeader }
        if let body = received.body {
            guard Bytes32(hashingBody: body) == header.bodyHash else { throw .eventBodyHash }
        }
        let body = received.body ?? header.untravelledBody
        // Only kinds with texts may travel without a body: the content of the others must be known wherever they are
        // held.
        guard !needsBody || body != nil || header.kind.mayLackBody || header.bodyHash == .noBody else {
            throw .eventBodyMissing
        }
        // Without this rule a relay could remove the signature, and only some nodes could verify the event by itself.
        guard !header.kind.isMembership || !received.signature.isEmpty else {
            throw .membershipUnsigned
        }
        guard received.signature.isEmpty || received.signature.count == 64 else { throw .eventSignatureLength }
        return StoredEvent(
            id: received.id,
            header: header,
            headerBytes: received.headerBytes,
            body: body,
            signature: received.signature.isEmpty ? nil : received.signature
        )
    }
}
