import ParlanceControl
import ParlanceWords

/// A question before something that cannot be undone.
enum Confirmation {
    /// Asks on the terminal. Who gave the command with `--yes` is not asked.
    ///
    /// - Throws: `ControlFailure` if the answer is no, or if there is no terminal to ask on.
    static func ask(_ question: Phrase, command: String) throws {
        guard Terminal.isInputTerminal, Terminal.isErrorTerminal else {
            let advice = Phrase("To do it: \(Phrase(command: command))")
            throw ControlFailure(code: ControlFailure.usage, message: question, advice: advice)
        }
        Terminal.standardError.write([VisibleText.line(say(question)), say("Do it? Type yes:")])
        let typed = (readLine() ?? "").lowercased().drop { $0.isWhitespace }
        guard ["y", "yes", "j", "ja"].contains(typed.prefix { !$0.isWhitespace }) else {
            throw ControlFailure(
                code: ControlFailure.usage,
                message: Phrase("You did not say yes."),
                advice: Phrase("Nothing was changed.")
            )
        }
    }
}
