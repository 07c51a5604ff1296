import ParlanceSodium
import ParlanceWire

// Writing the own logs.
extension Engine {
    /// Appends an event to the own log of a conversation: after the last, naming what it has seen of the others.
    @discardableResult
    mutating func append(
        _ kind: EventKind,
        body: [UInt8],
        target: EventReference? = nil,
        to conversation: ConversationID
    ) -> StoredEvent {
        // What its author had seen stands above it and is what it is judged by, so nothing seen is left unnamed.
        while kind != .link && unnamed(in: conversation).count > Limits.dependencies {
            append(.link, body: [], to: conversation)
        }
        let event = newEvent(kind, body: body, target: target, in: conversation)
        signBefore(event)
        conversations[conversation]?.hold(event, &turn)
        var unsigned = turn.batch.unsigned[conversation] ?? PendingBatch.Unsigned(last: 0, count: 0, bytes: 0)
        unsigned.last = turn.batch.events.count - 1
        unsigned.count += 1
        unsigned.bytes += event.byteCount
        turn.batch.unsigned[conversation] = unsigned
        guard kind.isMembership else { return event }
        // It is told by itself too, so it is always a head.
        turn.signHead(of: conversation)
        var signed = event
        signed.signature = turn.batch.events.last?.signature
        takeMembership([signed], in: conversation)
        return signed
    }

    private mutating func newEvent(
        _ kind: EventKind,
        body: [UInt8],
        target: EventReference?,
        in conversation: ConversationID
    ) -> StoredEvent {
        let state = conversations[conversation]?.logs[ownLog] ?? LogState()
        let isFirst = state.held.position.sequence == 0
        let header = EventHeader(
            conversation: conversation,
            log: ownLog,
            sequence: state.held.position.sequence + 1,
            previous: isFirst ? nil : state.held.position.head,
            time: EventTime(wallMilliseconds: turn.now.wall, after: isFirst ? nil : state.time),
            dependencies: nameDependencies(in: conversation),
            kind: kind,
            bodyHash: Bytes32(hashingBody: body),
            target: target
        )
        let bytes = header.encoded()
        let id = EventID(hashing: bytes)
        var event = StoredEvent(id: id, header: header, headerBytes: bytes, body: body, signature: nil)
        // After a clock that was ahead the own times go on from there.
        event.arrive(at: turn.now.wall)
        return event
    }

    /// The heads of other logs that are applied here, that no own event has named yet, and that nothing else to be named
    /// refers to: what that refers to is named with it.
    private func unnamed(in conversation: ConversationID) -> [EventReference] {
        guard let group = conversations[conversation] else { return [] }
        let changes = lastMembershipChanges(in: conversation)
        var found: [EventReference] = []
        for (log, state) in group.logs where log != ownLog && state.applied.sequence > state.namedThrough {
            // What others are not given they could never apply.
            guard !group.displaced.contains(log) else { continue }
            // Who has seen a change of the group says so itself: rights follow from it. It may stand in any branch.
            let hasChanged = changes[group.root(of: log)].map { $0 > state.namedThrough } ?? false
            guard hasChanged || state.applied.sequence > state.coveredThrough else { continue }
            found.append(EventReference(log: log, sequence: state.applied.sequence, id: state.applied.head))
        }
        found.sort { $0.log < $1.log }
        return found
    }

    /// Where each log last changed the group, its branches included.
    private func lastMembershipChanges(in conversation: ConversationID) -> [LogID: UInt64] {
        let events = conversations[conversation]?.group?.membership.events ?? []
        return events.reduce(into: [:]) { last, event in
            last[event.header.log] = max(last[event.header.log] ?? 0, event.header.sequence)
        }
    }

    private mutating func nameDependencies(in conversation: ConversationID) -> [EventReference] {
        let unnamed = unnamed(in: conversation)
        let named = Array(unnamed.prefix(Limits.dependencies))
        for reference in named { conversations[conversation]?.name(reference.log, through: reference.sequence, &turn) }
        guard unnamed.count <= Limits.dependencies, let logs = conversations[conversation]?.logs else { return named }
        // All that is applied is in the past of this event now.
        for (log, state) in logs where log != ownLog && state.applied.sequence > state.namedThrough {
            conversations[conversation]?.name(log, through: state.applied.sequence, &turn)
        }
        return named
    }

    /// Signs the event before if one more would make the run to the next head too long.
    private mutating func signBefore(_ event: StoredEvent) {
        guard let unsigned = turn.batch.unsigned[event.header.conversation],
            unsigned.count >= Limits.eventsPerHead || unsigned.bytes + event.byteCount > Limits.bytesPerHead
        else { return }
        turn.signHead(of: event.header.conversation)
    }
}
