package import ParlanceWire

/// Everything one transaction writes. Rows other than events replace what they name.
package struct PersistBatch: Equatable, Sendable {
    package var id: BatchID
    /// Milliseconds since 1970 when it was closed: how long texts of deleted messages are kept is counted by it.
    package var wall: Int64 = 0
    /// New conversations, before the events that need them.
    package var conversations: [ConversationRecord] = []
    /// Membership events that came by themselves, before the logs they stand in. Those in `events` need not be here.
    package var membership: [StoredEvent] = []
    /// Logs that turned out to be forked: events after `base` that the parent holds go to the branch whose first they are.
    /// They stand before `events`, some of which may be in the branches.
    package var branches: [BranchRecord] = []
    /// The replica to write as from now on: the epoch begins anew.
    package var replica: ReplicaID?
    /// Bodies that came for events held without one.
    package var bodies: [FoundBody] = []
    /// From which own message on somebody is a recipient.
    package var recipients: [RecipientRecord] = []
    /// In each log consecutive, from the one after what the store has.
    package var events: [StoredEvent] = []
    /// Signatures for own events found unsigned at start.
    package var signatures: [HeadSignature] = []
    /// How far this node's own events have named each log, as dependencies.
    package var named: [NamedLog] = []
    package var peers: [PeerRecord] = []
    /// One at the start of a log takes away the row that it names.
    package var watermarks: [WatermarkRecord] = []
    package var profile: ProfileRecord?
    package var workspace: WorkspaceChange?
    /// New prekeys of one's own, and those whose secrets are to go.
    package var prekeys: [OwnPrekey] = []
    package var erasedPrekeys: [PrekeyID] = []
    /// Envelopes to be kept for others, and those that need not be any more.
    package var envelopes: [StoredEnvelope] = []
    package var erasedEnvelopes: [EnvelopeID] = []

    package init(id: BatchID) {
        self.id = id
    }

    package var isEmpty: Bool {
        conversations.isEmpty && membership.isEmpty && branches.isEmpty && replica == nil && bodies.isEmpty
            && recipients.isEmpty && events.isEmpty
            && signatures.isEmpty && named.isEmpty && peers.isEmpty
            && watermarks.isEmpty && profile == nil && workspace == nil
            && prekeys.isEmpty && erasedPrekeys.isEmpty && envelopes.isEmpty && erasedEnvelopes.isEmpty
    }
}

/// An envelope that is kept for somebody.
package struct StoredEnvelope: Equatable, Sendable {
    package var record: EnvelopeRecord
    /// A serialized `Envelope`.
    package var bytes: [UInt8]

    package init(record: EnvelopeRecord, bytes: [UInt8]) {
        self.record = record
        self.bytes = bytes
    }
}

/// A body that came for an event held without it. The store takes it if it has the hash that the header names.
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

/// What a transaction brought: which logs' events were applied, and what people see of it.
package struct PersistReceipt: Equatable, Sendable {
    /// For each log that moved on, the last event applied.
    package var applied: [AppliedLog] = []
    /// Membership events that are applied now and were not.
    package var appliedChanges: [EventID] = []
    /// Messages that became visible, in the order they were applied.
    package var shown: [ShownMessage] = []
    /// Messages that are visible no more: withdrawn, or void after all.
    package var withdrawn: [EventID] = []
    /// Messages shown before that changed: edited, deleted, reacted to.
    package var changed: [ShownMessage] = []
    /// Logs whose missing bodies are others now, with all of them, ascending.
    package var missing: [MissingBodies] = []
    /// Groups whose title or topic is another now.
    package var labels: [GroupLabel] = []

    package init() {}
}

/// The sequences of a log that are held without a body that nothing held takes away.
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

/// A group's title and topic: of each the last in the order shown.
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
