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
    /// Virtual milliseconds.
    var time: Int64
    /// The last message that its author saw before: it must stand above.
    var anchor: EventID?
    /// Of a group: those of whom its author knew that they had been removed.
    var outsiders: Set<Int>
    /// Another text for a message.
    var isEdit = false

    /// It as a disk holds it; `nil` if it does not.
    func event(on disk: SimulatedDisk) -> StoredEvent? { disk.event(id, at: sequence, named: key) }
}

/// What somebody tried to say.
struct WrittenText {
    var author: Int
    var conversation: ConversationID
    /// The message that it answers, or that it is another text for.
    var answers: EventID?
    var edits: EventID?
    /// The conversation was named by what somebody goes by: several may, as time goes on.
    var isByName = false
}

/// What a command was given for.
enum Expectation {
    case message(text: String, from: Int, anchor: EventID?, outsiders: Set<Int>)
    case edit(text: String, from: Int)
    case withdrawal(EventID, by: Int)
    case trust(of: Int, by: Int, number: Int)
    case refusal
    /// A request to talk is declined.
    case refusalToTalk(of: Int, by: Int, number: Int)
    /// Of what somebody else wrote.
    case deletion(in: ConversationID, by: Int)
}

extension StoredEvent {
    var place: LogKey { LogKey(header.conversation, log) }
}
