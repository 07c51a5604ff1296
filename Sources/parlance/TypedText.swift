import ParlanceControl
import ParlanceErrorCode
import ParlanceWords

/// A command that takes WHO or the ID of a message, and behind that a text. Options come before the text.
protocol TypedTextCommand: NodeCommand {
    /// The beginning of the command, such as `send WHO`.
    static var beginning: Phrase { get }
}

/// The text of a message on a command line: everything after WHO or ID, and the options there.
enum TypedText {
    /// Refuses a text that is missing or only `--`.
    ///
    /// - Parameter command: the command that takes it.
    static func check(_ text: [String], of command: String) throws(ControlFailure) {
        guard words(text).isEmpty else { return }
        throw ControlFailure(
            code: ControlFailure.usage,
            message: "The text is missing.",
            advice: """
                Put it at the end, or put - there to type it. A text that begins with # needs quotes, because the shell \
                takes it for a comment. To see how it is used: parlance help \(command)
                """
        )
    }

    /// Whether somebody will type the text after the command.
    static func isTypedLater(_ text: [String]) -> Bool { text == ["-"] && Terminal.isInputTerminal }

    /// The words joined by spaces; a single `-` reads standard input, unless a `--` stands before it.
    static func whole(_ text: [String]) throws -> String {
        let words = words(text)
        guard text == ["-"] else {
            let text = words.joined(separator: " ")
            if text.utf8.count > ControlLimits.textBytes { throw tooLong(Phrase("\(text.utf8.count)")) }
            return text
        }
        if isTypedLater(text) {
            Terminal.standardError.write([
                say("Write the text. To send it, press Ctrl-D on an empty line; Ctrl-C cancels.")
            ])
        }
        switch Terminal.standardInput(limit: ControlLimits.textBytes) {
        case .text(let text): return text
        case .tooLong(let bytes, let isAll): throw tooLong(isAll ? Phrase("\(bytes)") : Phrase("more than \(bytes)"))
        case .notText:
            throw ControlFailure(
                code: ErrorCode.invalidValue.rawValue,
                message: "Standard input is not valid UTF-8.",
                advice: "Convert it, for example with iconv."
            )
        }
    }

    private static func tooLong(_ bytes: Phrase) -> ControlFailure {
        ControlFailure(
            code: ErrorCode.textTooLong.rawValue,
            message: "The text has \(bytes) bytes; a message holds \(ControlLimits.textBytes).",
            advice: "Nothing was sent. Send it in parts."
        )
    }

    /// What to know about a typed text: a note if the shell seems to have changed it.
    ///
    /// A shell removes quotes and apostrophes and joins what stands between them into one argument, so an argument with
    /// a space beside others tells of quotes inside the text, and one with a line feed of a quote that was not closed.
    ///
    /// - Parameter command: the beginning of the command that takes the text, such as `send WHO`.
    static func notes(_ text: [String], of command: Phrase) -> [String] {
        let words = words(text)
        guard words.count > 1 else { return [] }
        let remedy = Phrase("To send a text as it is: \(ofProgram(command)) -")
        if words.contains(where: { $0.contains(where: \.isNewline) }) {
            return [say("Note: a quote or an apostrophe was not closed, so the shell added the next line. \(remedy)")]
        }
        guard words.contains(where: { $0.contains(" ") }) else { return [] }
        return [say("Note: the shell removed quotes or apostrophes from the text. \(remedy)")]
    }

    /// The command with the name of this program.
    private static func ofProgram(_ command: Phrase) -> Phrase {
        Phrase(command: Phrase.joined([Phrase(verbatim: "parlance"), command]))
    }

    /// Refuses what looks like an option where the text could begin.
    ///
    /// - Parameter meant: the option that was probably meant by it.
    static func unknown(
        _ word: String,
        in command: any TypedTextCommand.Type,
        meant: String? = nil
    ) -> ControlFailure {
        let option = VisibleText.line(ArgumentText.shown(String(word.prefix { $0 != "=" })))
        let beginning = ofProgram(command.beginning)
        return ControlFailure(
            code: ControlFailure.usage,
            message: "There is no option \(option).",
            advice: meant.map {
                Phrase("Nothing was sent. Did you mean \($0)? To send it as text: \(beginning) -- TEXT")
            } ?? Phrase("Nothing was sent. To send it as text: \(beginning) -- TEXT")
        )
    }

    /// Refuses an option behind the beginning of the text.
    static func misplaced(_ word: String, in command: any TypedTextCommand.Type) -> ControlFailure {
        ControlFailure(
            code: ControlFailure.usage,
            message: "\(VisibleText.line(ArgumentText.shown(word))) is an option, but is in the text.",
            advice: """
                Nothing was sent. Options come before the text. To send it as text: \(ofProgram(command.beginning)) -- TEXT
                """
        )
    }

    /// The words without a leading `--`, which users write out of habit before a text that begins with a dash.
    private static func words(_ text: [String]) -> ArraySlice<String> {
        text.first == "--" ? text.dropFirst() : text[...]
    }
}
