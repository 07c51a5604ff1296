import ParlanceWire

/// The conversations that are kept here.
///
/// - It owns what is held and what is durable of each log, who is a member, how far members have got, and what is asked of
///   whom.
/// - It is told what commands and peers write, what peers tell of groups and forks, and what the store has on disk.
/// - It returns no fact. `OnInvite`, `OnRun`, `OnComparison` and `OnFork` tell its caller what follows.
struct Conversations: Equatable, Sendable {
    private var conversations: [ConversationID: Conversation] = [:]
    /// The membership events that are applied: they are known in the branches in which they stand, so own events name them.
    private(set) var appliedChanges: Set<EventID> = []
    /// The groups that somebody may have written in: is or was a member of, or was named in by one.
    private var groupsByPeer: [PeerID: Set<ConversationID>] = [:]

    init(_ records: [ConversationRecord] = []) {
        for record in records { conversations[record.id] = Conversation(record) }
    }

    subscript(id: ConversationID) -> Conversation? { conversations[id] }

    /// Changes a conversation, if there is one. Only this room does so.
    @discardableResult
    mutating func change<T>(_ id: ConversationID, _ body: (inout Conversation) -> T) -> T? {
        guard let place = conversations.index(forKey: id) else { return nil }
        return body(&conversations.values[place])
    }

    /// What is durable here of a conversation; empty if there is none.
    func durableClock(of id: ConversationID) -> Clock { conversations[id]?.durableClock ?? Clock() }

    /// Changes what is held of the members of a group.
    @discardableResult
    mutating func changeMembers<T>(_ id: ConversationID, _ body: (inout Conversation) -> T) -> T? {
        let before = conversations[id]?.group?.membership.mentioned ?? []
        let result = change(id, body)
        index(id, from: before, to: conversations[id]?.group?.membership.mentioned ?? [])
        return result
    }

    private mutating func index(_ id: ConversationID, from before: Set<PeerID>, to after: Set<PeerID>) {
        guard before != after else { return }
        for peer in after.subtracting(before) { groupsByPeer[peer, default: []].insert(id) }
        for peer in before.subtracting(after) {
            groupsByPeer[peer]?.remove(id)
            if groupsByPeer[peer]?.isEmpty == true { groupsByPeer[peer] = nil }
        }
    }

    /// The groups that somebody may have written in, in no order.
    func groups(mentioning peer: PeerID) -> Set<ConversationID> { groupsByPeer[peer] ?? [] }

    var count: Int { conversations.count }

    /// All conversations, in no order.
    var values: some Collection<Conversation> { conversations.values }

    /// The IDs of all conversations, in order.
    var ids: [ConversationID] { conversations.keys.sorted() }

    /// All conversations, in the order of their IDs.
    var inOrder: [Conversation] { conversations.values.sorted { $0.id < $1.id } }

    /// Makes a conversation, in the same transaction as what is written to it.
    mutating func create(_ record: ConversationRecord, _ turn: inout Turn) {
        conversations[record.id] = Conversation(record)
        turn.batch.rows.conversations.append(record)
    }

    /// A conversation is gone: the batch that made it failed.
    mutating func remove(_ id: ConversationID) {
        guard let gone = conversations.removeValue(forKey: id) else { return }
        index(id, from: gone.group?.membership.mentioned ?? [], to: [])
    }

    mutating func applied(_ changes: [EventID]) { appliedChanges.formUnion(changes) }
}
