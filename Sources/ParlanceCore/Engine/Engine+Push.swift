import FoundationEssentials
package import ParlanceRecords
package import ParlanceWire

// Sending events that peers lack: directly from memory while they keep up, otherwise from the store, within a window.
extension Engine {
    /// Tells every open link what a batch brought: our events, and acknowledgements of others' events.
    mutating func tellLinks(of done: PendingBatch) {
        guard !done.advanced.isEmpty else { return }
        var runs: [LogKey: [StoredEvent]] = [:]
        let events = done.rows.events
        for place in events.indices where events[place].log == ownLog {
            runs[LogKey(events[place].header.conversation, ownLog), default: []].append(events[place])
        }
        let touched = Set(done.advanced.keys.map(\.conversation)).sorted()
        var othersLogs: [ConversationID: [LogID]] = [:]
        for key in done.advanced.keys where key.log != ownLog {
            othersLogs[key.conversation, default: []].append(key.log)
        }
        for (key, run) in runs {
            if case .direct(let peer) = conversations[key.conversation]?.record.kind, mainLink(of: peer) == nil {
                // A courier that holds a withdrawn message may hand it over at any moment.
                considerDeposit(for: peer, atOnce: run.contains { $0.header.kind == .withdraw })
            }
        }
        var untold: Set<ConversationID> = []
        for id in links.ids {
            let peer = links.peer(of: id)
            for conversation in touched {
                let logs = othersLogs[conversation] ?? []
                // The session is read once: there may be many links, and most of them have nothing more to send.
                let news = links.change(conversation, on: id) { session in
                    (owed: session.advanced(logs, author: peer), hasWaitingMarks: session.hasWaitingMarks)
                }
                guard let news else { continue }
                // The sender of events and their author wait for the acknowledgement.
                sendHave(news.owed, of: conversation, on: id)
                if news.owed.count < logs.count { untold.insert(conversation) }
                creditReturned(logs, in: conversation, on: id)
                if news.hasWaitingMarks { takeWaitingMarks(of: conversation, on: id) }
                let key = LogKey(conversation, ownLog)
                if let run = runs[key] { pushLive(run, of: key, on: id) }
            }
            push(on: id)
            if runs.isEmpty == false { askForContact(on: id) }
        }
        // Other peers are told a little later, and only a few at once.
        for conversation in untold { conversations.offer(othersLogs[conversation] ?? [], of: conversation, &turn) }
        for key in done.advanced.keys.sorted() where key.log != ownLog { noteTaken(key) }
    }

    /// Events that an earlier copy of this store wrote and lost have returned. The peer that sent them holds them.
    private mutating func creditReturned(_ logs: [LogID], in conversation: ConversationID, on id: LinkID) {
        let hasReturned = logs.contains { $0.author == identity }
        if hasReturned { recordDelivered(of: conversation, on: id) }
    }

    /// Acknowledges logs with the durable entries of our clock.
    mutating func sendHave(_ logs: SortedSet<LogID>, of conversation: ConversationID, on id: LinkID) {
        // A removed peer was told so on this link, and is sent nothing more.
        guard !logs.isEmpty, let peer = links[id]?.peer, admits(conversation, with: peer),
            let known = conversations[conversation]
        else { return }
        links.sendHave(logs, of: known, on: id, &turn)
    }

    private mutating func pushLive(_ run: [StoredEvent], of key: LogKey, on id: LinkID) {
        links.pushLive(run, of: key, on: id, &turn)
    }

    mutating func push(on id: LinkID, besides other: ConversationID? = nil) {
        links.push(on: id, besides: other, conversations, &turn)
    }

    mutating func eventsRead(_ read: ReadID, _ events: [StoredEvent]) {
        switch turn.reads.take(read) {
        case .push(let id, let key): links.pushRead(events, read, of: key, on: id, conversations, &turn)
        case .preview(let id, let key): previewRead(events.first, of: key, on: id)
        case .envelope(let peer): envelopeEventsRead(events, for: peer)
        case .bodies(let id, let key, let sequence): bodyRead(events.first, of: key, at: sequence, on: id)
        case .claim(let id, let key, let sequence): claimRead(events.first, at: sequence, of: key, on: id)
        case .compare(let id, let key, let run):
            enforcing(on: id) { engine throws(Breach) in
                try engine.compared(events, with: run, of: key, on: id)
            }
        case .split(let id, let fork):
            enforcing(on: id) { engine throws(Breach) in try engine.judge(fork, own: events, on: id) }
        case .parcel(let packing): parcelEventsRead(events, packing)
        case .receipt(let taking): receiptRead(events.first, taking)
        case .handOver, .mention, .wish, .pieces, nil: break
        }
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
