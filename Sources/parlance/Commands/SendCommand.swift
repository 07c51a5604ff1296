import ArgumentParser
import ParlanceControl

/// `parlance send WHO TEXT...`
struct SendCommand: NodeCommand {
    /// The longest text in bytes; the daemon holds this limit, this one only ends the reading of standard input.
    private static let longestText = 64 << 10

    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Write to somebody.",
        discussion: """
            It returns as soon as the message is safe in your own store. If they are away, it waits and is delivered \
            when they come back. The first message to somebody asks them whether they want to talk.

            Examples: parlance send Bob See you at noon
                      date | parlance send Bob -
                      parlance send Bob -- --text that begins with dashes
            """
    )

    @Argument(help: "A name, an alias or a peer ID.")
    var who: String

    @Argument(help: "The text; the words are joined by spaces. A single - reads it from standard input.")
    var text: [String]

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(.send(SendRequest(who: who, text: try wholeText()))) { reply in
            guard case .sent(let sent) = reply else { return nil }
            let id = session.style(.faint, "(\(VisibleText.line(String(sent.id.prefix(12)))))")
            switch sent.status {
            case .staged: return ["Saved; it waits until it can be delivered. See: parlance outbox \(id)"]
            case .sending: return ["Saved, and on its way. \(id)"]
            case .sent, .delivered, .read, .failed: return ["Saved; \(sent.status.rawValue). \(id)"]
            }
        }
    }

    private func wholeText() throws -> String {
        guard text == ["-"] else { return text.joined(separator: " ") }
        guard let input = Terminal.standardInput(limit: Self.longestText) else {
            throw ControlFailure(
                code: ControlError.Code.invalidValue.rawValue,
                message: "What stands on standard input is not UTF-8 text.",
                advice: "Convert it, for example with iconv."
            )
        }
        return input
    }
}
