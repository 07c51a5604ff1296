import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// The state that only a group has: membership, title and topic, and recipients.
struct Group: Equatable, Sendable {
    /// All membership events that are held.
    private(set) var membership = Membership()
    /// The part on disk: only this is told to others, and a failed batch resets to it.
    private(set) var durable = Membership()
    private(set) var label: GroupLabel
    /// Whether something durable came in an invitation that members who have the group open have to be told.
    private var hasNews = false
    /// For each other member, the last sequence of our log when it joined.
    private(set) var joined: SortedTable<PeerID, UInt64> = [:]
    /// The rows of `joined` that are not on disk yet, with what is there.
    private var unwritten: SortedTable<PeerID, UInt64?> = [:]

    init(id: ConversationID) {
        label = GroupLabel(conversation: id, title: "", topic: "")
    }

    var id: ConversationID { label.conversation }

    var title: String { label.title.isEmpty ? membership.title : label.title }

    // Restoring at the start.

    mutating func restore(_ events: [StoredEvent]) {
        membership.insert(events)
        durable = membership
    }

    mutating func restore(_ row: RecipientRecord) { joined[row.peer] = row.after }

    // Held state.

    /// Takes membership events that are valid by themselves.
    ///
    /// - Returns: whether any was new.
    mutating func insert(_ events: [StoredEvent]) -> Bool { !membership.insert(events).isEmpty }

    /// Records that our messages after a sequence are for a new member.
    mutating func join(_ peer: PeerID, after sequence: UInt64) {
        if unwritten[peer] == nil { unwritten[peer] = .some(joined[peer]) }
        joined[peer] = sequence
    }

    /// Starts our log anew under another replica: all of it is for everybody.
    mutating func beginLog() {
        joined.changeAll { $0 = 0 }
        // The store sets its rows to 0 too. Those that it does not have yet must go if their batch fails.
        unwritten = unwritten.filter { $0.value == nil }
    }

    // State on disk.

    /// - Returns: the events that have ended a membership since the last call.
    mutating func persist(_ membership: Membership) -> [EventID] {
        defer { durable = membership }
        // Whoever is new in the group finds in the history who was there before.
        guard !durable.events.isEmpty else { return [] }
        let known = Set(durable.departures)
        return membership.departures.filter { !known.contains($0) }
    }

    mutating func persist(_ row: RecipientRecord) {
        unwritten[row.peer] = joined[row.peer] == row.after ? nil : .some(row.after)
    }

    mutating func show(_ label: GroupLabel) { self.label = label }

    /// Resets everything to what is on disk after a batch failed.
    mutating func takeBack() {
        membership = durable
        for (peer, after) in unwritten { joined[peer] = after }
        unwritten = [:]
    }

    // News.

    mutating func bringNews() { hasNews = true }

    /// - Returns: whether there was news to tell.
    mutating func takeNews() -> Bool {
        defer { hasNews = false }
        return hasNews
    }
}
