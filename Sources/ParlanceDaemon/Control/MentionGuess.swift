import ParlanceControl
import ParlanceCore

/// Finds what looks like a mention in a text and means nobody, though a member has a name like it.
enum MentionGuess {
    /// - Parameter names: the names of the members, as they are shown.
    static func guesses(in text: String, among names: [String]) -> [UnknownMention] {
        guard !names.isEmpty, text.utf8.contains(UInt8(ascii: "@")) else { return [] }
        let longest = (names + [Self.everybody]).map(\.folded.count).max() ?? 0
        var found: [UnknownMention] = []
        let words = text.split(whereSeparator: \.isWhitespace).filter { $0.first == "@" }
        for word in words.prefix(Self.mostWords) {
            let rest = text[word.startIndex...].dropFirst().prefix(longest + 1)
            let typed = String(
                word.dropFirst().prefix { $0.isLetter || $0.isNumber || "-'.".contains($0) }.trimmingDots
            )
            guard !typed.isEmpty, !(names + [Self.everybody]).contains(where: { $0.begins(rest) }),
                !found.contains(where: { $0.typed == typed })
            else { continue }
            let near = names.filter { $0.hasFirstWord(typed) }
            if near.count == 1 { found.append(.init(typed: typed, meant: near[0])) }
        }
        return found
    }

    /// Words that are looked at: a list of packages or accounts has thousands that begin with this sign.
    private static let mostWords = 32

    /// The name that stands for all members of a group.
    private static let everybody = "all"
}

extension Substring {
    fileprivate var trimmingDots: Substring {
        var text = self
        while text.last == "." { text.removeLast() }
        return text
    }
}

extension String {
    /// Whether a text begins with this name without regard to accents and goes on with another word, as a mention does.
    fileprivate func begins(_ text: Substring) -> Bool {
        let (whole, name) = (String(text).folded, folded)
        guard whole.hasPrefix(name) else { return false }
        guard let next = whole.dropFirst(name.count).first else { return true }
        return !next.isLetter && !next.isNumber
    }

    /// Whether the name is a typed word without regard to accents, or begins with it.
    fileprivate func hasFirstWord(_ typed: String) -> Bool {
        let (whole, word) = (folded, typed.folded)
        guard !word.isEmpty, whole.hasPrefix(word) else { return false }
        guard let next = whole.dropFirst(word.count).first else { return true }
        return !next.isLetter && !next.isNumber
    }
}
