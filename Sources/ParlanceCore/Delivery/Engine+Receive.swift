import Foundation
import ParlanceWire

// Taking what others wrote.
extension Engine {
    mutating func eventsReceived(_ run: WireEvents, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(run.conversation) else {
            return breakLink(id, "a run of events")
        }
        guard admits(conversation, with: link.peer) else { return sendRefusal(of: conversation, .notMember, on: id) }
        guard let header = run.events.first?.header, let log = (try? EventHeader(decoding: [UInt8](header)))?.log,
            log.author == link.peer || log.author == identity
        else { return breakLink(id, "a run of events") }
        // What this copy wrote is here already; a greater number would be a fork of its own log.
        guard log != ownLog else { return }
        if conversations[conversation] == nil { create(ConversationRecord(id: conversation, kind: .direct(link.peer))) }
        let state = conversations[conversation]?.logs[log] ?? LogState()
        do {
            let events = try RunVerifier.verify(run.events, of: log, in: conversation, after: state.held.position)
            for event in events { hold(event) }
            theyHave(run.events, of: log, in: conversation, on: id)
            if events.isEmpty { sendHave([log: state.durable], of: conversation, on: id) }
            if !events.isEmpty { typingEnded(link.peer) }
        } catch {
            switch error {
            case .gap: mendGap(in: conversation, on: id)
            case .malformed(let what): breakLink(id, what)
            case .doesNotChain: breakLink(id, "a run that does not continue its log")
            case .badSignature: breakLink(id, "a run without its author's signature")
            }
        }
    }

    /// Who sends a run has it, through its last event, but for the bodies that did not come: that need not be sent back.
    private mutating func theyHave(_ run: [WireEvent], of log: LogID, in conversation: ConversationID, on id: LinkID) {
        guard let last = run.last.map({ [UInt8]($0.header) }),
            let sequence = (try? EventHeader(decoding: last))?.sequence,
            let theirs = links[id]?.syncs[conversation]?.theirs, theirs[log].sequence < sequence
        else { return }
        let bare = run.filter { !$0.hasBody }.compactMap { try? EventHeader(decoding: [UInt8]($0.header)) }
        let missing = bare.filter { $0.kind == .message && $0.sequence > theirs[log].sequence }.map(\.sequence)
        var entry = theirs.entries[log] ?? Clock.Entry(position: .start)
        entry.position = LogPosition(sequence: sequence, head: EventID(hashing: last))
        entry.missing += missing
        links[id]?.syncs[conversation]?.theirs?.entries[log] = entry
    }

    /// Makes a conversation, in the same transaction as what is written to it.
    mutating func create(_ record: ConversationRecord) {
        conversations[record.id] = Conversation(record)
        collecting.conversations.append(record)
    }
}
