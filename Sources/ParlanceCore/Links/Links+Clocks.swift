import FoundationEssentials
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Telling peers what is durable here: whole clocks, and changed entries (sync.md, "Clock", "Have").
extension Links {
    /// Acknowledges logs with the durable entries of our clock.
    mutating func sendHave(_ logs: SortedSet<LogID>, of conversation: Conversation, on id: LinkID, _ turn: inout Turn) {
        change(conversation.id, on: id) { $0.told(logs) }
        let told = toAuthor(conversation.durableClock(of: logs), of: conversation.id, on: id)
        for portion in told.portions where !portion.isEmpty {
            send(.have(have(conversation.id, portion)), on: id, &turn)
        }
    }

    /// Lists the conversations that we exchange on this link, each with the hashes of its clock and its membership, in as
    /// many frames as are needed.
    func sendSummary(
        of listed: [ConversationID],
        on id: LinkID,
        _ conversations: Conversations,
        _ turn: inout Turn
    ) {
        var summary = WireSummary()
        for conversation in listed {
            if summary.entries.count == Limits.summaryEntries {
                summary.more = true
                send(.summary(summary), on: id, &turn)
                summary = WireSummary()
            }
            var entry = WireSummary.Entry()
            entry.conversation = Data(conversation.bytes)
            entry.clockHash = Data(conversations.durableClock(of: conversation).hash)
            if let group = conversations[conversation]?.group { entry.membershipHash = Data(group.durable.hash) }
            summary.entries.append(entry)
        }
        send(.summary(summary), on: id, &turn)
    }

    /// The peer sent a summary, or a part of one.
    ///
    /// - Returns: whether it is the first on this link; `nil` if the link is gone.
    mutating func summarized(_ id: LinkID, hasMore: Bool) -> Bool? { change(id) { $0.summarized(hasMore: hasMore) } }

    /// Sends our whole clock of a conversation: once per link, and again to mend a gap.
    mutating func sendClock(
        of conversation: ConversationID,
        on id: LinkID,
        again: Bool = false,
        _ conversations: Conversations,
        _ turn: inout Turn
    ) {
        guard again || session(of: conversation, on: id)?.hasOurClock != true else { return }
        begin(conversation, on: id) { $0.toldOurClock() }
        let portions = toAuthor(conversations.durableClock(of: conversation), of: conversation, on: id).portions
        var clock = WireClock()
        clock.conversation = Data(conversation.bytes)
        clock.entries = portions[0]
        send(.clock(clock), on: id, &turn)
        for portion in portions.dropFirst() { send(.have(have(conversation, portion)), on: id, &turn) }
    }

    /// The clock as it is told to a peer: of what the peer itself wrote, under whatever replica, it need not hear which
    /// of the texts are missing here that it has removed. These would only push others off the list.
    private func toAuthor(_ clock: Clock, of conversation: ConversationID, on id: LinkID) -> Clock {
        guard let link = self[id], let theirs = link.sessions[conversation]?.theirs else { return clock }
        var told = clock
        for (log, entry) in clock.entries where log.author == link.peer && !entry.missing.isEmpty {
            guard let floor = theirs.entries[log]?.floor, floor > 0 else { continue }
            told.entries[log]?.missing.removeAll { $0 <= floor }
        }
        return told
    }

    // The peer's clock.

    /// The consequences of receiving the peer's clock of a conversation.
    struct Opening: Equatable {
        /// Whether this clock opened the session.
        var isNew: Bool
        /// Whether it freed window space: runs on their way no longer count.
        var hasFreed: Bool
    }

    /// Sets the peer's clock, which determines what is sent from now on.
    mutating func opened(_ conversation: ConversationID, with clock: Clock, on id: LinkID) -> Opening? {
        begin(conversation, on: id) { session in
            let opening = Opening(isNew: !session.isOpen, hasFreed: session.window.bytes > 0)
            session.opened(with: clock)
            return opening
        }
    }

    /// Merges newer entries into the peer's clock.
    ///
    /// - Parameter clock: all entries that the peer sent, including those that are not kept.
    mutating func raised(
        _ conversation: ConversationID,
        by told: AnnouncedClock,
        of clock: Clock,
        on id: LinkID,
        _ conversations: Conversations
    ) {
        change(conversation, on: id) { session in
            session.raised(by: told.kept) { conversations[conversation]?.bounded($0) ?? Clock() }
            session.leftOut(isCut: told.isCut, hasUnnamed: told.hasUnnamed, isWhole: false)
            for (log, entry) in clock.entries { session.acknowledged(log, through: entry.position.sequence) }
        }
    }

    /// Requests a log from the event after `sequence`.
    func ask(for key: LogKey, after sequence: UInt64, on id: LinkID, _ turn: inout Turn) {
        var want = WireWant()
        want.conversation = Data(key.conversation.bytes)
        want.log = key.log.wire
        want.after = sequence
        send(.want(want), on: id, &turn)
    }

    private func have(_ conversation: ConversationID, _ entries: [WireClockEntry]) -> WireHave {
        var have = WireHave()
        have.conversation = Data(conversation.bytes)
        have.entries = entries
        return have
    }
}
