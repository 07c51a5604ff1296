package import ParlanceRecords
package import ParlanceWire

/// What the store tells the engine at start: all that the engine keeps in memory, without texts.
package struct EngineSnapshot: Equatable, Sendable {
    package var profile: ProfileRecord
    package var ownPicture: SignedPicture?
    /// Of others, in the order of their IDs.
    package var pictures: [PictureMark] = []
    package var workspace: Workspace?
    package var prekeys: [OwnPrekey] = []
    /// How long the node has run, over all its starts, in milliseconds.
    package var ran: Int64 = 0
    package var envelopes: [EnvelopeRecord] = []
    package var conversations: [ConversationRecord] = []
    /// Every membership event held, in the order of arrival, whether it came in a log or by itself.
    package var membership: [StoredEvent] = []
    /// The applied ones among them, in the order of their IDs. The others came by themselves, or wait in their logs.
    package var appliedChanges: [EventID] = []
    package var labels: [GroupLabel] = []
    /// In the order of the conversations' IDs; only those in which somebody has said something about it.
    package var lifetimes: [LifetimeTerms] = []
    package var branches: [BranchRecord] = []
    package var recipients: [RecipientRecord] = []
    package var logs: [LogRecord] = []
    package var peers: [PeerRecord] = []
    package var watermarks: [WatermarkRecord] = []
    /// In the order of the conversations' IDs, without those that are the same as for a new conversation.
    package var preferences: [PreferenceRecord] = []
    /// The newest first: of those that are settled the newest `Limits.finishedTransfers`, and all others.
    package var transfers: [TransferRecord] = []
    /// Files that messages of others name, the newest first, at most `Limits.offersAtStart`.
    package var offers: [FileOffer] = []

    package init(profile: ProfileRecord) {
        self.profile = profile
    }
}

/// The row of a log.
package struct LogRecord: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    package var position: LogPosition
    /// The time of the last event.
    package var time: EventTime
    /// The last signed event. Nothing beyond it is sent to peers.
    package var signedThrough: LogPosition
    package var applied: LogPosition
    /// The last sequence that this node's events have named. While this replica has written nothing in the
    /// conversation, it is what the previous replica named.
    package var namedThrough: UInt64
    /// Sequences held without a body and not withdrawn by any held event, ascending.
    package var missingBodies: [UInt64]
    /// Through here the bodies of messages and edits were removed by age; 0 if none were.
    package var floor: UInt64
    /// Through here the user has cleared the log; 0 if never.
    package var cleared: UInt64

    package init(
        conversation: ConversationID,
        log: LogID,
        position: LogPosition,
        time: EventTime,
        signedThrough: LogPosition,
        applied: LogPosition,
        namedThrough: UInt64,
        missingBodies: [UInt64],
        floor: UInt64 = 0,
        cleared: UInt64 = 0
    ) {
        self.conversation = conversation
        self.log = log
        self.position = position
        self.time = time
        self.signedThrough = signedThrough
        self.applied = applied
        self.namedThrough = namedThrough
        self.missingBodies = missingBodies
        self.floor = floor
        self.cleared = cleared
    }
}
