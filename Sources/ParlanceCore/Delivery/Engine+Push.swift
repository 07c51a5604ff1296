import Foundation
package import ParlanceWire

// Sending what the other side lacks: at once from memory while it keeps up, else from the store, within a window.
extension Engine {
    /// Tells every open link what a batch brought: own events, and acknowledgements of others' events.
    mutating func tellLinks(of done: PendingBatch) {
        guard !done.advanced.isEmpty else { return }
        var runs: [LogKey: [StoredEvent]] = [:]
        for event in done.events where event.log == ownLog {
            runs[LogKey(event.header.conversation, ownLog), default: []].append(event)
        }
        let touched = Set(done.advanced.keys.map(\.conversation)).sorted()
        for (key, run) in runs {
            if case .direct(let peer) = conversations[key.conversation]?.record.kind, mainLink(of: peer) == nil {
                // A courier that holds what is taken back may hand it over at any moment.
                considerDeposit(for: peer, atOnce: run.contains { $0.header.kind == .withdraw })
            }
        }
        for id in links.ids {
            for conversation in touched where links.session(of: conversation, on: id) != nil {
                acknowledgeAdvance(done, in: conversation, on: id)
                creditReturned(done, in: conversation, on: id)
                takeWaitingMarks(of: conversation, on: id)
                let key = LogKey(conversation, ownLog)
                if let run = runs[key] { pushLive(run, of: key, on: id) }
            }
            push(on: id)
            if runs.isEmpty == false { askForContact(on: id) }
        }
        for key in done.advanced.keys.sorted(by: { ($0.conversation, $0.log) < ($1.conversation, $1.log) })
        where key.log != ownLog { noteTaken(key) }
    }

    /// Whoever sent something waits to hear that it is durable, and so does its author; others are told a little later, and
    /// only a few at once.
    private mutating func acknowledgeAdvance(_ done: PendingBatch, in conversation: ConversationID, on id: LinkID) {
        let advanced = done.advanced.filter { $0.key.conversation == conversation && $0.key.log != ownLog }
        let logs = advanced.map(\.key.log)
        let peer = links[id]?.peer
        guard !advanced.isEmpty,
            let owed = links.change(conversation, on: id, { $0.advanced(logs, author: peer) })
        else { return }
        sendHave(owed, of: conversation, on: id)
        guard owed.count < logs.count else { return }
        conversations[conversation]?.offer(logs)
        turn.deadlines.advance(.offer(conversation), to: turn.now.monotonic + Limits.offerDelayMilliseconds)
    }

    /// What an earlier copy of this store wrote and lost has come back: who sent it has it.
    private mutating func creditReturned(_ done: PendingBatch, in conversation: ConversationID, on id: LinkID) {
        let hasReturned = done.advanced.keys.contains {
            $0.conversation == conversation && $0.log.author == identity && $0.log != ownLog
        }
        if hasReturned { recordDelivered(of: conversation, on: id) }
    }

    /// Acknowledges: these entries of our clock are durable.
    mutating func sendHave(_ logs: Set<LogID>, of conversation: ConversationID, on id: LinkID) {
        // Who was removed has been told so on this link, and hears nothing more.
        guard !logs.isEmpty, let peer = links[id]?.peer, admits(conversation, with: peer),
            let synced = conversations[conversation]?.durableClock.entries
        else { return }
        links.change(conversation, on: id) { $0.told(logs) }
        let told = Clock(entries: synced.filter { logs.contains($0.key) })
        for portion in told.portions where !portion.isEmpty {
            var have = WireHave()
            have.conversation = Data(conversation.bytes)
            have.entries = portion
            send(.have(have), on: id)
        }
    }

    /// Events that just became durable go out from memory, if the peer has all before them and keeps up.
    private mutating func pushLive(_ run: [StoredEvent], of key: LogKey, on id: LinkID) {
        guard let first = run.first?.header.sequence,
            links.session(of: key.conversation, on: id)?.continues(key.log, at: first) == true
        else { return }
        for frame in Self.frames(of: run) {
            guard links[id]?.hasWindow == true else { return }
            sendRun(frame, of: key, on: id)
        }
    }

    /// Cuts a run into frames, each ending at a head.
    static func frames(of run: [StoredEvent]) -> [ArraySlice<StoredEvent>] {
        var frames: [ArraySlice<StoredEvent>] = []
        var start = run.startIndex
        var head = run.startIndex  // Where the run to the last head ends.
        var bytesToHead = 0
        var bytesAfterHead = 0
        for (index, event) in run.enumerated() {
            bytesAfterHead += event.byteCount
            guard event.signature != nil else { continue }
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

    private mutating func sendRun(_ run: ArraySlice<StoredEvent>, of key: LogKey, on id: LinkID) {
        guard let last = run.last, links.session(of: key.conversation, on: id)?.isOpen == true else { return }
        var events = WireEvents()
        events.conversation = Data(key.conversation.bytes)
        events.events = run.map(\.wire)
        if last.branch != nil { events.log = key.log.wire }
        send(.events(events), on: id)
        let bytes = run.reduce(0) { $0 + $1.byteCount }
        links.change(key.conversation, on: id) { $0.sent(key.log, through: last.header.sequence, bytes: bytes) }
    }

    /// Reads on where a peer lacks events that are not in memory any more: of the own log, and of what it asked for.
    ///
    /// - Parameter other: a conversation that is left out.
    mutating func push(on id: LinkID, besides other: ConversationID? = nil) {
        guard let link = links[id], !link.closing else { return }
        for conversation in link.sessionsInOrder where conversation != other {
            guard let session = link.sessions[conversation], let sent = session.sentThrough(ownLog) else { continue }
            if let durable = conversations[conversation]?.logs[ownLog]?.durable.position.sequence, sent < durable {
                readOn(LogKey(conversation, ownLog), through: durable, on: id)
            }
            for (log, through) in session.window.served {
                readOn(LogKey(conversation, log), through: through, on: id)
            }
        }
    }

    private mutating func readOn(_ key: LogKey, through: UInt64, on id: LinkID) {
        guard let link = links[id], link.hasWindow, let session = link.sessions[key.conversation],
            let sent = session.sentThrough(key.log), !session.window.isReading(key.log)
        else { return }
        guard sent < through else {
            links.change(key.conversation, on: id) { $0.served(key.log) }
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
        links.change(key.conversation, on: id) { $0.begins(read, of: key.log) }
    }

    mutating func eventsRead(_ read: ReadID, _ events: [StoredEvent]) {
        switch turn.reads.take(read) {
        case .push(let id, let key): pushRead(events, read, of: key, on: id)
        case .preview(let id, let key): previewRead(events.first, of: key, on: id)
        case .envelope(let peer):
            if events.isEmpty { depositLater(for: peer) } else { envelopeEventsRead(events, for: peer) }
        case .bodies(let id, let key, let sequence): bodiesRead(events, of: key, at: sequence, on: id)
        case .claim(let id, let key, let sequence): claimRead(events.first, at: sequence, of: key, on: id)
        case .compare(let id, let key, let run): compared(events, with: run, of: key, on: id)
        case .split(let id, let key, let fork): split(key, by: fork, own: events, on: id)
        case .handOver, nil: break
        }
    }

    private mutating func pushRead(_ events: [StoredEvent], _ read: ReadID, of key: LogKey, on id: LinkID) {
        guard links.change(key.conversation, on: id, { $0.ends(read, of: key.log) }) == true else {
            return push(on: id)
        }
        let sent = links.session(of: key.conversation, on: id)?.window.sentThrough(key.log)
        guard let first = events.first?.header.sequence, first == (sent ?? 0) + 1 else {
            // What is durable can be read; if it was not, a fresh link tries again.
            return close(id, .unspecified)
        }
        let frames = Self.frames(of: events)
        for frame in frames { sendRun(frame, of: key, on: id) }
        if !frames.isEmpty { push(on: id) }
    }
}

extension StoredEvent {
    package var wire: WireEvent {
        var wire = WireEvent()
        wire.header = Data(headerBytes)
        if let body { wire.body = Data(body) }
        if let signature { wire.signature = Data(signature) }
        return wire
    }
}
