import ParlanceSodium
import ParlanceWire

// Writing our own log of a conversation.
extension Conversation {
    /// Appends an event to our own log: after the last, naming what this node has seen of the others.
    ///
    /// - Returns: the event. A membership event is signed; it is not taken into the group yet.
    @discardableResult
    mutating func append(
        _ kind: EventKind,
        body: [UInt8],
        target: EventReference? = nil,
        _ turn: inout Turn
    ) -> StoredEvent {
        // An event is judged by what its author had seen, so nothing seen is left unnamed.
        var unnamed = unnamed(by: turn.own.log)
        while kind != .link && unnamed.count > Limits.dependencies {
            append(.link, body: [], &turn)
            unnamed = self.unnamed(by: turn.own.log)
        }
        var event = newEvent(kind, body: body, target: target, naming: unnamed, &turn)
        signBefore(event, &turn)
        hold(event, &turn)
        var unsigned = turn.batch.unsigned[id] ?? PendingBatch.Unsigned(last: 0, count: 0, bytes: 0)
        unsigned.last = turn.batch.rows.events.count - 1
        unsigned.count += 1
        unsigned.bytes += event.byteCount
        turn.batch.unsigned[id] = unsigned
        guard kind.isMembership else { return event }
        // It is told by itself too, so it is always a head.
        turn.signHead(of: id)
        event.signature = turn.batch.rows.events.last?.signature
        return event
    }

    private mutating func newEvent(
        _ kind: EventKind,
        body: [UInt8],
        target: EventReference?,
        naming unnamed: [EventReference],
        _ turn: inout Turn
    ) -> StoredEvent {
        let state = logs[turn.own.log] ?? LogState()
        let isFirst = state.held.position.sequence == 0
        let header = EventHeader(
            conversation: id,
            log: turn.own.log,
            sequence: state.held.position.sequence + 1,
            previous: isFirst ? nil : state.held.position.head,
            time: EventTime(wallMilliseconds: turn.now.wall, after: isFirst ? nil : state.time),
            dependencies: name(unnamed, &turn),
            kind: kind,
            bodyHash: Bytes32(hashingBody: body),
            target: target
        )
        let bytes = header.encoded()
        let hash = EventID(hashing: bytes)
        var event = StoredEvent(id: hash, header: header, headerBytes: bytes, body: body, signature: nil)
        // After a clock that was ahead our times go on from there.
        event.arrive(at: turn.now.wall)
        return event
    }

    /// The heads of other logs that are applied here, that no own event has named yet, and that nothing else to be named
    /// refers to: what that refers to is named with it.
    private func unnamed(by ownLog: LogID) -> [EventReference] {
        // The usual case: everything is named.
        guard logs.contains(where: { $0.key != ownLog && $0.value.applied.sequence > $0.value.namedThrough }) else {
            return []
        }
        let changes = lastMembershipChanges
        var found: [EventReference] = []
        for (log, state) in logs where log != ownLog && state.applied.sequence > state.namedThrough {
            // What others are not given they could never apply.
            guard !displaced.contains(log) else { continue }
            // Who has seen a change of the group says so itself: rights follow from it. It may stand in any branch.
            let hasChanged = changes[root(of: log)].map { $0 > state.namedThrough } ?? false
            guard hasChanged || state.applied.sequence > state.coveredThrough else { continue }
            found.append(EventReference(log: log, sequence: state.applied.sequence, id: state.applied.head))
        }
        found.sort { $0.log < $1.log }
        return found
    }

    /// Where each log last changed the group, its branches included.
    private var lastMembershipChanges: [LogID: UInt64] {
        let events = group?.membership.events ?? []
        return events.reduce(into: [:]) { last, event in
            last[event.header.log] = max(last[event.header.log] ?? 0, event.header.sequence)
        }
    }

    /// Names as many of the unnamed heads as one event can.
    private mutating func name(_ unnamed: [EventReference], _ turn: inout Turn) -> [EventReference] {
        let named = Array(unnamed.prefix(Limits.dependencies))
        for reference in named { name(reference.log, through: reference.sequence, &turn) }
        guard unnamed.count <= Limits.dependencies else { return named }
        // All that is applied is in the past of this event now.
        for (log, state) in logs where log != turn.own.log && state.applied.sequence > state.namedThrough {
            name(log, through: state.applied.sequence, &turn)
        }
        return named
    }

    /// Signs the event before if one more would make the run to the next head too long.
    private func signBefore(_ event: StoredEvent, _ turn: inout Turn) {
        guard let unsigned = turn.batch.unsigned[id],
            unsigned.count >= Limits.eventsPerHead || unsigned.bytes + event.byteCount > Limits.bytesPerHead
        else { return }
        turn.signHead(of: id)
    }
}
