import Foundation
import ParlanceWire

// Getting what somebody wrote from somebody else (sync.md, "Want").
//
// An author sends its own log to everybody it is linked to. What is lacking all the same is asked for, of one member at a
// time: so any member heals any gap, and nobody gets anything twice.
extension Engine {
    /// A peer told what it holds: what is not held here may have to be asked for, unless its author sends it.
    mutating func noteLacking(_ clock: Clock, in id: ConversationID) {
        guard let conversation = conversations[id] else { return }
        let lacks = clock.entries.contains { log, entry in
            isAhead(entry, of: conversation.held(of: log)) && !conversation.displaced.contains(log)
        }
        if lacks {
            turn.deadlines.advance(.heal(id), to: turn.now.monotonic + turn.random.below(Limits.healDelayMilliseconds))
        }
    }

    /// Whether a peer has what is not held here: more of a log, or something else in the same place, which is a fork. What it
    /// has more of the own log was written by this node before its disk was rolled back.
    private func isAhead(_ entry: Clock.Entry, of held: LogPosition) -> Bool {
        entry.position.sequence > held.sequence
            || entry.position.sequence == held.sequence && entry.position.head != held.head
    }

    /// Something of a log has become durable: whoever was asked for it is at work.
    mutating func noteTaken(_ key: LogKey) {
        conversations[key.conversation]?.progress(key.log, at: turn.now.monotonic)
        noteReceipt(key)
    }

    /// Asks for what is still lacking.
    mutating func healDue(_ id: ConversationID) {
        guard let conversation = conversations[id] else { return }
        let lacking = lacking(conversation)
        // What nobody says to have any more is not waited for: made-up logs must not gather.
        for log in conversation.wants.keys where lacking[log] == nil { conversations[id]?.dropWant(log) }
        for (log, holders) in lacking.sorted(by: { $0.key < $1.key }) {
            if let want = conversation.wants[log], links[want.link]?.closing == false,
                turn.now.monotonic - want.lastProgress < Limits.healPatienceMilliseconds
            {
                turn.deadlines.advance(.heal(id), to: want.lastProgress + Limits.healPatienceMilliseconds)
                continue
            }
            // The author's own link brings it, if it is there; only if it does not, somebody else is asked.
            let author = holders.first { $0.link.peer == log.author && $0.link.replica == log.replica }
            if let author, conversation.wants[log] == nil {
                conversations[id]?.want(log, on: author.link.id, through: author.through, at: turn.now.monotonic)
            } else {
                ask(holders, for: LogKey(id, log), besides: conversation.wants[log]?.link)
            }
            turn.deadlines.advance(.heal(id), to: turn.now.monotonic + Limits.healPatienceMilliseconds)
        }
        renewCut(id, besides: Set(lacking.values.flatMap { $0.map(\.link.id) }))
    }

    /// Who has more logs than are kept of a clock, and has given all of these, tells the rest of them on a new link.
    private mutating func renewCut(_ id: ConversationID, besides busy: Set<LinkID>) {
        for link in links.ids where links.session(of: id, on: link)?.isCut == true && !busy.contains(link) {
            close(link, .renewed)
        }
    }

    private struct Holder {
        var link: Link
        var through: UInt64
    }

    /// The logs of which peers hold more than is held here, and who they are.
    private func lacking(_ conversation: Conversation) -> [LogID: [Holder]] {
        var found: [LogID: [Holder]] = [:]
        for link in links.open(in: conversation.id) {
            for (log, entry) in link.sessions[conversation.id]?.theirs?.entries ?? [:] {
                guard isAhead(entry, of: conversation.held(of: log)), !conversation.displaced.contains(log) else {
                    continue
                }
                found[log, default: []].append(Holder(link: link, through: entry.position.sequence))
            }
        }
        return found
    }

    private mutating func ask(_ holders: [Holder], for key: LogKey, besides failed: LinkID?) {
        let others = holders.filter { $0.link.id != failed }
        let choice = others.isEmpty ? holders : others
        let holder = choice[Int(turn.random.below(Int64(choice.count)))]
        let (link, through, now) = (holder.link.id, holder.through, turn.now.monotonic)
        conversations[key.conversation]?.want(key.log, on: link, through: through, at: now)
        let held = conversations[key.conversation]?.held(of: key.log).sequence ?? 0
        // Where there is something else in the same place, that one event shows it.
        ask(for: key, after: holder.through > held ? held : held - min(held, 1), on: holder.link.id)
    }

    /// Asks for a log from an earlier place on.
    mutating func ask(for key: LogKey, after sequence: UInt64, on link: LinkID) {
        var want = WireWant()
        want.conversation = Data(key.conversation.bytes)
        want.log = key.log.wire
        want.after = sequence
        send(.want(want), on: link)
    }

    /// A link is gone: what was asked for on it is asked for elsewhere.
    mutating func dropWants(on link: LinkID) {
        for conversation in conversations.inOrder where !conversation.wants.isEmpty {
            let lost = conversation.wants.filter { $0.value.link == link }.map(\.key)
            guard !lost.isEmpty else { continue }
            for log in lost { conversations[conversation.id]?.dropWant(log) }
            turn.deadlines.advance(
                .heal(conversation.id),
                to: turn.now.monotonic + turn.random.below(Limits.healDelayMilliseconds)
            )
        }
    }

    /// A member asks for what we hold of a log.
    mutating func wantReceived(_ want: WireWant, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(want.conversation), let log = LogID(want.log),
            want.after <= Limits.sequence
        else { return breakLink(id, .wantFields) }
        guard admits(conversation, with: link.peer), links.session(of: conversation, on: id)?.isOpen == true,
            let durable = conversations[conversation]?.logs[log]?.durable.position.sequence, want.after < durable,
            conversations[conversation]?.displaced.contains(log) == false
        else { return }
        sendNewMembership(of: conversation, on: id)
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
        var open = links.open(in: id)
        guard let held = conversations[id]?.logs else { return }
        // In random order (Fisher and Yates).
        for index in open.indices.dropFirst() { open.swapAt(index, Int(turn.random.below(Int64(index) + 1))) }
        var told: [LinkID: Set<LogID>] = [:]
        // Each advance is offered once: what stays untold is in nobody's way until the heartbeat.
        let logs = conversations[id]?.takeUnoffered() ?? []
        for log in logs {
            var left = Limits.offersPerEvent
            for link in open where left > 0 {
                guard let session = link.sessions[id], session.untold.contains(log),
                    session.theirs?[log].sequence ?? 0 < held[log]?.durable.position.sequence ?? 0
                else { continue }
                told[link.id, default: []].insert(log)
                left -= 1
            }
        }
        for link in told.keys.sorted() { sendHave(told[link] ?? [], of: id, on: link) }
    }

    /// What a peer has not been told in all that time goes with a heartbeat, to a few at a time.
    mutating func tellUntold(on id: LinkID) {
        guard turn.random.below(Int64(links.count / Limits.offersPerEvent)) == 0 else { return }
        for conversation in links[id]?.sessionsInOrder ?? [] {
            sendHave(links.session(of: conversation, on: id)?.untold ?? [], of: conversation, on: id)
        }
    }
}
