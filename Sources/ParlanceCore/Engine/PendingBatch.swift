import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// The rows of one transaction, and the follow-ups that wait for it.
///
/// `rows` is what the store is given. If it cannot write them, they tell what to revert in memory. Rows of which only
/// the last version counts collect in other properties and move to `rows` when the batch is closed.
struct PendingBatch: Equatable, Sendable {
    var rows = PersistBatch(id: BatchID(0))
    /// Peers whose rows are to be written, in their state when the batch is closed.
    var peers: Set<PeerID> = []
    var named: [LogKey: UInt64] = [:]
    var watermarks: [WatermarkRecord.Key: WatermarkRecord] = [:]
    /// The user's read watermarks before a command of this batch raised them.
    var readBefore: [WatermarkRecord.Key: WatermarkRecord?] = [:]
    /// Groups whose membership changed, with the membership once this batch is durable.
    var groups: [ConversationID: Membership] = [:]
    /// The position of each log once this batch is durable.
    var advanced: [LogKey: Advance] = [:]
    /// Our unsigned events at the end of the batch, for each conversation.
    var unsigned: [ConversationID: Unsigned] = [:]
    /// Follow-ups once the batch is durable, in order.
    var after: [Followup] = []
    var byteCount = 0
    /// Whether to write the batch even if it is otherwise empty, so that the store erases expired data.
    var sweeps = false
    /// Whether to write it at once. Rows that only save work after a restart may wait for others.
    var isUrgent = false

    struct Advance: Equatable, Sendable {
        var position: LogPosition
        var time: EventTime
    }

    struct Unsigned: Equatable, Sendable {
        /// The index of the last event in `rows.events`.
        var last: Int
        var count: Int
        var bytes: Int
    }

    enum Followup: Equatable, Sendable {
        case effect(Effect)
        /// The answer to a command. If the batch fails, the command gets an error instead.
        case answer(CommandID, Answer)
        /// Answer a command with a peer as it is then, and as it was before.
        indirect case answerAbout(CommandID, PeerID, from: PeerView)
        /// Answer a command with the profile as it left it.
        case answerProfile(CommandID, ProfileRecord)
        /// Judge anew whether the user is away: the user has said to be online.
        case isOnline(since: Int64)
        /// Send our acceptance to a peer that has requested it, and open the conversation on its links.
        case openContact(PeerID)
        /// Tell present and former members that a group changed, and open it with new members.
        case openGroup(ConversationID, isOwnChange: Bool)
        /// Send members who have opened the group what came in an invitation.
        case passOn(ConversationID)
        /// Tell all links that a log is forked.
        case tellFork(ConversationID, LogID)
        /// Handle the proof of a fork that came while its log was being written.
        indirect case takeFork(LinkID, ReceivedFork)
        /// Use the present keys of the workspace, and send them to members.
        case useWorkspace
        /// Send the peer of a link prekeys to which it can seal envelopes.
        case sendPrekeys(LinkID)
        /// Tell the depositor that its envelope is stored, and the recipient that there is one.
        case deposited(LinkID, EnvelopeID)
        /// Tell the courier that the contents of its envelope are held here.
        case taken(LinkID, EnvelopeID)
        /// Show people the delivery state of a conversation.
        case tellDelivery(ConversationID)
        /// Open new links with the new replica.
        case adopt(ReplicaID)
        /// Tell peers the announced name and presence.
        case announce
        /// End the links with a blocked peer.
        case refuse(PeerID)
        /// End the links with a forgotten peer.
        case endLinks(PeerID)
        /// Deposit an envelope with a courier.
        indirect case deposit(LinkID, WireDeposit)
        /// Take the receipts of a parcel whose events are durable now.
        indirect case takeReceipts(ParcelTaking)

        /// The command that it answers.
        var command: CommandID? {
            switch self {
            case .answer(let command, _), .answerAbout(let command, _, _), .answerProfile(let command, _): command
            case .takeReceipts(let taking): taking.command
            default: nil
            }
        }

        /// Whether it still applies if the batch fails, since it follows from what stays in memory.
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

    /// Whether it has nothing but conversations in which nothing was written yet: these wait for what is.
    var hasOnlyConversations: Bool {
        var rest = self
        rest.rows.conversations = []
        return rest.isEmpty
    }

    /// What must hold of a batch that goes to the store.
    func check(_ own: OwnNode) {
        invariants {
            var last: [LogKey: LogPosition] = [:]
            var open: Set<LogKey> = []
            for event in rows.events {
                let key = LogKey(event.header.conversation, event.log)
                if let before = last[key] {
                    invariant(
                        event.header.sequence == before.sequence + 1,
                        "a batch has the events of a log without a gap"
                    )
                    invariant(event.header.previous == before.head, "the events of a log form a chain")
                }
                last[key] = event.position
                if event.signature == nil { open.insert(key) } else { open.remove(key) }
                invariant(
                    event.log.author != own.identity || event.body != nil || event.log != own.log,
                    "own events have bodies"
                )
            }
            for (key, position) in last {
                invariant(advanced[key]?.position == position, "a batch says how far it brings each log")
                invariant(
                    key.log.author != own.identity || key.log != own.log || !open.contains(key),
                    "an own run ends signed"
                )
            }
            invariant(Set(advanced.keys) == Set(last.keys), "a log advances by the events of the batch")
            invariant(named.values.allSatisfy { $0 > 0 } || rows.replica != nil, "a dependency has a sequence")
            invariant(watermarks.allSatisfy { $0.key == $0.value.key }, "a watermark is kept under its key")
        }
    }

    /// Completes the batch for the store.
    mutating func close(_ id: BatchID, peers records: [PeerRecord], at now: Instant) {
        rows.id = id
        rows.wall = now.wall
        rows.answersCommand = after.contains { $0.command != nil }
        rows.peers = records
        rows.named = named.map { NamedLog(conversation: $0.key.conversation, log: $0.key.log, sequence: $0.value) }
            .sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) }
        rows.watermarks = watermarks.values.sorted { $0.key < $1.key }
    }
}
