import ParlanceHistory
import ParlanceRecords
import ParlanceSodium
import ParlanceWire

// Writing our own log of a conversation.
extension Conversation {
    /// Appends an event to our own log, naming what this node has seen of other logs.
    ///
    /// - Returns: the event. A membership event is signed; it is not added to the group yet.
    @discardableResult
    mutating func append(
        _ kind: EventKind,
        body: [UInt8],
        target: EventReference? = nil,
        _ turn: inout Turn
    ) -> StoredEvent {
        // An event is judged by what its author had seen, so it must name every log that advanced.
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
        // A membership event is also told by itself, so it is always a signed head.
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
        let isFirst = state.held.sequence == 0
        let time = EventTime(wallMilliseconds: turn.now.wall, after: isFirst ? nil : state.time)
        let header = EventHeader(
            conversation: id,
            log: turn.own.log,
            sequence: state.held.sequence + 1,
            previous: isFirst ? nil : state.held.head,
            time: time,
            dependencies: name(unnamed, &turn),
            kind: kind,
            bodyHash: Bytes32(hashingBody: body),
            target: target,
            behind: time.lead(overWall: turn.now.wall)
        )
        let bytes = header.encoded()
        invariant(bytes.count <= Limits.headerBytes, "an own header fits")
        invariant(isFirst || header.time > state.time, "an own event is later than the one before")
        invariant(kind.needsTarget == false || target != nil, "what is about a message names it")
        let hash = EventID(hashing: bytes)
        var event = StoredEvent(id: hash, header: header, headerBytes: bytes, body: body, signature: nil)
        // If the clock was ahead earlier, the times of our events continue from there.
        event.arrive(at: turn.now.wall)
        return event
    }

    /// The applied heads of other logs that no event of ours has named. A head that another applied event refers to is
    /// left out: naming that event covers it.
    private func unnamed(by ownLog: LogID) -> [EventReference] {
        // Fast path: usually everything is named.
        guard logs.contains(where: { $0.key != ownLog && $0.value.applied.sequence > $0.value.namedThrough }) else {
            return []
        }
        let changes = lastMembershipChanges
        var found: [EventReference] = []
        for (log, state) in logs where log != ownLog && state.applied.sequence > state.namedThrough {
            // Peers are not given displaced branches, so they could never apply an event that depends on one.
            guard !displaced.contains(log) else { continue }
            // Name a log explicitly if it changed the group since: rights depend on it. The change may be in any
            // branch.
            let hasChanged = changes[root(of: log)].map { $0 > state.namedThrough } ?? false
            guard hasChanged || state.applied.sequence > state.coveredThrough else { continue }
            found.append(EventReference(log: log, sequence: state.applied.sequence, id: state.applied.head))
        }
        found.sort { $0.log < $1.log }
        return found
    }

    /// The sequence of each log's last change of the group. A branch's changes count for its root log.
    private var lastMembershipChanges: [LogID: UInt64] {
        let events = group?.membership.events ?? []
        return events.reduce(into: [:]) { last, event in
            last[event.header.log] = max(last[event.header.log] ?? 0, event.header.sequence)
        }
    }

    /// Names as many of the unnamed heads as one event can.
    private mutating func name(_ unnamed: [EventReference], _ turn: inout Turn) -> [EventReference] {
        let named = Array(unnamed.prefix(Limits.dependencies))
        invariant(zip(named, named.dropFirst()).allSatisfy { $0.log < $1.log }, "dependencies are in order, a log once")
        invariant(named.allSatisfy { logs[$0.log]?.applied.head == $0.id }, "an event depends on applied heads")
        invariant(named.allSatisfy { $0.log != turn.own.log }, "an event does not depend on its own log")
        for reference in named { name(reference.log, through: reference.sequence, &turn) }
        guard unnamed.count <= Limits.dependencies else { return named }
        // All that is applied is now in the past of this event.
        for (log, state) in logs where log != turn.own.log && state.applied.sequence > state.namedThrough {
            name(log, through: state.applied.sequence, &turn)
        }
        return named
    }

    /// Signs the previous event if this one would make the run to the next head too long.
    private func signBefore(_ event: StoredEvent, _ turn: inout Turn) {
        guard let unsigned = turn.batch.unsigned[id],
            unsigned.count >= Limits.eventsPerHead || unsigned.bytes + event.byteCount > Limits.bytesPerHead
        else { return }
        turn.signHead(of: id)
    }
}
