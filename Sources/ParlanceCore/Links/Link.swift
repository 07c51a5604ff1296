import ParlanceWire

/// An authenticated link to a peer.
struct Link: Equatable, Sendable {
    let id: LinkID
    let peer: PeerID
    let replica: ReplicaID
    let epoch: UInt64
    /// Whether this node dialled.
    let dialled: Bool
    let remote: Endpoint
    let openedAt: Int64
    /// The tag of the workspace key that it was opened with; `nil` for an open link.
    let workspaceTag: UInt32?
    /// The newest workspace key that went out on it, or came, with the number it went by.
    var toldKey: WorkspaceKey?
    /// Whom the workspace left out, as far as that went out on it, or came.
    var toldRemoved: Set<PeerID> = []
    /// The peer has told its newest workspace key.
    var keyReceived = false
    /// It has served for handing keys only.
    var wasForKeys = false
    /// Of whom addresses went out on it, or came, and of which time.
    var toldAddresses: [PeerID: UInt64] = [:]
    var lastHeard: Int64
    var helloReceived = false
    /// The peer has said which conversations it takes on this link.
    var summaryReceived = false
    /// A contact request went out on it.
    var requested = false
    var stage = Stage.open
    /// Nothing more is sent of what a link serves for, and what comes is passed over.
    var closing: Bool { stage != .open }
    /// Why it is being closed, where that is to be told.
    var ending: LinkTrouble.Cause?
    /// Bytes of events sent and not acknowledged.
    var unacknowledgedBytes = 0
    /// The conversations that are open on it.
    var syncs: [ConversationID: Sync] = [:]
    var lastTypingSent: Int64?
    /// Envelopes that the peer has been asked to keep and has not answered for.
    var depositing: [EnvelopeID: PendingDeposit] = [:]
    /// What reads of the store were for that failed, to be tried again.
    var failedReads: [FailedRead] = []
    /// For whom the peer does not keep envelopes.
    var declines: Set<PeerID> = []
    /// The envelope that the peer is being given.
    var handingOver: EnvelopeID?
    /// Where the peer takes links, as its hello says; 0 if nowhere.
    var listeningPort: UInt32 = 0
    /// How far its clock was ahead of the own one then, in milliseconds; `nil` if it does not tell.
    var skew: Int64?
    /// Parts of an invitation to a group that is not known yet: the last one, since the parts of one follow each other.
    var invitation: InvitationParts?

    enum Stage: Equatable, Sendable {
        case open
        /// It was opened with a workspace key that serves no more: the newest key went out on it, and the peer's may come.
        /// Nothing else is sent, and nothing else taken.
        case handingKeys
        /// We have said that we close it, or the peer has.
        case closing
    }

    /// Bodies that the peer asked for and that are being read.
    var readingBodies: Set<Place> = []

    /// One event of a log.
    struct Place: Hashable, Sendable {
        var key: LogKey
        var sequence: UInt64
    }

    init(_ opened: LinkOpened, at now: Int64) {
        id = opened.link
        peer = opened.peer
        replica = opened.replica
        epoch = opened.epoch
        dialled = opened.dial != nil
        remote = opened.remote
        openedAt = now
        workspaceTag = opened.workspaceTag
        lastHeard = now
    }
}

/// How one conversation stands on one link.
struct Sync: Equatable, Sendable {
    /// The peer lists the conversation: it takes our frames for it.
    var listed = false
    /// Our whole clock went out on this link.
    var clockSent = false
    /// What the peer says it has; `nil` until it has said so. What is sent follows from this alone.
    var theirs: Clock?
    /// The peer named more logs that are not held here than `theirs` keeps of one author: the others are left out of it.
    var isCut = false
    /// It has told something of people who, as far as was known here, nobody has named as members.
    var hasToldOfUnnamed = false
    var cursors: [LogID: Cursor] = [:]
    /// Logs that the peer asked for, and through where they are sent.
    var serving: [LogID: UInt64] = [:]
    /// Logs of which the peer has sent something that is not durable here yet: it waits to hear.
    var owed: Set<LogID> = []
    /// Logs that moved on here and of which the peer has not been told.
    var untold: Set<LogID> = []
    /// Logs that part somewhere before what is held, where the runs of the peer are looked through for the place.
    var searching: Set<LogID> = []
    /// Marks that the peer sent of what is not held here yet, or has to be read.
    var marksWaiting: [WatermarkRecord.Key: WatermarkRecord] = [:]
    /// The peer has been sent the membership events, since it may not know them.
    var invited = false
    /// Forked logs of which the peer has been given the proof.
    var toldForks: Set<LogID> = []
    /// The last of our membership events, in the order in which they came, that the peer has been told or has.
    var toldMembership: EventID?
}

/// How far one log has been pushed over one link.
struct Cursor: Equatable, Sendable {
    /// Through where events have been sent or are known to be there.
    var sent: UInt64 = 0
    /// Runs sent and not acknowledged: through where, and how many bytes.
    var onTheWay: [Run] = []
    var reading: ReadID?
    /// When the peer asked for it last.
    var asked: Int64?

    struct Run: Equatable, Sendable {
        var through: UInt64
        var bytes: Int
    }
}

/// An envelope on its way to a courier.
struct PendingDeposit: Equatable, Sendable {
    var recipient: PeerID
    var record: DepositRecord
}

struct FailedRead: Equatable, Sendable {
    var read: ReadID
    var purpose: ReadPurpose
}

/// What a read of the store is for.
enum ReadPurpose: Equatable, Sendable {
    case push(LinkID, LogKey)
    case preview(LinkID, LogKey)
    case bodies(LinkID, LogKey, UInt64)
    /// What is to be sealed for somebody who is away.
    case envelope(PeerID)
    /// An envelope for the peer of a link.
    case handOver(LinkID)
    /// Where a run that does not continue a log parts from it.
    indirect case compare(LinkID, LogKey, WireEvents)
    /// What stands at a place of an own log of which the peer says that it has it.
    case claim(LinkID, LogKey, UInt64)
    /// With which of the proven branches the own events of a log go.
    indirect case split(LinkID, LogKey, WireFork)
}
