import ParlanceRecords
import ParlanceWire

// Getting a log from a member that did not write it (sync.md, "Want").
//
// An author sends its own log to every peer it is linked to. What is still missing is requested from one member at a
// time: any member can fill any gap, without every member sending it.
extension Conversations {
    /// Schedules healing if a peer told of events that are not held here; their author may send them before it is due.
    func noteLacking(_ clock: Clock, in id: ConversationID, _ turn: inout Turn) {
        guard let conversation = self[id] else { return }
        let lacks = clock.entries.contains { log, entry in
            isAhead(entry, of: conversation.held(of: log)) && !conversation.displaced.contains(log)
        }
        if lacks {
            turn.deadlines.advance(.heal(id), to: turn.now.monotonic + turn.random.below(Limits.healDelayMilliseconds))
        }
    }

    /// Whether a peer has events that are not held here: more of a log, or another event at the same position, which
    /// means a fork. If it has more of our own log, this node wrote that before its disk was rolled back.
    private func isAhead(_ entry: Clock.Entry, of held: LogPosition) -> Bool {
        entry.position.sequence > held.sequence
            || entry.position.sequence == held.sequence && entry.position.head != held.head
    }

    /// Requests what is still missing.
    ///
    /// - Parameter full: authors of whom no more is taken now.
    /// - Returns: links to renew: their peers have more logs than are kept of a clock, and have sent all of those that
    ///   are kept.
    mutating func healDue(
        _ id: ConversationID,
        besides full: Set<PeerID>,
        _ links: Links,
        _ turn: inout Turn
    ) -> [LinkID] {
        guard let conversation = self[id] else { return [] }
        let lacking = lacking(conversation, links).filter { !full.contains($0.key.author) }
        // Drop requests for what no peer claims to have any more: invented logs must not accumulate.
        for log in conversation.wants.keys where lacking[log] == nil { change(id) { $0.dropWant(log) } }
        for (log, holders) in lacking.sorted(by: { $0.key < $1.key }) {
            if let want = conversation.wants[log], links[want.link]?.closing == false,
                turn.now.monotonic - want.lastProgress < Limits.healPatienceMilliseconds
            {
                turn.deadlines.advance(.heal(id), to: want.lastProgress + Limits.healPatienceMilliseconds)
                continue
            }
            // If the author is linked, it sends the log itself. Ask another member only if it does not.
            let author = holders.first { $0.link.peer == log.author && $0.link.replica == log.replica }
            if let author, conversation.wants[log] == nil {
                change(id) { $0.want(log, on: author.link.id, through: author.through, at: turn.now.monotonic) }
            } else {
                ask(holders, for: LogKey(id, log), besides: conversation.wants[log]?.link, links, &turn)
            }
            turn.deadlines.advance(.heal(id), to: turn.now.monotonic + Limits.healPatienceMilliseconds)
        }
        let busy = Set(lacking.values.flatMap { $0.map(\.link.id) })
        return links.ids.filter { links.session(of: id, on: $0)?.isCut == true && !busy.contains($0) }
    }

    private struct Holder {
        var link: Link
        var through: UInt64
    }

    /// The logs of which peers hold more than this node, with their holders.
    private func lacking(_ conversation: Conversation, _ links: Links) -> [LogID: [Holder]] {
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

    private mutating func ask(
        _ holders: [Holder],
        for key: LogKey,
        besides failed: LinkID?,
        _ links: Links,
        _ turn: inout Turn
    ) {
        let others = holders.filter { $0.link.id != failed }
        let choice = others.isEmpty ? holders : others
        let holder = choice[Int(turn.random.below(Int64(choice.count)))]
        let (link, through, now) = (holder.link.id, holder.through, turn.now.monotonic)
        change(key.conversation) { $0.want(key.log, on: link, through: through, at: now) }
        let held = self[key.conversation]?.held(of: key.log).sequence ?? 0
        // If the peer has another event at the same position, requesting that event reveals it.
        links.ask(for: key, after: holder.through > held ? held : held - min(held, 1), on: holder.link.id, &turn)
    }

    /// Requests elsewhere what was requested on a link that is gone.
    mutating func dropWants(on link: LinkID, _ turn: inout Turn) {
        for conversation in inOrder where !conversation.wants.isEmpty {
            let lost = conversation.wants.filter { $0.value.link == link }.map(\.key)
            guard !lost.isEmpty else { continue }
            for log in lost { change(conversation.id) { $0.dropWant(log) } }
            turn.deadlines.advance(
                .heal(conversation.id),
                to: turn.now.monotonic + turn.random.below(Limits.healDelayMilliseconds)
            )
        }
    }

    /// Drops the request for a log after a run that does not follow what is held, so that it is requested anew.
    mutating func dropWant(_ key: LogKey) { change(key.conversation) { $0.dropWant(key.log) } }

    /// Records that part of a log became durable, so the peer that was asked for it is responding.
    mutating func progress(_ key: LogKey, _ now: Instant) {
        change(key.conversation) { $0.progress(key.log, at: now.monotonic) }
    }

    // Offering events to peers that did not send them.

    /// Schedules telling a few members that logs of others advanced.
    mutating func offer(_ logs: [LogID], of id: ConversationID, _ turn: inout Turn) {
        change(id) { $0.offer(logs) }
        turn.deadlines.advance(.offer(id), to: turn.now.monotonic + Limits.offerDelayMilliseconds)
    }

    /// Logs whose progress is to be told to the peer of a link.
    struct Offer: Equatable {
        var link: LinkID
        var logs: SortedSet<LogID>
    }

    /// Chooses, for each log that advanced, a few members that do not seem to have it; those that lack it can ask.
    mutating func takeOffers(of id: ConversationID, _ links: Links, _ turn: inout Turn) -> [Offer] {
        var open = links.open(in: id)
        guard let held = self[id]?.logs else { return [] }
        // Shuffle (Fisher and Yates).
        for index in open.indices.dropFirst() { open.swapAt(index, Int(turn.random.below(Int64(index) + 1))) }
        var told: [LinkID: SortedSet<LogID>] = [:]
        // Each advance is offered once. The heartbeat tells the remaining peers.
        let logs = change(id) { $0.takeUnoffered() } ?? []
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
        return told.keys.sorted().map { Offer(link: $0, logs: told[$0] ?? []) }
    }
}
