import ArgumentParser
import ParlanceControl
import ParlanceWords

/// The words of a command line, with the options that stand before the subcommand moved behind it, where the parser
/// expects them.
struct CommandWords {
    /// The names of the command and its subcommand, as far as they were recognized.
    private(set) var path: [String] = []
    /// The common options that stood before or right behind these names.
    private(set) var options: [String] = []
    /// Everything behind that.
    private(set) var rest: ArraySlice<String>
    private var command: any ParsableCommand.Type = ParlanceCommand.self

    private static let flags: Set = ["--json"]
    private static let valued: Set = ["--profile", "--data-dir", "--socket"]

    /// Whether a word is an option of every command.
    static func isOption(_ word: String) -> Bool {
        flags.contains(word) || word == "--help"
            || valued.contains { word == $0 || word.hasPrefix($0 + "=") }
    }

    init(_ words: [String]) {
        rest = words[...]
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
    }

    /// The words in the order that the parser expects.
    var ordered: [String] {
        let isAlone = path.isEmpty && rest.isEmpty
        return (isAlone ? [OverviewCommand._commandName] : path) + options + rest
    }

    var wantsJSON: Bool { options.contains("--json") || rest.contains("--json") }

    /// The word in the place of a subcommand that names none.
    private var unknown: String? {
        guard !command.configuration.subcommands.isEmpty, let word = rest.first, !word.hasPrefix("-"),
            word != "help" || !path.isEmpty
        else { return nil }
        return word
    }

    /// Why `help` can show nothing: the words behind it name no command.
    var helpFailure: ControlFailure? {
        guard path.isEmpty, rest.first == "help" else { return nil }
        let topic = CommandWords(Array(rest.dropFirst()))
        return topic.unknown == nil ? nil : topic.failure("")
    }

    /// Describes wrong usage; `message` is the parser's.
    func failure(_ message: String) -> ControlFailure {
        let words = (["parlance", "help"] + path).joined(separator: " ")
        guard let unknown else { return UsageText.failure(message, usage: words) }
        let shown = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        let names = shown.compactMap { $0.configuration.commandName }
        let whole = (["parlance"] + path).joined(separator: " ")
        let advice =
            NearestWord.of(unknown, among: names).map { Phrase("Did you mean: \(whole) \($0)") }
            ?? Phrase("To see all commands: \(whole) --help")
        let typed = (path + [unknown.withoutControls]).joined(separator: " ")
        return ControlFailure(code: ControlFailure.usage, message: "There is no command \"\(typed)\".", advice: advice)
    }
}

extension String {
    /// The text as it can be shown.
    fileprivate var withoutControls: String { VisibleText.line(self) }
}
