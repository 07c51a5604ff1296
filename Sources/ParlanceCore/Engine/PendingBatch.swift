import ParlanceWire

/// What will be one transaction, and what waits for it.
///
/// `rows` is what the store is given; if it cannot write them, they say what memory takes back. Rows of which only the last
/// counts collect beside them, and are among them once the batch is closed.
struct PendingBatch: Equatable, Sendable {
    var rows = PersistBatch(id: BatchID(0))
    /// Peers whose rows are to be written, as they are when the batch is closed.
    var peers: Set<PeerID> = []
    var named: [LogKey: UInt64] = [:]
    var watermarks: [WatermarkRecord.Key: WatermarkRecord] = [:]
    /// How far one had read before a command of this batch said more.
    var readBefore: [WatermarkRecord.Key: WatermarkRecord?] = [:]
    /// Groups whose membership changed, with what it is once this is durable.
    var groups: [ConversationID: Membership] = [:]
    /// Where each log stands once this is durable.
    var advanced: [LogKey: Advance] = [:]
    /// Own events since the last signature, for each conversation.
    var unsigned: [ConversationID: Unsigned] = [:]
    /// What follows durability, in order.
    var after: [Followup] = []
    var byteCount = 0
    /// Whether it is written so that time passes in the store, if for nothing else.
    var sweeps = false
    /// Rows that only save work after a restart may wait for company; everything else goes at once.
    var isUrgent = false

    struct Advance: Equatable, Sendable {
        var position: LogPosition
        var time: EventTime
    }

    struct Unsigned: Equatable, Sendable {
        /// The place of the last event in `rows.events`.
        var last: Int
        var count: Int
        var bytes: Int
    }

    enum Followup: Equatable, Sendable {
        case effect(Effect)
        /// The answer to a command, or the error if the batch fails.
        case answer(CommandID, Answer)
        /// Tell the peer that asked that we accept it, and open the conversation on its links.
        case openContact(PeerID)
        /// Tell members and those who were that a group changed, and open it where it is new.
        case openGroup(ConversationID, isOwnChange: Bool)
        /// Tell members who have the group open what came in an invitation.
        case passOn(ConversationID)
        /// Tell all links that a log has branches.
        case tellFork(ConversationID, LogID)
        /// Look at the proof of a fork that came while its log was being written.
        indirect case takeFork(LinkID, ReceivedFork)
        /// Use the workspace's keys as they are now, and tell members of them.
        case useWorkspace
        /// Give the peer of a link keys to which it can seal envelopes.
        case sendPrekeys(LinkID)
        /// Tell the depositor that its envelope is kept, and the recipient that there is one.
        case deposited(LinkID, EnvelopeID)
        /// Tell the courier that what was in its envelope is here.
        case taken(LinkID, EnvelopeID)
        /// Tell people how a conversation stands.
        case tellDelivery(ConversationID)
        /// Make new links, which bear the new replica.
        case adopt(ReplicaID)
        /// Tell peers what one says of oneself.
        case announce
        /// End the links with a peer that is blocked.
        case refuse(PeerID)
        /// Leave an envelope with a courier.
        indirect case deposit(LinkID, WireDeposit)

        /// Whether it follows from what stays in memory if the batch fails.
        var isSettled: Bool {
            switch self {
            case .tellFork, .adopt: true
            default: false
            }
        }
    }

    var isEmpty: Bool {
        rows.isEmpty && peers.isEmpty && named.isEmpty && watermarks.isEmpty && groups.isEmpty && after.isEmpty
            && !sweeps
    }

    /// Nothing more comes into it.
    mutating func close(_ id: BatchID, peers records: [PeerRecord], at now: Instant) {
        rows.id = id
        rows.wall = now.wall
        rows.peers = records
        rows.named = named.map { NamedLog(conversation: $0.key.conversation, log: $0.key.log, sequence: $0.value) }
            .sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) }
        rows.watermarks = watermarks.values.sorted { $0.key.rank < $1.key.rank }
    }
}
