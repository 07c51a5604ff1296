import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

/// Everything that one transaction writes. Rows other than events replace the rows with the same key.
package struct PersistBatch: HistoryBatch, Equatable, Sendable {
    package var id: BatchID
    /// When the batch was closed, in milliseconds since 1970. How long the texts of deleted messages are kept is
    /// counted from it.
    package var wall: Int64 = 0
    /// Whether somebody waits for it, who has given a command.
    package var answersCommand = false
    /// New conversations. They are written before the events that need them.
    package var conversations: [ConversationRecord] = []
    /// Membership events that came by themselves, ahead of their logs. Those in `events` need not be here.
    package var membership: [StoredEvent] = []
    /// Branches of logs that turned out to be forked. The events that the parent holds after `base` move to the branch
    /// whose first event is among them. They are written before `events`, which may belong to these branches.
    package var branches: [BranchRecord] = []
    /// Logs whose events are to be applied without what has not come (events.md, "Given up").
    package var givenUp: [GivenUp] = []
    /// The replica to write as from now on. Its epoch starts anew.
    package var replica: ReplicaID?
    /// Logs of which texts were found to be damaged on the disk. The store lacks them, and tells which in its receipt.
    package var damaged: [LogKey] = []
    /// Bodies that came for events held without a body.
    package var bodies: [FoundBody] = []
    /// Since which of our messages each member is a recipient.
    package var recipients: [RecipientRecord] = []
    /// Consecutive in each log, from the event after the last one stored.
    package var events: [StoredEvent] = []
    /// Signatures for our events that were found unsigned at start.
    package var signatures: [HeadSignature] = []
    /// The last sequence of each log that our events have named as a dependency.
    package var named: [NamedLog] = []
    package var peers: [PeerRecord] = []
    /// A watermark at the start of a log deletes the row with its key.
    package var watermarks: [WatermarkRecord] = []
    package var profile: ProfileRecord?
    /// In the order of the decisions: the last of a person counts.
    package var pictures: [PictureRecord] = []
    /// In the order of the commands: the last of a conversation counts.
    package var preferences: [PreferenceRecord] = []
    /// In the order of the decisions: the last of a file counts.
    package var transfers: [TransferRecord] = []
    package var workspace: WorkspaceChange?
    /// Logs of which old texts are to be removed.
    package var retention: [RetainedLog] = []
    /// Our new prekeys, and those whose secrets are to be erased.
    package var prekeys: [OwnPrekey] = []
    package var erasedPrekeys: [PrekeyID] = []
    /// How long the node has run, over all its starts, in milliseconds.
    package var ran: Int64?
    /// Envelopes to keep for others, and those to delete.
    package var envelopes: [StoredEnvelope] = []
    package var erasedEnvelopes: [EnvelopeID] = []

    package init(id: BatchID) {
        self.id = id
    }

    package var isEmpty: Bool {
        conversations.isEmpty && membership.isEmpty && branches.isEmpty && replica == nil && bodies.isEmpty
            && recipients.isEmpty && events.isEmpty
            && signatures.isEmpty && named.isEmpty && peers.isEmpty
            && watermarks.isEmpty && profile == nil && pictures.isEmpty && preferences.isEmpty && transfers.isEmpty
            && workspace == nil && retention.isEmpty && ran == nil && damaged.isEmpty && givenUp.isEmpty
            && prekeys.isEmpty && erasedPrekeys.isEmpty && envelopes.isEmpty && erasedEnvelopes.isEmpty
    }
}

/// An envelope that is kept for its recipient.
package struct StoredEnvelope: Equatable, Sendable {
    package var record: EnvelopeRecord
    /// A serialized `Envelope`.
    package var bytes: [UInt8]

    package init(record: EnvelopeRecord, bytes: [UInt8]) {
        self.record = record
        self.bytes = bytes
    }
}
