/// An event whose data is a message.
package protocol MessageCarryingEvent: ControlEvent {
    var message: MessageInfo { get }

    init(_ message: MessageInfo)
}

extension MessageCarryingEvent {
    package var conversationID: String? { message.conversation }
    package var cost: Int { message.cost }

    package init(from decoder: any Decoder) throws {
        self.init(try MessageInfo(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try message.encode(to: encoder)
    }
}

/// A new message of anybody, this user included.
package struct MessageEvent: MessageCarryingEvent {
    package static let kind = ControlEventKind(of: "message")

    package var message: MessageInfo

    package init(_ message: MessageInfo) {
        self.message = message
    }
}

/// A new line that says how a conversation changed.
package struct NoteEvent: MessageCarryingEvent {
    package static let kind = ControlEventKind(of: "note")

    package var message: MessageInfo

    package init(_ message: MessageInfo) {
        self.message = message
    }
}

/// A message that was there before changed: edited, deleted, reacted to.
package struct ChangedEvent: MessageCarryingEvent {
    package static let kind = ControlEventKind(of: "changed")

    package var message: MessageInfo

    package init(_ message: MessageInfo) {
        self.message = message
    }
}

extension MessageInfo {
    /// About how much memory the message takes, and about how long it is as JSON, in bytes.
    package var cost: Int {
        let reacting = reactions?.reduce(0) { $0 + 1 + $1.people.count } ?? 0
        let people = reacting + (mentions?.count ?? 0) + (note?.people.count ?? 0) + (reach?.readBy.count ?? 0)
        let quoted = answers?.text.utf8.count ?? 0
        return ControlLimits.eventCostBytes + text.utf8.count + quoted + people * ControlLimits.personCostBytes
    }
}
