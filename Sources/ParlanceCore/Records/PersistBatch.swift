package import ParlanceWire

/// Everything one transaction writes. Rows other than events replace what they name.
package struct PersistBatch: Equatable, Sendable {
    package var id: BatchID
    /// New conversations, before the events that need them.
    package var conversations: [ConversationRecord] = []
    /// In each log consecutive, from the one after what the store has.
    package var events: [StoredEvent] = []
    /// Signatures for own events found unsigned at start.
    package var signatures: [HeadSignature] = []
    /// How far this node's own events have named each log, as dependencies.
    package var named: [NamedLog] = []
    package var peers: [PeerRecord] = []
    package var watermarks: [WatermarkRecord] = []
    package var profile: ProfileRecord?

    package init(id: BatchID) {
        self.id = id
    }

    package var isEmpty: Bool {
        conversations.isEmpty && events.isEmpty && signatures.isEmpty && named.isEmpty && peers.isEmpty
            && watermarks.isEmpty && profile == nil
    }
}

/// What a transaction brought: which logs' events were applied, and what people see of it.
package struct PersistReceipt: Equatable, Sendable {
    /// For each log that moved on, the last event applied.
    package var applied: [AppliedLog] = []
    /// Messages that became visible, in the order they were applied.
    package var shown: [ShownMessage] = []
    /// Messages that were withdrawn and are visible no more.
    package var withdrawn: [EventID] = []

    package init() {}
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

/// A message that people see, with what is needed to show it.
package struct ShownMessage: Equatable, Sendable {
    package var id: EventID
    package var conversation: ConversationID
    package var log: LogID
    package var sequence: UInt64
    package var time: EventTime
    /// Its place in the order shown, before the ID (events.md, "Order").
    package var effective: UInt64
    package var text: String

    package init(
        id: EventID,
        conversation: ConversationID,
        log: LogID,
        sequence: UInt64,
        time: EventTime,
        effective: UInt64,
        text: String
    ) {
        self.id = id
        self.conversation = conversation
        self.log = log
        self.sequence = sequence
        self.time = time
        self.effective = effective
        self.text = text
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
