import ParlanceControl
import ParlanceCore
import ParlanceLetters
import ParlanceWords

/// Finds what looks like a mention in a text and means nobody: a member may have a name like it, which is the first of
/// several names, or one that is nearly the same; or somebody who is not in the group has it.
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
    /// The names of people who are known and are not in the group, each with the one that is shown.
    private let absent: () -> [(shown: String, name: Name)]
    private let isGroup: Bool

    /// - Parameters:
    ///   - names: those of the other members, as they are shown.
    ///   - others: what a mention can name besides: the other names of members, and the writer.
    ///   - absent: gives the others who are known: the name that is shown of each, and all names. Asked only if a word names
    ///     nobody.
    ///   - isGroup: whether all can be mentioned at once.
    init(
        _ names: [String],
        others: [String],
        absent: @escaping () -> [(shown: String, names: [String])] = { [] },
        isGroup: Bool
    ) {
        self.isGroup = isGroup
        self.absent = { absent().flatMap { person in person.names.map { (person.shown, Name($0)) } } }
        self.names = (isGroup ? names + [Self.everybody] : names).map { Name($0) }
        known = self.names + others.map { Name($0) }
    }

    func guesses(in text: String) -> [UnknownMention] {
        guard !names.isEmpty, text.utf8.contains(UInt8(ascii: "@")) else { return [] }
        let longest = known.map(\.folded.count).max() ?? 0
        let scan = MentionScan(text, names: known.map { MentionScan.Name($0.shown, of: nil) })
        lazy var absent = absent()
        var found: [UnknownMention] = []
        for rest in scan.others(Self.mostWords, letters: max(longest, Self.longestWord) + 1) {
            let (typed, folded) = (Self.word(of: rest), rest.folded)
            // "@Bob/core" and "@bob.de" are others; nobody misspelt Bob there.
            guard !typed.isEmpty, !known.contains(where: { folded.begins(with: $0.folded) }),
                !found.contains(where: { $0.typed == typed })
            else { continue }
            if let absent = outsider(folded, typed.folded, among: absent) {
                found.append(.init(typed: typed, absent: absent))
            } else if let meant = meant(by: typed.folded) {
                found.append(.init(typed: typed, meant: meant))
            } else if isGroup, Self.isName(typed, in: rest), found.count(where: \.isOfNobody) < Self.mostOfNobody {
                found.append(.init(typed: typed))
            }
        }
        return found
    }

    /// The name of somebody who is not in the group, if it is typed: all of it, or the first of several where no member
    /// has that.
    private func outsider(
        _ rest: String,
        _ typed: String,
        among absent: [(shown: String, name: Name)]
    ) -> String? {
        let whole = absent.filter { rest.begins(with: $0.name.folded) }
        let longest = whole.map(\.name.folded.count).max() ?? 0
        // Two who are not in the group may have one name.
        let named = whole.filter { $0.name.folded.count == longest }
        let shown = named.first.map { first in
            named.allSatisfy { $0.shown == first.shown } ? first.shown : first.name.shown
        }
        if longest > typed.count { return shown }
        guard !typed.isEmpty, !names.contains(where: { $0.folded.begins(with: typed) }) else { return nil }
        if let shown { return shown }
        let first = Set(absent.filter { $0.name.firstWord == typed }.map(\.shown))
        return first.count == 1 ? first.first : nil
    }

    /// Whether a word that is like no name may be one: "@2pm", "@bob.de" and "@types/node" are others.
    private static func isName(_ typed: String, in rest: String) -> Bool {
        guard typed.first?.isLetter == true, !typed.contains(".") else { return false }
        let behind = rest.dropFirst(typed.count)
        guard let next = behind.first, !next.isWhitespace else { return true }
        if next == ":" { return behind.dropFirst().first?.isWhitespace ?? true }
        return !"/\\@_=#&%+~$^(<{".contains(next)
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
    /// Words like no name that are told: a text may have many that are meant for something else.
    private static let mostOfNobody = 3
    /// Characters of a word for which a name is looked for.
    private static let longestWord = 64

    /// The name that stands for all members of a group.
    private static let everybody = "all"
}

extension UnknownMention {
    fileprivate var isOfNobody: Bool { meant == nil && absent == nil }
}

extension String {
    /// Whether a folded text begins with a folded word or name and goes on with another one.
    fileprivate func begins(with name: String) -> Bool {
        guard hasPrefix(name) else { return false }
        guard let next = dropFirst(name.count).first else { return true }
        return !next.isLetter && !next.isNumber
    }
}
