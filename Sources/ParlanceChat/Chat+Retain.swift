import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

// How long the messages of the open conversation are kept: `/retain [LENGTH|off] [--yes]`, in the words of the command.
extension Chat {
    private static let retain = "/retain"
    private static let yes = "--yes"
    private static let off = "off"

    /// Says what is set, asks before anything is removed, or sets it; nil if the line is to stay.
    mutating func retain(_ argument: String) -> [ChatEffect]? {
        guard let open, let info = open.info else {
            tell(Phrase("No conversation is open. To open one: /open WHO"), .warning)
            return nil
        }
        let words = argument.split(separator: " ").map(String.init)
        guard let first = words.first else {
            tell(RetainLength.line(NameText.marked(info.title, info.trust), info.retain))
            composer.draft.finish()
            return []
        }
        guard let length = RetainLength(first), words.count < 3, words.count < 2 || words[1] == Self.yes else {
            tell(Phrase("Usage: \(Self.retain) 12h, 90d, 52w, off"), .warning)
            return nil
        }
        guard length.isPossible else {
            tell(RetainLength.impossible, .warning)
            return nil
        }
        if case .after(let seconds) = length, words.count < 2 {
            let question = RetainLength.question(seconds, command: "/retain \(first) \(Self.yes)")
            tell(Phrase("\(question.message) \(question.advice)"), .warning)
            return nil
        }
        composer.draft.finish()
        return [.call(RetainOperation(who: open.who, seconds: length.seconds), .retained)]
    }

    /// The daemon has set it.
    mutating func retained(_ info: PreferenceInfo) -> [ChatEffect] {
        if info.conversation == open?.info?.id { open?.info?.retain = info.retain }
        tell(RetainLength.line(NameText.marked(info.title, info.trust), info.retain))
        return refresh(.conversations)
    }

    /// What can follow `/retain`.
    static func retainLengths(before typed: String) -> [String] {
        let parts = typed.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1 else { return ["12h ", "30d ", "90d ", "52w ", Self.off] }
        guard case .after? = RetainLength(parts[0]), parts.count == 2 else { return [] }
        return ["\(parts[0]) \(Self.yes)"]
    }

    // How long they stay for everybody: `/disappear [LENGTH|off]`.

    private static let disappear = "/disappear"

    /// Says what counts, or says for everybody how long messages are to stay; nil if the line is to stay.
    mutating func disappear(_ argument: String) -> [ChatEffect]? {
        guard let open, open.info != nil else {
            tell(Phrase("No conversation is open. To open one: /open WHO"), .warning)
            return nil
        }
        let length = RetainLength(argument)
        guard argument.isEmpty || length != nil else {
            tell(Phrase("Usage: \(Self.disappear) 12h, 90d, 52w, off"), .warning)
            return nil
        }
        guard length?.isPossible != false else {
            tell(RetainLength.impossible, .warning)
            return nil
        }
        composer.draft.finish()
        let seconds = length.map { $0.seconds ?? 0 }
        return [.call(DisappearOperation(who: open.who, seconds: seconds), .disappears)]
    }

    /// What counts now.
    mutating func disappears(_ info: ConversationInfo) -> [ChatEffect] {
        if info.id == open?.info?.id { open?.info?.disappear = info.disappear }
        tell(DisappearText.sentence(info, command: Self.disappear, clock))
        return refresh(.conversations)
    }
}
