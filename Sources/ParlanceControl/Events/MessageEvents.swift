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

extension MessageInfo {
    /// An estimate of the memory that the message takes and of its length as JSON, in bytes.
    package var cost: Int {
        let reacting = reactions?.reduce(0) { $0 + 1 + $1.people.count } ?? 0
        let sources = files?.reduce(0) { $0 + ($1.waitsFor?.count ?? 0) } ?? 0
        let told = (mentions?.count ?? 0) + (note?.people.count ?? 0) + (reach?.readBy.count ?? 0)
        let people = reacting + told + sources
        let quoted = answers?.text.utf8.count ?? 0
        let files = files?.reduce(0) { $0 + ControlLimits.eventCostBytes + $1.name.utf8.count } ?? 0
        return ControlLimits.eventCostBytes + text.utf8.count + quoted + people * ControlLimits.personCostBytes + files
    }
}
