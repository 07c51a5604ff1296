import ParlanceControl
import ParlanceWire

/// One JSON value a line, each with its type, like `watch --json` (protocol/control.md, "Exports").
struct ExportJSON: ExportRenderer {
    mutating func begin(_ about: ExportHeader) -> [String] { [line("export", about)] }

    mutating func begin(_ conversation: ConversationInfo) -> [String] {
        var kept = conversation
        // What changes from minute to minute says nothing later.
        kept.lastMessage = nil
        kept.presence = nil
        return [line("conversation", kept)]
    }

    mutating func message(_ message: MessageInfo) -> [String] { [line("message", message)] }

    mutating func endConversation() -> [String] { [] }

    mutating func end(_ count: ExportCount) -> [String] { [line("end", count)] }

    private func line(_ type: String, _ value: some Encodable) -> String {
        do {
            let data = try JSONValueEncoder.encode(value)
            return JSONWriter.text(.object([.init("type", .string(type)), .init("data", data)]))
        } catch {
            broken("what is exported can be written as JSON")
            return ""
        }
    }
}
