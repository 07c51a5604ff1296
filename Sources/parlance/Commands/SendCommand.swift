import ArgumentParser
import ParlanceControl

/// `parlance send [OPTIONS] WHO TEXT...`
struct SendCommand: NodeCommand {
    /// The longest text in bytes; the daemon holds this limit, this one only ends the reading of standard input.
    private static let longestText = 64 << 10

    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Write to somebody.",
        usage: "parlance send [--json] [--profile <name>] [--data-dir <dir>] [--socket <path>] <who> <text> ...",
        discussion: """
            It returns as soon as the message is safe in your own store. If they are away, it waits and is delivered \
            when they come back. The first message to somebody asks them whether they want to talk; on your own side \
            it accepts them.

            Everything behind WHO is text, dashes too; options stand before WHO. A -- right behind WHO is left out.

            Examples: parlance send Bob See you at noon
                      parlance send Bob -h is short for --help
                      parlance send --json Bob See you at noon
                      date | parlance send Bob -
            """
    )

    @Argument(help: "A name, an alias or a peer ID.")
    var who: String

    @Argument(
        parsing: .captureForPassthrough,
        help: "The text; the words are joined by spaces. A single - reads it from standard input."
    )
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

    /// `send Bob --` is a forgotten text, as `send Bob` is.
    func validate() throws {
        guard !words.isEmpty else { throw ValidationError("Missing expected argument '<text> ...'") }
    }

    /// The text's words; whoever writes -- before a text that begins with a dash, out of habit, does not mean to send it.
    private var words: ArraySlice<String> { text.first == "--" ? text.dropFirst() : text[...] }

    private func wholeText() throws -> String {
        guard words == ["-"] else { return words.joined(separator: " ") }
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
