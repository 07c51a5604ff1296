import FoundationEssentials
import ParlanceRecords
import ParlanceWire

// Sending events that the peer lacks: directly from memory while it keeps up, otherwise from the store, within a
// window.
extension Links {
    /// Sends events that just became durable from memory, if the peer has all earlier ones and keeps up.
    mutating func pushLive(_ run: [StoredEvent], of key: LogKey, on id: LinkID, _ turn: inout Turn) {
        guard let first = run.first?.header.sequence,
            session(of: key.conversation, on: id)?.continues(key.log, at: first) == true
        else { return }
        for frame in Self.frames(of: run) {
            guard self[id]?.hasWindow == true else { return }
            sendRun(frame, of: key, on: id, &turn)
        }
    }

    /// Splits a run into frames that each end at a head, or at a base of branches.
    static func frames(of run: [StoredEvent], bases: Set<LogPosition> = []) -> [ArraySlice<StoredEvent>] {
        var frames: [ArraySlice<StoredEvent>] = []
        var start = run.startIndex
        var head = run.startIndex  // Where the run to the last head ends.
        var bytesToHead = 0
        var bytesAfterHead = 0
        for (index, event) in run.enumerated() {
            bytesAfterHead += event.byteCount
            guard event.signature != nil || bases.contains(event.position) else { continue }
            if head > start && bytesToHead + bytesAfterHead > Limits.runBytes {
                frames.append(run[start..<head])
                start = head
                bytesToHead = 0
            }
            bytesToHead += bytesAfterHead
            bytesAfterHead = 0
            head = index + 1
        }
        if head > start { frames.append(run[start..<head]) }
        return frames
    }

    private mutating func sendRun(
        _ run: ArraySlice<StoredEvent>,
        of key: LogKey,
        on id: LinkID,
        _ turn: inout Turn
    ) {
        guard session(of: key.conversation, on: id)?.isOpen == true else { return }
        guard let last = run.last else { return broken("a frame of events has at least one event") }
        var events = WireEvents()
        events.conversation = Data(key.conversation.bytes)
        events.events = run.map(\.wire)
        if last.branch != nil { events.log = key.log.wire }
        send(.events(events), on: id, &turn)
        let bytes = run.reduce(0) { $0 + $1.byteCount }
        change(key.conversation, on: id) { $0.sent(key.log, through: last.header.sequence, bytes: bytes) }
    }

    /// Reads the events that a peer lacks and that are no longer in memory: of our log, and of the logs that it
    /// requested.
    ///
    /// - Parameter other: a conversation to skip.
    mutating func push(
        on id: LinkID,
        besides other: ConversationID? = nil,
        _ conversations: Conversations,
        _ turn: inout Turn
    ) {
        let ownLog = turn.own.log
        guard self[id]?.closing == false else { return }
        for conversation in self[id]?.sessionsInOrder ?? [] where conversation != other {
            let progress = change(conversation, on: id) {
                (sent: $0.sentThrough(ownLog), isFull: $0.fullUntil != nil, served: $0.window.served)
            }
            guard let (through, isFull, served) = progress, let sent = through else { continue }
            if !isFull, let durable = conversations[conversation]?.durableThrough(ownLog), sent < durable {
                readOn(LogKey(conversation, ownLog), through: durable, on: id, &turn)
            }
            for (log, through) in served {
                readOn(LogKey(conversation, log), through: through, on: id, &turn)
            }
        }
    }

    private mutating func readOn(_ key: LogKey, through: UInt64, on id: LinkID, _ turn: inout Turn) {
        guard let link = self[id], link.hasWindow, let session = link.sessions[key.conversation],
            let sent = session.sentThrough(key.log), !session.window.isReading(key.log)
        else { return }
        guard sent < through else {
            change(key.conversation, on: id) { $0.served(key.log) }
            return
        }
        let request = ReadRequest(
            conversation: key.conversation,
            log: key.log,
            from: sent + 1,
            through: through,
            byteLimit: Limits.runBytes
        )
        let read = turn.read(request, for: .push(id, key))
        change(key.conversation, on: id) { $0.begins(read, of: key.log) }
    }

    /// Sends events that were read, and reads the next ones.
    mutating func pushRead(
        _ events: [StoredEvent],
        _ read: ReadID,
        of key: LogKey,
        on id: LinkID,
        _ conversations: Conversations,
        _ turn: inout Turn
    ) {
        guard change(key.conversation, on: id, { $0.ends(read, of: key.log) }) == true else {
            return push(on: id, conversations, &turn)
        }
        let sent = session(of: key.conversation, on: id)?.window.sentThrough(key.log)
        guard let first = events.first?.header.sequence, first == (sent ?? 0) + 1 else {
            // Durable events must be readable. If they were not, a new link tries again.
            return close(id, .unspecified, &turn)
        }
        let conversation = conversations[key.conversation]
        let frames = Self.frames(of: events, bases: conversation?.provenBases(of: key.log) ?? [])
        if let conversation, frames.contains(where: { $0.last?.signature == nil }) {
            sendForkOnce(of: key.log, in: conversation, on: id, &turn)
        }
        for frame in frames { sendRun(frame, of: key, on: id, &turn) }
        if !frames.isEmpty { push(on: id, conversations, &turn) }
    }
}
