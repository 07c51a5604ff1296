import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// The conversations that this node keeps.
///
/// - It owns the held and durable part of each log, the members, how far members have got, and the requests to peers.
/// - It takes what commands and peers write, what peers tell of groups and forks, and what the store has on disk.
/// - It returns no facts. `InviteOutcome`, `RunPlacement`, `BranchComparison` and `ForkOutcome` tell its caller what follows.
struct Conversations: Equatable, Sendable {
    private var conversations: [ConversationID: Conversation] = [:]
    /// The membership events that are applied. Each is known in the branch that contains it, so our own events name it.
    private(set) var appliedChanges: Set<EventID> = []
    /// The groups that somebody may have written in: as a present or former member, or as somebody named by one.
    private var mentions: SortedSet<Mention> = []

    private struct Mention: Comparable {
        var peer: PeerID
        var group: ConversationID

        static func < (a: Mention, b: Mention) -> Bool { (a.peer, a.group) < (b.peer, b.group) }
    }

    init(_ records: [ConversationRecord] = []) {
        for record in records { conversations[record.id] = Conversation(record) }
    }

    subscript(id: ConversationID) -> Conversation? { conversations[id] }

    /// Changes a conversation, if it exists. Only this room calls it.
    @discardableResult
    mutating func change<T>(_ id: ConversationID, _ body: (inout Conversation) -> T) -> T? {
        guard let place = conversations.index(forKey: id) else { return nil }
        return body(&conversations.values[place])
    }

    /// The durable clock of a conversation; empty if it does not exist.
    func durableClock(of id: ConversationID) -> Clock { conversations[id]?.durableClock ?? Clock() }

    /// Changes a group's membership and updates the index by peer.
    @discardableResult
    mutating func changeMembers<T>(_ id: ConversationID, _ body: (inout Conversation) -> T) -> T? {
        let before = conversations[id]?.group?.membership.mentioned ?? []
        let result = change(id, body)
        index(id, from: before, to: conversations[id]?.group?.membership.mentioned ?? [])
        return result
    }

    private mutating func index(_ id: ConversationID, from before: SortedSet<PeerID>, to after: SortedSet<PeerID>) {
        guard before != after else { return }
        mentions.subtract(before.subtracting(after).map { Mention(peer: $0, group: id) })
        mentions.formUnion(after.subtracting(before).map { Mention(peer: $0, group: id) })
    }

    /// Whether the index by peer is what a look at all groups gives: for tests.
    var isIndexSound: Bool {
        let all = conversations.flatMap { id, conversation in
            (conversation.group?.membership.mentioned ?? []).map { Mention(peer: $0, group: id) }
        }
        return mentions == SortedSet(all)
    }

    /// The present members of a group; `nil` if it is not known, or is no group.
    func members(of id: ConversationID) -> SortedSet<PeerID>? { conversations[id]?.group?.membership.members }

    /// The groups that somebody may have written in, in the order of their IDs.
    func groups(mentioning peer: PeerID) -> [ConversationID] {
        let start = mentions.first { !($0.peer < peer) }
        return mentions[start...].prefix { $0.peer == peer }.map(\.group)
    }

    var count: Int { conversations.count }

    /// All conversations, unordered.
    var values: some Collection<Conversation> { conversations.values }

    /// The IDs of all conversations, in order.
    var ids: [ConversationID] { conversations.keys.sorted() }

    /// All conversations, in the order of their IDs.
    var inOrder: [Conversation] { conversations.values.sorted { $0.id < $1.id } }

    /// Creates a conversation, in the same transaction as what is written to it.
    mutating func create(_ record: ConversationRecord, _ turn: inout Turn) {
        guard conversations[record.id] == nil else { return }
        conversations[record.id] = Conversation(record)
        turn.batch.rows.conversations.append(record)
    }

    /// Removes a conversation after the batch that created it failed.
    mutating func remove(_ id: ConversationID) {
        guard let gone = conversations.removeValue(forKey: id) else { return }
        index(id, from: gone.group?.membership.mentioned ?? [], to: [])
    }

    mutating func applied(_ changes: [EventID]) { appliedChanges.formUnion(changes) }

    mutating func forgetApplied(_ changes: [EventID]) { appliedChanges.subtract(changes) }
}
