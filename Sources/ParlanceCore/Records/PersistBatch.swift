package import ParlanceWire

/// Everything that one transaction writes. Rows other than events replace the rows with the same key.
package struct PersistBatch: Equatable, Sendable {
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

/// Logs of one conversation that have waited long enough: given up is what their next event names of these authors and
/// what is not applied, and what the next `Limits.givenUpEvents` events name of them and what is not held.
package struct GivenUp: Equatable, Sendable {
    package var conversation: ConversationID
    package var logs: [LogID]
    package var authors: Set<PeerID>

    package init(conversation: ConversationID, logs: [LogID], authors: Set<PeerID>) {
        self.conversation = conversation
        self.logs = logs
        self.authors = authors
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

/// A body that came for an event held without it. The store takes it if its hash equals the hash in the header.
package struct FoundBody: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    package var sequence: UInt64
    package var body: [UInt8]

    package init(conversation: ConversationID, log: LogID, sequence: UInt64, body: [UInt8]) {
        self.conversation = conversation
        self.log = log
        self.sequence = sequence
        self.body = body
    }
}

/// The result of a transaction: which events were applied, and how that changed what people see.
package struct PersistReceipt: Equatable, Sendable {
    /// The last event applied, for each log that advanced.
    package var applied: [AppliedLog] = []
    /// Membership events that this transaction applied, or that are held from now on and were applied before.
    package var appliedChanges: [EventID] = []
    /// Messages that became visible, in the order of application.
    package var shown: [ShownMessage] = []
    /// Messages that are no longer visible: withdrawn, or now void.
    package var withdrawn: [EventID] = []
    /// Messages that were visible before and changed: edited, deleted, reacted to.
    package var changed: [ShownMessage] = []
    /// Bytes of the bodies that were filled in, of each log.
    package var filled: [LogKey: Int] = [:]
    /// Logs whose missing bodies changed, with all missing sequences, ascending.
    package var missing: [MissingBodies] = []
    /// Logs of which texts were removed by age.
    package var floors: [LogFloor] = []
    /// Groups whose title or topic changed.
    package var labels: [GroupLabel] = []
    /// Conversations in which something was said about how long messages stay.
    package var lifetimes: [LifetimeTerms] = []

    package init() {}
}

/// The sequences of a log that are held without a body and not withdrawn or deleted by any held event.
package struct MissingBodies: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    package var sequences: [UInt64]

    package init(conversation: ConversationID, log: LogID, sequences: [UInt64]) {
        self.conversation = conversation
        self.log = log
        self.sequences = sequences
    }
}

/// A group's title and topic: the last of each in display order.
package struct GroupLabel: Equatable, Sendable {
    package var conversation: ConversationID
    package var title: String
    package var topic: String

    package init(conversation: ConversationID, title: String, topic: String) {
        self.conversation = conversation
        self.title = title
        self.topic = topic
    }
}

package struct AppliedLog: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    package var position: LogPosition

    package init(conversation: ConversationID, log: LogID, position: LogPosition) {
        self.conversation = conversation
        self.log = log
        self.position = position
    }
}

package struct HeadSignature: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    package var sequence: UInt64
    package var signature: [UInt8]

    package init(conversation: ConversationID, log: LogID, sequence: UInt64, signature: [UInt8]) {
        self.conversation = conversation
        self.log = log
        self.sequence = sequence
        self.signature = signature
    }
}

package struct NamedLog: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    package var sequence: UInt64

    package init(conversation: ConversationID, log: LogID, sequence: UInt64) {
        self.conversation = conversation
        self.log = log
        self.sequence = sequence
    }
}
