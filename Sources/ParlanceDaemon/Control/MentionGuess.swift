import ParlanceControl
import ParlanceCore

/// Finds what looks like a mention in a text and means nobody, though a member has a name like it.
enum MentionGuess {
    /// - Parameter names: the names of the members, as they are shown.
    static func guesses(in text: String, among names: [String]) -> [UnknownMention] {
        guard !names.isEmpty, text.utf8.contains(UInt8(ascii: "@")) else { return [] }
        // Each is folded once: a group has hundreds of names.
        let folded = names.map(\.folded)
        let everybody = Self.everybody.folded
        let longest = (folded + [everybody]).map(\.count).max() ?? 0
        var found: [UnknownMention] = []
        let words = text.split(whereSeparator: \.isWhitespace).filter { $0.first == "@" }
        for word in words.prefix(Self.mostWords) {
            let typed = String(
                word.dropFirst().prefix { $0.isLetter || $0.isNumber || "-'.".contains($0) }.trimmingDots
            )
            let first = typed.folded
            guard !first.isEmpty, !found.contains(where: { $0.typed == typed }) else { continue }
            let rest = String(text[word.startIndex...].dropFirst().prefix(longest + 1)).folded
            guard !rest.begins(with: everybody), !folded.contains(where: { rest.begins(with: $0) }) else { continue }
            let near = folded.indices.filter { folded[$0].begins(with: first) }
            if near.count == 1 { found.append(.init(typed: typed, meant: names[near[0]])) }
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
    /// Whether a folded text begins with a folded word or name and goes on with another one.
    fileprivate func begins(with name: String) -> Bool {
        guard hasPrefix(name) else { return false }
        guard let next = dropFirst(name.count).first else { return true }
        return !next.isLetter && !next.isNumber
    }
}
