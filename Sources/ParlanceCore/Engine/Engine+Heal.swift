import Foundation
import ParlanceWire

// Getting what somebody wrote from somebody else (sync.md, "Want").
//
// An author sends its own log to everybody it is linked to. What is lacking all the same is asked for, of one member at a
// time: so any member heals any gap, and nobody gets anything twice.
extension Engine {
    /// A member asks for what we hold of a log.
    mutating func wantReceived(_ want: WireWant, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(want.conversation), let log = LogID(want.log),
            want.after <= Limits.sequence
        else { return breakLink(id, .wantFields) }
        guard admits(conversation, with: link.peer), links.session(of: conversation, on: id)?.isOpen == true,
            let durable = conversations[conversation]?.durableThrough(log), want.after < durable,
            conversations[conversation]?.displaced.contains(log) == false
        else { return }
        if let group = conversations[conversation]?.group { links.sendNewMembership(of: group, on: id, &turn) }
        let base = conversations[conversation]?.start(of: log).sequence ?? 0
        let (after, now) = (max(want.after, base), turn.now.monotonic)
        let through = log == ownLog ? nil : durable
        links.change(conversation, on: id) {
            $0.asked(for: log, after: after, through: through, at: now, openedAt: link.openedAt)
        }
        push(on: id)
    }

    // Telling others than the sender what has come.

    /// Of each log that moved on, a few members are told that do not seem to have it: who lacks it can ask.
    mutating func offerDue(_ id: ConversationID) {
        for offer in conversations.takeOffers(of: id, links, &turn) { sendHave(offer.logs, of: id, on: offer.link) }
    }

    /// Asks for what is still lacking.
    mutating func healDue(_ id: ConversationID) {
        for link in conversations.healDue(id, links, &turn) { close(link, .renewed) }
    }

    /// Something of a log has become durable: whoever was asked for it is at work.
    mutating func noteTaken(_ key: LogKey) {
        conversations.progress(key, turn.now)
        conversations.noteReceipt(key, links, &turn)
    }

    /// What a peer has not been told in all that time goes with a heartbeat, to a few at a time.
    mutating func tellUntold(on id: LinkID) {
        guard turn.random.below(Int64(links.count / Limits.offersPerEvent)) == 0 else { return }
        for conversation in links[id]?.sessionsInOrder ?? [] {
            sendHave(links.session(of: conversation, on: id)?.untold ?? [], of: conversation, on: id)
        }
    }
}
