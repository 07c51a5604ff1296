import Foundation
package import ParlanceWire

// Sending what the other side lacks: at once from memory while it keeps up, else from the store, within a window.
extension Engine {
    /// Tells every open link what a batch brought: own events, and acknowledgements of others' events.
    mutating func tellLinks(of done: PendingBatch) {
        guard !done.advanced.isEmpty else { return }
        var runs: [LogKey: [StoredEvent]] = [:]
        for event in done.rows.events where event.log == ownLog {
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
        for key in done.advanced.keys.sorted() where key.log != ownLog { noteTaken(key) }
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
        conversations.offer(logs, of: conversation, &turn)
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
        case .bodies(let id, let key, let sequence): links.bodyRead(events.first, of: key, at: sequence, on: id, &turn)
        case .claim(let id, let key, let sequence): claimRead(events.first, at: sequence, of: key, on: id)
        case .compare(let id, let key, let run): compared(events, with: run, of: key, on: id)
        case .split(let id, let fork): judge(fork, own: events, on: id)
        case .handOver, nil: break
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
