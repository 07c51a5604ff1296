package import ParlanceWire

/// The result of a transaction: which events were applied, and how that changed what people see.
package struct PersistReceipt: Equatable, Sendable {
    /// The last event applied, for each log that advanced.
    package var applied: [AppliedLog] = []
    /// Membership events that this transaction applied, or that are held from now on and were applied before.
    package var appliedChanges: [EventID] = []
    /// Messages that became visible, in the order of application.
    package var shown: [ShownMessage] = []
    /// Messages that are no longer visible: withdrawn, or somebody else's and now void.
    package var withdrawn: [EventID] = []
    /// Our own messages that turned out not to count, in the order shown: their author still sees them. Those that were taken
    /// back since are in `withdrawn`.
    package var voided: [ShownMessage] = []
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
