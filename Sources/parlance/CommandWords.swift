import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// The words of a command line, with the options that stand before the subcommand moved behind it, and those behind WHO
/// before it, where the parser expects them.
struct CommandWords {
    /// The names of the command and its subcommand, as far as they were recognized.
    private(set) var path: [String] = []
    /// The options that stood before these names, or right behind them.
    private(set) var options: [String] = []
    /// Everything behind that.
    private(set) var rest: ArraySlice<String>
    private(set) var command: any ParsableCommand.Type = ParlanceCommand.self
    /// Why the options are refused before the parser sees them: it would see them in another order, and take the next
    /// word for a missing value.
    private(set) var optionFailure: ControlFailure?

    private static let flags: Set = ["--json"]
    /// How the scripts of the library for arguments begin.
    private static let completion = "---completion"
    private static let valued: Set = ["--profile", "--data-dir", "--socket"]

    private static func asksForHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }

    init(_ words: [String]) {
        rest = words[...]
        // The shell asks for what Tab offers; behind this word stands a line that is not finished.
        guard words.first != Self.completion else { return }
        if let found = Self.leaf(of: ParlanceCommand.self, rest, isChecked: true)
            ?? Self.leaf(of: ParlanceCommand.self, rest, isChecked: false)
        {
            self = found
            if let option = OptionKind.unfinished(options, of: command) {
                optionFailure = UsageText.missingValue(of: option, usage: usage)
            } else {
                arrangeText()
            }
        } else {
            takeGroup()
        }
        if optionFailure == nil, let word = hidingHelp {
            optionFailure = UsageText.noOption(ArgumentText.shown(word), usage: usage, values: numbers)
        }
    }

    private init(command: any ParsableCommand.Type, options: [String], rest: ArraySlice<String>) {
        (self.command, self.options, self.rest) = (command, options, rest)
    }

    /// Finds the command that the words name. Only options and their values may stand before its name, and before that
    /// of a group of commands.
    ///
    /// - Parameter isChecked: whether these have to be options of that command.
    private static func leaf(
        of command: any ParsableCommand.Type,
        _ words: ArraySlice<String>,
        before: [String] = [],
        isChecked: Bool
    ) -> CommandWords? {
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty else {
            guard !isChecked || OptionKind.areAll(before, of: command) else { return nil }
            return CommandWords(command: command, options: before, rest: words)
        }
        var mayBeValue = false
        for (index, word) in zip(words.indices, words) {
            if let next = subcommands.first(where: { $0.configuration.commandName == word }),
                var found = leaf(
                    of: next,
                    words[(index + 1)...],
                    before: before + words[..<index],
                    isChecked: isChecked
                )
            {
                found.path.insert(word, at: 0)
                return found
            }
            guard word != "--", isChecked || word != "help", mayBeValue || word.hasPrefix("-") else { return nil }
            mayBeValue = word.hasPrefix("-") && !word.contains("=")
        }
        return nil
    }

    /// Takes the names of groups and the common options, where no command is named.
    private mutating func takeGroup() {
        while let word = rest.first {
            if Self.flags.contains(word) || Self.valued.contains(where: { word.hasPrefix($0 + "=") }) {
                options.append(word)
                rest.removeFirst()
            } else if Self.valued.contains(word), rest.count > 1 {
                options += rest.prefix(2)
                rest.removeFirst(2)
            } else if let next = command.configuration.subcommands.first(where: {
                $0.configuration.commandName == word
            }) {
                command = next
                path.append(word)
                rest.removeFirst()
            } else {
                break
            }
        }
        if path.isEmpty, !rest.isEmpty, !rest.contains(where: ["--help", "-h", "--version"].contains),
            OptionKind.count(rest, of: OverviewCommand.self) == rest.count
        {
            (options, rest) = (options + rest, [])
        }
    }

    /// Moves the options that stand right behind WHO before it. Behind the beginning of the text they are refused: nobody
    /// can tell whether they are meant or sent.
    private mutating func arrangeText() {
        guard let typed = command as? any TypedTextCommand.Type else { return }
        let before = OptionKind.count(rest, of: command)
        guard before < rest.count else { return }
        let place = rest.startIndex + before
        let who = rest[place]
        guard !who.hasPrefix("-") else { return }
        let behind = rest[(place + 1)...]
        let text = behind.dropFirst(OptionKind.count(behind, of: command))
        if let option = OptionKind.unfinished(behind, of: command) {
            optionFailure = UsageText.missingValue(of: option, usage: usage)
        } else if let word = text.first,
            word.hasPrefix("--") && word.count > 2 || OptionKind.isShort(word, of: command)
        {
            let meant = OptionKind.meant(by: word, of: command) ?? OptionKind.meant(byShort: word, of: command)
            optionFailure = TypedText.unknown(word, in: typed, meant: meant)
        } else {
            refuseOptions(in: text.prefix { $0 != "--" }, of: typed)
        }
        rest = (rest[..<place] + behind[..<text.startIndex] + [who] + text)[...]
    }

    /// Refuses what is an option, or looks like a misspelt one, among the words of a text.
    private mutating func refuseOptions(in words: ArraySlice<String>, of typed: any TypedTextCommand.Type) {
        for word in words where optionFailure == nil {
            if word.isOption(of: command) {
                optionFailure = TypedText.misplaced(word, in: typed)
            } else if let meant = OptionKind.meant(by: word, of: command) {
                optionFailure = TypedText.unknown(word, in: typed, meant: meant)
            }
        }
    }

    /// The words in the order that the parser expects.
    var ordered: [String] {
        let isAlone = path.isEmpty && rest.isEmpty
        return (isAlone ? [OverviewCommand._commandName] : path)
            + ProgramArguments.withPlainValues(in: options + rest) { OptionKind($0, of: command) == .valued }
    }

    /// A word such as `-8h`, of which the library takes each letter for an option: it would show help. The words of a text
    /// are none.
    private var hidingHelp: String? {
        let isText = command is any TypedTextCommand.Type
        let read = isText ? rest.prefix(OptionKind.count(rest, of: command) + 1) : rest
        let words = (options + read).prefix { $0 != "--" }
        guard !words.contains(where: Self.asksForHelp) else { return nil }
        return firstDashed(in: words) { word in
            !word.hasPrefix("--") && (word.dropFirst(2).contains("h") || word.hasPrefix("-h"))
        }
    }

    /// The options that say which daemon is meant.
    var given: String { CommandOptions.given(in: options + rest) }

    var wantsJSON: Bool { options.contains("--json") || rest.prefix { $0 != "--" }.contains("--json") }

    /// The word in the place of a subcommand that names none.
    private var unknown: String? {
        guard !command.configuration.subcommands.isEmpty, let word = rest.first, !word.hasPrefix("-"),
            word != "help" || !path.isEmpty
        else { return nil }
        return word
    }

    /// Why `help`, or `--help` behind a word, can show nothing: the words name no command.
    var helpFailure: ControlFailure? {
        let asked = rest.prefix { $0 != "--" }
        if unknown != nil, command.configuration.defaultSubcommand == nil, asked.contains(where: Self.asksForHelp) {
            return failure("")
        }
        guard path.isEmpty, rest.first == "help" else { return nil }
        let topic = CommandWords(Array(rest.dropFirst()))
        return topic.unknown == nil ? nil : topic.failure("")
    }

    /// The command that shows how the command is used.
    private var usage: String { (["parlance", "help"] + path).joined(separator: " ") }

    /// What the command takes, if it takes numbers.
    private var numbers: Phrase? { (command as? any NumberCommand.Type)?.numbers }

    /// Describes wrong usage; `message` is the parser's.
    func failure(_ message: String) -> ControlFailure {
        guard let unknown else {
            return UsageText.failure(
                message,
                usage: usage,
                dashed: dashed.map { ArgumentText.shown($0) },
                meant: dashed.flatMap { OptionKind.meant(by: $0, of: command) },
                values: numbers
            )
        }
        let shown = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        let names = shown.compactMap { $0.configuration.commandName }
        let whole = (["parlance"] + path).joined(separator: " ")
        let advice =
            KnownWords.meant(by: unknown, in: path, among: names).map {
                Phrase("Did you mean: \(Phrase(command: "\(whole) \($0)"))")
            }
            ?? Phrase("To see all commands: \(whole) --help")
        let typed = (path + [ArgumentText.shown(unknown).withoutControls]).joined(separator: " ")
        return ControlFailure(code: ControlFailure.usage, message: "There is no command \"\(typed)\".", advice: advice)
    }

    /// The first word that begins with a dash as an option does, and is none.
    private var dashed: String? {
        firstDashed(in: rest.prefix { $0 != "--" }) { OptionKind($0, of: command) == .none }
    }

    /// The first word that begins with a dash and fits. A negative number behind an option is its value.
    private func firstDashed(in words: ArraySlice<String>, where fits: (String) -> Bool) -> String? {
        var words = words
        while let word = words.popFirst() {
            guard word.hasPrefix("-"), word != "-" else { continue }
            if fits(word) { return word }
            if let value = words.first, ProgramArguments.isNegative(value), OptionKind(word, of: command) == .valued {
                words.removeFirst()
            }
        }
        return nil
    }
}

extension String {
    /// The text as it can be shown.
    fileprivate var withoutControls: String { VisibleText.line(self) }

    /// Whether it is an option that is written in full.
    fileprivate func isOption(of command: any ParsableCommand.Type) -> Bool {
        hasPrefix("--") && OptionKind(self, of: command) != .none
    }
}
