package import ParlanceWire

/// What the store knows at start: all that the engine keeps in memory, and no texts.
package struct EngineSnapshot: Equatable, Sendable {
    package var profile: ProfileRecord
    package var workspace: Workspace?
    package var prekeys: [OwnPrekey] = []
    package var envelopes: [EnvelopeRecord] = []
    package var conversations: [ConversationRecord] = []
    /// Every membership event held, however it came, in the order in which they came.
    package var membership: [StoredEvent] = []
    /// Those of them that are applied, in the order of their IDs: the others came by themselves, or wait in their logs.
    package var appliedChanges: [EventID] = []
    package var labels: [GroupLabel] = []
    package var branches: [BranchRecord] = []
    package var recipients: [RecipientRecord] = []
    package var logs: [LogRecord] = []
    package var peers: [PeerRecord] = []
    package var watermarks: [WatermarkRecord] = []

    package init(profile: ProfileRecord) {
        self.profile = profile
    }
}

/// A log as the store has it.
package struct LogRecord: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    package var position: LogPosition
    /// The last event's time.
    package var time: EventTime
    /// The last event that bears a signature: only up to it is anything served.
    package var signedThrough: LogPosition
    package var applied: LogPosition
    /// How far this node's own events have named it; those of its predecessor, as long as this copy has written nothing
    /// in the conversation.
    package var namedThrough: UInt64
    /// Sequences of messages held without a body that no event held withdraws, ascending.
    package var missingBodies: [UInt64]

    package init(
        conversation: ConversationID,
        log: LogID,
        position: LogPosition,
        time: EventTime,
        signedThrough: LogPosition,
        applied: LogPosition,
        namedThrough: UInt64,
        missingBodies: [UInt64]
    ) {
        self.conversation = conversation
        self.log = log
        self.position = position
        self.time = time
        self.signedThrough = signedThrough
        self.applied = applied
        self.namedThrough = namedThrough
        self.missingBodies = missingBodies
    }
}
