import ParlanceControl

/// Turns conversations into lines of one format, message by message.
protocol ExportRenderer {
    mutating func begin(_ about: ExportHeader) -> [String]
    mutating func begin(_ conversation: ConversationInfo) -> [String]
    mutating func message(_ message: MessageInfo) -> [String]
    /// Ends a conversation.
    mutating func endConversation() -> [String]
    /// Ends the export.
    mutating func end(_ count: ExportCount) -> [String]
}

/// Whose export it is, and when it was made.
struct ExportHeader: Codable, Equatable {
    /// The version of the form, of JSON above all.
    var format = 1
    var program = ParlanceVersion.text
    var made: ControlTime
    /// The local identity.
    var id: String
    var name: String
}

/// How much was exported.
struct ExportCount: Codable, Equatable {
    var conversations = 0
    /// Messages, tombstones, and lines about groups.
    var messages = 0
}
