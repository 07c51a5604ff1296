import ParlanceControl
import ParlanceCore
import ParlanceLetters

/// Finds what looks like a mention in a text and means nobody, though a member has a name like it: the first of several
/// names, or one that is nearly the same.
struct MentionGuess {
    /// A name, folded once for all words of a text: a group has hundreds of names.
    private struct Name {
        let shown: String
        let folded: String
        let firstWord: String

        init(_ shown: String) {
            self.shown = shown
            folded = shown.folded
            firstWord = String(shown.prefix { $0.isLetter || $0.isNumber }).folded
        }
    }

    /// The names that the writer may have meant.
    private let names: [Name]
    /// Everything that a mention can name.
    private let known: [Name]

    /// - Parameters:
    ///   - names: those of the other members, as they are shown.
    ///   - others: what a mention can name besides: the other names of members, and the writer.
    ///   - isGroup: whether all can be mentioned at once.
    init(_ names: [String], others: [String], isGroup: Bool) {
        self.names = (isGroup ? names + [Self.everybody] : names).map { Name($0) }
        known = self.names + others.map { Name($0) }
    }

    func guesses(in text: String) -> [UnknownMention] {
        guard !names.isEmpty, text.utf8.contains(UInt8(ascii: "@")) else { return [] }
        let longest = known.map(\.folded.count).max() ?? 0
        let scan = MentionScan(text, names: known.map { MentionScan.Name($0.shown, of: nil) })
        var found: [UnknownMention] = []
        for rest in scan.others(Self.mostWords, letters: max(longest, Self.longestWord) + 1) {
            let (typed, folded) = (Self.word(of: rest), rest.folded)
            // "@Bob/core" and "@bob.de" are others; nobody misspelt Bob there.
            guard !typed.isEmpty, !known.contains(where: { folded.begins(with: $0.folded) }),
                !found.contains(where: { $0.typed == typed }), let meant = meant(by: typed.folded)
            else { continue }
            found.append(.init(typed: typed, meant: meant))
        }
        return found
    }

    /// The one name that a folded word may mean.
    private func meant(by typed: String) -> String? {
        let first = names.filter { !typed.isEmpty && $0.folded.begins(with: typed) }
        if !first.isEmpty { return first.count == 1 ? first[0].shown : nil }
        return near(typed, \.folded, within: 1) ?? near(typed, \.firstWord, within: 1) ?? near(typed, \.folded)
    }

    /// The one name of which a part is nearly a word; none if a mention can name somebody else who is as near.
    private func near(_ typed: String, _ part: (Name) -> String, within most: Int = 2) -> String? {
        let parts = Set(known.map(part)).sorted()
        return NearestWord.of(typed, among: parts, within: most).flatMap { near in only { part($0) == near } }
    }

    private func only(_ isMeant: (Name) -> Bool) -> String? {
        let found = names.filter(isMeant)
        return found.count == 1 ? found[0].shown : nil
    }

    /// What was typed for a name: a word, without the ending of "Dan's" and the full stop of a sentence.
    private static func word(of rest: String) -> String {
        var word = rest.prefix { $0.isLetter || $0.isNumber || "-'\u{2019}.".contains($0) }
        while let last = word.last, "-'\u{2019}.".contains(last) { word.removeLast() }
        for ending in ["'s", "\u{2019}s"] where word.hasSuffix(ending) { word.removeLast(ending.count) }
        return word.count > longestWord ? "" : String(word)
    }

    /// Signs that are looked at: a list of packages or accounts has thousands of words that begin with this one.
    private static let mostWords = 32
    /// Characters of a word for which a name is looked for.
    private static let longestWord = 64

    /// The name that stands for all members of a group.
    private static let everybody = "all"
}

extension String {
    /// Whether a folded text begins with a folded word or name and goes on with another one.
    fileprivate func begins(with name: String) -> Bool {
        guard hasPrefix(name) else { return false }
        guard let next = dropFirst(name.count).first else { return true }
        return !next.isLetter && !next.isNumber
    }
}
