package import ParlanceWire

/// The row of a conversation.
package struct ConversationRecord: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// With exactly one other identity.
        case direct(PeerID)
        /// With the members that its membership events determine.
        case group
    }

    package var id: ConversationID
    package var kind: Kind

    package init(id: ConversationID, kind: Kind) {
        self.id = id
        self.kind = kind
    }
}
