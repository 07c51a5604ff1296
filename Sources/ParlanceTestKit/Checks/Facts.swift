import ParlanceRecords
import ParlanceWire

/// A message whose command succeeded: it must not be lost.
struct AcceptedMessage {
    var id: EventID
    /// The log that its header names; the message may be kept in a branch of that log.
    var key: LogKey
    var sequence: UInt64
    var text: String
    var author: Int
    /// Virtual milliseconds.
    var time: Int64
    /// The last message that its author had seen: it must be shown above.
    var anchor: EventID?
    /// In a group: the people who, as the author knew, had been removed.
    var outsiders: Set<Int>
    /// A new text for a message.
    var isEdit = false

    /// The message as a disk holds it; `nil` if the disk does not hold it.
    func event(on disk: SimulatedDisk) -> StoredEvent? { disk.event(id, at: sequence, named: key) }
}

/// A text that somebody tried to send.
struct WrittenText {
    var author: Int
    var conversation: ConversationID
    /// The message that it answers, or whose text it replaces.
    var answers: EventID?
    var edits: EventID?
    /// The command named the conversation by a name, which may mean several peers in the course of time.
    var isByName = false
}

/// The purpose of a command.
enum Expectation {
    case message(text: String, from: Int, anchor: EventID?, outsiders: Set<Int>)
    case edit(text: String, from: Int)
    case withdrawal(EventID, by: Int)
    case trust(of: Int, by: Int, number: Int)
    case refusal
    /// A request to talk is declined.
    case refusalToTalk(of: Int, by: Int, number: Int)
    /// The deletion of what somebody else wrote.
    case deletion(in: ConversationID, by: Int)
    /// A change of a group by an admin, once all is quiet.
    case change(String, in: ConversationID, by: Int)
}

extension StoredEvent {
    var place: LogKey { LogKey(header.conversation, log) }
}
