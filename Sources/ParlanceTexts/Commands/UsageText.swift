package import ParlanceControl
package import ParlanceWords

/// What is wrong with a command line, in our words; the library that reads it has English ones without a remedy.
package enum UsageText {
    /// - Parameters:
    ///   - message: what the library says.
    ///   - usage: a command that shows how the command is used, such as `parlance help send`.
    ///   - dashed: the first word that begins with a dash and is not an option.
    ///   - meant: the option that was probably meant by it.
    ///   - values: what the command takes, if it takes numbers.
    package static func failure(
        _ message: String,
        usage: String,
        dashed: String? = nil,
        meant: String? = nil,
        values: Phrase? = nil
    ) -> ControlFailure {
        let message = ArgumentText.shown(message)
        let (text, remedy) = words(message) ?? (Phrase(verbatim: message), nil)
        // The library suggests an option that needs fewer changes before one that begins so.
        if let dashed, remedy == nil || meant != nil, message.starts(with: #/Missing expected argument|Unknown option/#)
        {
            return noOption(dashed, usage: usage, meant: meant, values: values)
        }
        let help = Phrase("To see how it is used: \(usage)")
        return ControlFailure(
            code: ControlFailure.usage,
            message: text,
            advice: remedy.map { Phrase.joined([$0, help], by: " ") } ?? help
        )
    }

    /// A word begins with a dash and is not an option: where a command takes numbers, a digit behind the dash means one.
    ///
    /// - Parameters:
    ///   - meant: the option that was probably meant by it.
    ///   - values: what the command takes, if it takes numbers.
    package static func noOption(
        _ word: String,
        usage: String,
        meant: String? = nil,
        values: Phrase? = nil
    ) -> ControlFailure {
        let help = Phrase("To see how it is used: \(usage)")
        if let values, ProgramArguments.isNegative(word) {
            return ControlFailure(
                code: ControlFailure.usage,
                message: Phrase("\(VisibleText.line(word)) is negative."),
                advice: Phrase.joined([values, help], by: " ")
            )
        }
        let remedy =
            meant.map { Phrase("Did you mean \($0)?") } ?? Phrase("Put -- before a word that begins with a dash.")
        return ControlFailure(
            code: ControlFailure.usage,
            message: Phrase("There is no option \(VisibleText.line(word))."),
            advice: Phrase.joined([remedy, help], by: " ")
        )
    }

    /// The last option has no value.
    package static func missingValue(of option: String, usage: String) -> ControlFailure {
        ControlFailure(
            code: ControlFailure.usage,
            message: "\(VisibleText.line(ArgumentText.shown(option))) needs a value.",
            advice: "To see how it is used: \(usage)"
        )
    }

    /// An option, if the one that was typed is near to it or is its beginning.
    private static func near(_ typed: String, to option: String) -> String? {
        let words = [typed, option].map { String($0.drop { $0 == "-" }.prefix { $0 != "=" }) }
        let isNear = NearestWord.of(words[0], among: [words[1]]) != nil
        return isNear || words[0].count > 1 && words[1].hasPrefix(words[0]) ? option : nil
    }

    /// The sentences of ArgumentParser's `UsageGenerator` that people meet; `nil` for any other.
    private static func words(_ message: String) -> (Phrase, remedy: Phrase?)? {
        if message.starts(with: #/Can't generate completion scripts/#) {
            return (
                Phrase("There are no completions for this shell."),
                Phrase("One of \(PeopleText.any(of: ["bash", "zsh", "fish"])).")
            )
        }
        let parts = message.split(separator: "'", omittingEmptySubsequences: false)
        let quoted = parts.enumerated().filter { $0.offset % 2 == 1 }.map { VisibleText.line(String($0.element)) }
        // An apostrophe in what was typed hides where the quotes end.
        guard let first = quoted.first, parts.count % 2 == 1 else { return nil }
        let quotes = Phrase("Put a name or title of several words in quotes.")
        let word = first.split(separator: " ").first.map(String.init) ?? first
        if message.starts(with: #/Missing expected argument/#) { return (Phrase("\(word) is missing."), nil) }
        if message.starts(with: #/Missing value for/#) { return (Phrase("\(word) needs a value."), nil) }
        if message.starts(with: #/Unknown option/#) {
            // The library suggests an option that needs up to 3 changes, also of as many letters.
            let meant = quoted.dropFirst().first.flatMap { near(first, to: $0) }
            return (Phrase("There is no option \(first)."), meant.map { Phrase("Did you mean \($0)?") })
        }
        if message.starts(with: #/Unexpected argument/#) {
            return (Phrase("\"\(first)\" is one word too many."), quotes)
        }
        if message.contains(#/ unexpected arguments:/#) {
            let words = quoted.joined(separator: " ")
            return (Phrase("\"\(words)\" is too much."), quotes)
        }
        if message.starts(with: #/The value/#), quoted.count > 1 {
            let allowed = Array(quoted.dropFirst(2))
            // What a command says of its own values, in the user's language.
            let own =
                parts.count == 5 && parts[4].hasPrefix(": ") ? Phrase(verbatim: String(parts[4].dropFirst(2))) : nil
            let remedy = allowed.isEmpty ? own : Phrase("One of \(PeopleText.any(of: allowed)).")
            return (Phrase("\"\(first)\" is not a valid value of \(quoted[1])."), remedy)
        }
        return nil
    }
}
