import Foundation
import ParlanceWire

// Taking what others wrote.
extension Engine {
    mutating func eventsReceived(_ run: WireEvents, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(run.conversation) else {
            return breakLink(id, .eventsConversation)
        }
        guard admits(conversation, with: link.peer) else { return sendRefusal(of: conversation, .notMember, on: id) }
        guard let header = run.events.first?.header, let named = (try? EventHeader(decoding: [UInt8](header)))?.log
        else { return breakLink(id, .eventsFirstHeader) }
        if conversations[conversation] == nil { createDirect(with: link.peer) }
        guard conversations[conversation]?.mayWrite(named.author, identity) == true else {
            // Whom nobody has added here may be a member all the same, as others see it; its log is asked for again then.
            return conversations[conversation]?.group == nil ? breakLink(id, .eventsAuthor) : ()
        }
        for part in parts(of: run, named: named, in: conversation) {
            guard let log = place(of: part, named: named, in: conversation, on: id) else { return }
            take(part, LogKey(conversation, log), named: named, on: id)
        }
    }

    /// A run from somebody who does not know of a fork may begin before it and end in a branch.
    private func parts(of run: WireEvents, named: LogID, in id: ConversationID) -> [WireEvents] {
        guard !run.hasLog, let base = conversations[id]?.branches(of: named).first?.base.sequence,
            conversations[id].map({ $0.held(of: named).sequence < base }) == true
        else { return [run] }
        let end = run.events.firstIndex { wire in
            (try? EventHeader(decoding: [UInt8](wire.header))).map { $0.sequence > base } == true
        }
        guard let end, end > 0 else { return [run] }
        var (common, branch) = (run, run)
        common.events = Array(run.events[..<end])
        branch.events = Array(run.events[end...])
        return [common, branch]
    }

    private mutating func take(_ run: WireEvents, _ key: LogKey, named: LogID, on id: LinkID) {
        guard let link = links[id], let conversation = conversations[key.conversation] else { return }
        let state = conversation.logs[key.log] ?? LogState(startingAt: conversation.start(of: key.log))
        do {
            let events = try RunVerifier.verify(
                run.events,
                of: named,
                branch: key.log == named ? nil : key.log,
                in: key.conversation,
                after: state.held.position
            )
            // Nobody else can have signed what this copy does not hold: its store was rolled back.
            if key.log == ownLog && !events.isEmpty { takeNewReplica() }
            hold(events, from: link, key)
            theyHave(run.events, of: key.log, in: key.conversation, on: id)
            if events.isEmpty {
                if links.session(of: key.conversation, on: id)?.isSearching(key.log) == true {
                    forkSuspected(run, of: key, on: id)
                }
                sendHave([key.log], of: key.conversation, on: id)
            } else {
                links.begin(key.conversation, on: id) { $0.owes(key.log) }
                presence.typingEnded(named.author, &turn)
            }
        } catch {
            switch error {
            case .gap:
                conversations[key.conversation]?.dropWant(key.log)
                mendGap(in: key.conversation, on: id)
            case .doesNotChain: forkSuspected(run, of: key, on: id)
            case .breach(let rule): breakLink(id, rule)
            }
        }
    }

    /// Takes verified events of one log.
    mutating func hold(_ events: [StoredEvent], from link: Link, _ key: LogKey) {
        var events = events
        for index in events.indices {
            if key.log.author != link.peer { events[index].via = link.peer }
            events[index].arrive(at: turn.now.wall)
        }
        conversations[key.conversation]?.hold(events, of: key.log, &turn)
        takeMembership(events.filter(\.header.kind.isMembership), in: key.conversation)
    }

    /// Who sends a run has it, through its last event, but for the bodies that did not come: that need not be sent back. What
    /// it has of the own logs is only what it says, since that is what counts as delivered.
    private mutating func theyHave(_ run: [WireEvent], of log: LogID, in conversation: ConversationID, on id: LinkID) {
        guard log.author != identity, let last = run.last.map({ [UInt8]($0.header) }),
            let sequence = (try? EventHeader(decoding: last))?.sequence,
            let theirs = links.session(of: conversation, on: id)?.theirs, theirs[log].sequence < sequence
        else { return }
        let bare = run.filter { !$0.hasBody }.compactMap { try? EventHeader(decoding: [UInt8]($0.header)) }
        let missing = bare.filter { ($0.kind == .message || $0.kind == .edit) && $0.sequence > theirs[log].sequence }
            .map(\.sequence)
        let position = LogPosition(sequence: sequence, head: EventID(hashing: last))
        links.change(conversation, on: id) { $0.raised(log, to: position, lacking: missing) }
    }

    /// Makes the conversation with a peer, if there is none.
    mutating func createDirect(with peer: PeerID) {
        let id = ConversationID(direct: identity, peer)
        if conversations[id] == nil { conversations.create(ConversationRecord(id: id, kind: .direct(peer)), &turn) }
    }
}
