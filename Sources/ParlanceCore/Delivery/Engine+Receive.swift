import Foundation
import ParlanceWire

// Taking what others wrote.
extension Engine {
    mutating func eventsReceived(_ run: WireEvents, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(run.conversation) else {
            return breakLink(id, "a run of events")
        }
        guard admits(conversation, with: link.peer) else { return sendRefusal(of: conversation, .notMember, on: id) }
        guard let header = run.events.first?.header, let log = (try? EventHeader(decoding: [UInt8](header)))?.log
        else { return breakLink(id, "a run of events") }
        // What this copy wrote is here already; a greater number would be a fork of its own log.
        guard log != ownLog else { return }
        if conversations[conversation] == nil { create(ConversationRecord(id: conversation, kind: .direct(link.peer))) }
        guard conversations[conversation]?.mayWrite(log.author, identity) == true else {
            // Whom nobody has added here may be a member all the same, as others see it; its log is asked for again then.
            return conversations[conversation]?.group == nil ? breakLink(id, "a run of events") : ()
        }
        let state = conversations[conversation]?.logs[log] ?? LogState()
        do {
            let events = try RunVerifier.verify(run.events, of: log, in: conversation, after: state.held.position)
            for event in events { hold(event) }
            takeMembership(events.filter(\.header.kind.isMembership), in: conversation)
            if let last = run.events.last { theyHave(last, of: log, in: conversation, on: id) }
            if events.isEmpty {
                sendHave([log], of: conversation, on: id)
            } else {
                links[id]?.syncs[conversation, default: Sync()].owed.insert(log)
                typingEnded(log.author)
            }
        } catch {
            switch error {
            case .gap:
                conversations[conversation]?.wants[log] = nil
                mendGap(in: conversation, on: id)
            case .malformed(let what): breakLink(id, what)
            case .doesNotChain: breakLink(id, "a run that does not continue its log")
            case .badSignature: breakLink(id, "a run without its author's signature")
            }
        }
    }

    /// Who sends a run has it, through its last event: that need not be sent back.
    private mutating func theyHave(_ last: WireEvent, of log: LogID, in conversation: ConversationID, on id: LinkID) {
        let bytes = [UInt8](last.header)
        guard let sequence = (try? EventHeader(decoding: bytes))?.sequence,
            let theirs = links[id]?.syncs[conversation]?.theirs, theirs[log].sequence < sequence
        else { return }
        let position = LogPosition(sequence: sequence, head: EventID(hashing: bytes))
        links[id]?.syncs[conversation]?.theirs?.entries[log] = Clock.Entry(position: position)
    }

    /// Makes a conversation, in the same transaction as what is written to it.
    mutating func create(_ record: ConversationRecord) {
        conversations[record.id] = Conversation(record)
        collecting.conversations.append(record)
    }
}
