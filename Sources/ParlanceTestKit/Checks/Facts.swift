import ParlanceCore
import ParlanceWire

/// A message whose command was answered with success: it must not be lost.
struct AcceptedMessage {
    var id: EventID
    /// The log that its header names; it may be kept in a branch of that.
    var key: LogKey
    var sequence: UInt64
    var text: String
    var author: Int
    /// The last message that its author saw before: it must stand above.
    var anchor: EventID?
    /// Of a group: those of whom its author knew that they had been removed.
    var outsiders: Set<Int>

    /// It as a disk holds it; `nil` if it does not.
    func event(on disk: SimulatedDisk) -> StoredEvent? { disk.event(id, at: sequence, named: key) }
}

/// What a command was given for.
enum Expectation {
    case message(text: String, from: Int, anchor: EventID?, outsiders: Set<Int>)
    case edit(text: String, from: Int)
    case withdrawal(EventID, by: Int)
    case trust(of: Int, by: Int, number: Int)
    case refusal
    /// Of what somebody else wrote.
    case deletion(in: ConversationID, by: Int)
}

extension StoredEvent {
    var place: LogKey { LogKey(header.conversation, log) }
}
