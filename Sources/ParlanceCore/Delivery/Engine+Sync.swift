import Foundation
import ParlanceWire

// Finding out what each side lacks (sync.md, "Summary", "Clock").
extension Engine {
    /// Whether frames of a conversation are exchanged with a peer at all.
    func admits(_ conversation: ConversationID, with peer: PeerID) -> Bool {
        peers[peer]?.isAccepted == true && conversation == ConversationID(direct: identity, peer)
    }

    /// The conversations shared with a peer, in a fixed order.
    func sharedConversations(with peer: PeerID) -> [ConversationID] {
        peers[peer]?.isAccepted == true ? [ConversationID(direct: identity, peer)] : []
    }

    func durableClock(of conversation: ConversationID) -> Clock {
        conversations[conversation]?.durableClock ?? Clock()
    }

    /// Says which conversations we take on this link, each with the hash of its clock.
    mutating func sendSummary(on id: LinkID) {
        guard let link = links[id] else { return }
        var summary = WireSummary()
        for conversation in sharedConversations(with: link.peer) {
            var entry = WireSummary.Entry()
            entry.conversation = Data(conversation.bytes)
            entry.clockHash = Data(durableClock(of: conversation).hash)
            summary.entries.append(entry)
        }
        send(.summary(summary), on: id)
    }

    mutating func summaryReceived(_ summary: WireSummary, on id: LinkID) {
        guard let link = links[id] else { return }
        let isFirst = !link.summaryReceived
        links[id]?.summaryReceived = true
        for entry in summary.entries {
            guard let conversation = ConversationID(entry.conversation) else { return breakLink(id, "a summary entry") }
            guard admits(conversation, with: link.peer) else { continue }
            links[id]?.syncs[conversation, default: Sync()].listed = true
            let ours = durableClock(of: conversation)
            let isEqual = ours.hash == [UInt8](entry.clockHash)
            if isEqual {
                theirClockIs(ours, of: conversation, on: id)
                recordDelivered(ours, to: link, in: conversation)
            }
            // A later summary opens a conversation that our own summary may have come too early for.
            if !isEqual || !isFirst { sendClock(of: conversation, on: id) }
        }
        askForContact(on: id)
        push(on: id)
    }

    /// Sends our whole clock of a conversation, once for each link unless there is a gap to mend.
    private mutating func sendClock(of conversation: ConversationID, on id: LinkID, again: Bool = false) {
        guard again || links[id]?.syncs[conversation]?.clockSent != true else { return }
        links[id]?.syncs[conversation, default: Sync()].clockSent = true
        var clock = WireClock()
        clock.conversation = Data(conversation.bytes)
        clock.entries = durableClock(of: conversation).wire
        send(.clock(clock), on: id)
    }

    /// What the peer pushed does not fit what we have: it learns our clock anew and pushes from there.
    mutating func mendGap(in conversation: ConversationID, on id: LinkID) {
        sendClock(of: conversation, on: id, again: true)
    }

    /// A whole clock, or the entries of it that changed: what the peer holds durably.
    mutating func clockReceived(_ bytes: Data, _ entries: [WireClockEntry], isWhole: Bool, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(bytes),
            let clock = try? Clock(decoding: entries)
        else { return breakLink(id, "a clock") }
        guard admits(conversation, with: link.peer) else { return }
        if isWhole {
            theirClockIs(known(clock, in: conversation), of: conversation, on: id)
            links[id]?.syncs[conversation]?.listed = true
            // Who sends its clock found our summary to differ from it then, and does not know that they agree by now.
            sendClock(of: conversation, on: id)
        } else {
            let before = link.syncs[conversation]?.theirs
            let changed = known(clock, in: conversation).entries
            links[id]?.syncs[conversation]?.theirs?.entries.merge(changed) {
                $1.position.sequence >= $0.position.sequence ? $1 : $0
            }
            for (log, entry) in clock.entries.sorted(by: { $0.key < $1.key }) {
                acknowledge(log, through: entry.position.sequence, in: conversation, on: id)
            }
            if let before { sendReadMarks(of: conversation, nowHeld: clock, before: before, on: id) }
        }
        recordDelivered(clock, to: link, in: conversation)
        push(on: id)
    }

    /// The entries of logs that are held here. What a peer has of others it will push; to keep what it claims would let
    /// it fill the memory.
    private func known(_ clock: Clock, in conversation: ConversationID) -> Clock {
        Clock(entries: clock.entries.filter { conversations[conversation]?.logs[$0.key] != nil })
    }

    /// From here on what is sent on this link follows from this clock.
    private mutating func theirClockIs(_ clock: Clock, of conversation: ConversationID, on id: LinkID) {
        guard var sync = links[id].map({ $0.syncs[conversation] ?? Sync() }) else { return }
        let isFirst = sync.theirs == nil
        dropSync(of: conversation, on: id)
        sync.cursors = [:]
        sync.theirs = clock
        links[id]?.syncs[conversation] = sync
        if isFirst { sendReadMarks(of: conversation, on: id) }
    }

    /// Nothing of the conversation is open or on the way on this link any more.
    mutating func dropSync(of conversation: ConversationID, on id: LinkID) {
        let cursors = links[id]?.syncs.removeValue(forKey: conversation)?.cursors ?? [:]
        links[id]?.unacknowledgedBytes -= cursors.values.reduce(0) { $1.onTheWay.reduce($0) { $0 + $1.bytes } }
    }

    private mutating func acknowledge(
        _ log: LogID,
        through sequence: UInt64,
        in conversation: ConversationID,
        on id: LinkID
    ) {
        guard var cursor = links[id]?.syncs[conversation]?.cursors[log] else { return }
        let done = cursor.onTheWay.prefix { $0.through <= sequence }
        guard !done.isEmpty else { return }
        cursor.onTheWay.removeFirst(done.count)
        links[id]?.syncs[conversation]?.cursors[log] = cursor
        links[id]?.unacknowledgedBytes -= done.reduce(0) { $0 + $1.bytes }
    }
}
