import ArgumentParser
import ParlanceControl

/// The text of a message on a command line: everything after WHO or ID.
enum TypedText {
    /// The longest text in bytes. The daemon enforces this limit; here it only ends the reading of standard input.
    private static let longest = 64 << 10

    /// Refuses a text that is missing or only `--`.
    static func validate(_ text: [String]) throws {
        guard !words(text).isEmpty else { throw ValidationError("Missing expected argument '<text> ...'") }
    }

    /// The words joined by spaces; a single `-` reads standard input.
    static func whole(_ text: [String]) throws -> String {
        let words = words(text)
        guard words == ["-"] else { return words.joined(separator: " ") }
        guard let input = Terminal.standardInput(limit: longest) else {
            throw ControlFailure(
                code: ControlError.Code.invalidValue.rawValue,
                message: "Standard input is not valid UTF-8.",
                advice: "Convert it, for example with iconv."
            )
        }
        return input
    }

    /// The words without a leading `--`, which users write out of habit before a text that begins with a dash.
    private static func words(_ text: [String]) -> ArraySlice<String> {
        text.first == "--" ? text.dropFirst() : text[...]
    }

    /// The lines to show after a message was written.
    ///
    /// - Parameter who: the name that the user typed for the recipient.
    static func lines(_ sent: SendReply, _ session: Session, to who: String) -> [String] {
        let contact =
            sent.firstContact == true
            ? ["First contact: they are asked to talk, on trust. " + NameText.compareAdvice(who)] : []
        return lines(sent, session) + contact
    }

    static func lines(_ sent: SendReply, _ session: Session) -> [String] {
        let id = session.style(.faint, "(\(VisibleText.line(String(sent.id.prefix(12)))))")
        switch sent.status {
        case .staged: return ["Saved; it waits until it can be delivered. See: parlance outbox \(id)"]
        case .sending: return ["Saved, and on its way. \(id)"]
        case let status?: return ["Saved; \(status.rawValue). \(id)"]
        case nil: return ["Saved. Nobody else is in the group, so it is for nobody. \(id)"]
        }
    }
}
