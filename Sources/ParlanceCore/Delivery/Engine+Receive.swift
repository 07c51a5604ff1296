import Foundation
import ParlanceWire

// Taking what others wrote.
extension Engine {
    mutating func eventsReceived(_ run: WireEvents, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(run.conversation) else {
            return breakLink(id, "a run of events")
        }
        guard admits(conversation, with: link.peer) else { return sendRefusal(of: conversation, .notMember, on: id) }
        guard let header = run.events.first?.header, let named = (try? EventHeader(decoding: [UInt8](header)))?.log
        else { return breakLink(id, "a run of events") }
        if conversations[conversation] == nil { create(ConversationRecord(id: conversation, kind: .direct(link.peer))) }
        guard conversations[conversation]?.mayWrite(named.author, identity) == true else {
            // Whom nobody has added here may be a member all the same, as others see it; its log is asked for again then.
            return conversations[conversation]?.group == nil ? breakLink(id, "a run of events") : ()
        }
        guard let log = place(of: run, named: named, in: conversation, on: id) else { return }
        take(run, LogKey(conversation, log), named: named, on: id)
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
            if let last = run.events.last { theyHave(last, of: key.log, in: key.conversation, on: id) }
            if events.isEmpty {
                sendHave([key.log], of: key.conversation, on: id)
            } else {
                links[id]?.syncs[key.conversation, default: Sync()].owed.insert(key.log)
                typingEnded(named.author)
            }
        } catch {
            switch error {
            case .gap:
                conversations[key.conversation]?.wants[key.log] = nil
                mendGap(in: key.conversation, on: id)
            case .doesNotChain: forkSuspected(run, of: key, on: id)
            case .malformed(let what): breakLink(id, what)
            case .badSignature: breakLink(id, "a run without its author's signature")
            }
        }
    }

    /// Takes verified events of one log.
    mutating func hold(_ events: [StoredEvent], from link: Link, _ key: LogKey) {
        for var event in events {
            if key.log.author != link.peer { event.via = link.peer }
            hold(event)
        }
        takeMembership(events.filter(\.header.kind.isMembership), in: key.conversation)
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
