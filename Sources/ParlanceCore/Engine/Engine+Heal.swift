import FoundationEssentials
import ParlanceRecords
import ParlanceWire

// Getting a log from a peer other than its author (sync.md, "Want").
//
// An author sends its log on all its links. Events that are still missing are requested from one member at a time. Any
// member can therefore mend any gap, and no event is sent twice.
extension Engine {
    /// A peer requests a log from a position.
    mutating func wantReceived(_ want: WireWant, on id: LinkID) throws(Breach) {
        guard let link = links[id], let conversation = ConversationID(want.conversation), let log = LogID(want.log),
            want.after <= Limits.sequence
        else { throw .wantFields }
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

    // Telling other peers than the sender what has come.

    /// Announces logs that advanced to a few members that seem to lack them. They can then request what they lack.
    mutating func offerDue(_ id: ConversationID) {
        for offer in conversations.takeOffers(of: id, links, &turn) { sendHave(offer.logs, of: id, on: offer.link) }
    }

    /// Requests what is still missing. Renews links with peers that have more logs than are kept of their clocks.
    mutating func healDue(_ id: ConversationID) {
        let full = quotas.full(in: id, at: turn.now.monotonic)
        for link in conversations.healDue(id, besides: full, links, &turn) { close(link, .renewed) }
    }

    /// Notes that a log advanced on disk: the member that was asked for it is responding.
    mutating func noteTaken(_ key: LogKey) {
        conversations.progress(key, turn.now)
        conversations.noteReceipt(key, links, &turn)
    }

    /// Sends the entries that a peer was not sent yet. They accompany heartbeats, to a few peers at a time.
    mutating func tellUntold(on id: LinkID) {
        guard turn.random.below(Int64(links.count / Limits.offersPerEvent)) == 0 else { return }
        for conversation in links[id]?.sessionsInOrder ?? [] {
            sendHave(links.session(of: conversation, on: id)?.untold ?? [], of: conversation, on: id)
        }
    }
}
