import ParlanceLetters
import ParlanceTerminal
import ParlanceWords

// What Tab completes.
extension Composer {
    /// The path that is being typed behind `/file`.
    var typedPath: String? {
        let start = "/\(SlashCommand.file.rawValue) "
        let before = draft.editor.beforeCursor
        return draft.aim == .message && before.hasPrefix(start) ? String(before.dropFirst(start.count)) : nil
    }

    /// Completes the word before the cursor: a command, `@NAME`, `:emoji`, or whom a command is about.
    ///
    /// - Parameters:
    ///   - people: what names those whom a command can be about.
    ///   - members: who can be mentioned.
    /// - Returns: what the word may become, if that is several things.
    mutating func complete(people: [String], members: [String]) -> Phrase? {
        let before = draft.editor.beforeCursor
        if draft.aim == .message, before.hasPrefix("/") {
            let parts = before.dropFirst().split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count < 2 {
                return complete(before, among: SlashCommand.allCases.map { "/\($0.rawValue) " })
            }
            let argument = String(parts[1])
            switch SlashCommand(rawValue: String(parts[0])) {
            case .open, .accept, .decline: return complete(argument, among: people)
            case .disappear: return complete(argument, among: ["12h", "7d", "30d", "off"])
            case .retain: return complete(argument, among: Chat.retainLengths(before: argument))
            default: break
            }
        }
        let word = String(before.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "\n" }.last ?? "")
        if word.hasPrefix("@") { return complete(word, among: members.map { "@\($0) " }) }
        if word.hasPrefix(":") { return completeEmoji(word, typed: String(word.dropFirst())) }
        if case .reaction = draft.aim, !word.isEmpty { return completeEmoji(word, typed: word) }
        return nil
    }

    /// Names of emoji that are listed at once: more than fit on two lines.
    private static let emojiListed = 30

    private mutating func completeEmoji(_ word: String, typed: String) -> Phrase? {
        let found = EmojiNames.names(from: typed)
        let whole = found.first { $0.name == typed.lowercased() }
        guard let first = found.first else { return nil }
        if Set(found.map(\.emoji)).count == 1 {
            draft.editor.replaceBeforeCursor(word.count, with: (whole ?? first).emoji)
            return nil
        }
        let common = found.dropFirst().reduce(first.name) { $0.commonBeginning(with: $1.name) }
        if !typed.isEmpty, common.count > typed.count { draft.editor.replaceBeforeCursor(typed.count, with: common) }
        var listed = found.prefix(Self.emojiListed).map { "\($0.emoji) \($0.name)" }
        if found.count > listed.count { listed.append("…") }
        return Phrase(verbatim: listed.joined(separator: "  "))
    }

    /// Completes a word, typed with or without accents, as far as all candidates agree.
    ///
    /// - Returns: the candidates, if there are several.
    mutating func complete(_ word: String, among candidates: [String]) -> Phrase? {
        let found = candidates.filter { $0.folded.hasPrefix(word.folded) }
        guard let first = found.first else { return nil }
        let common = found.dropFirst().reduce(first) { $0.commonBeginning(with: $1) }
        if common.count > word.count || found.count == 1 { draft.editor.replaceBeforeCursor(word.count, with: common) }
        return found.count > 1 ? Phrase(verbatim: found.map { $0.trimmingSpaces() }.joined(separator: "  ")) : nil
    }
}

extension String {
    func trimmingSpaces() -> String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// What two texts begin with, in upper or lower case and with or without accents.
    fileprivate func commonBeginning(with other: String) -> String {
        String(zip(self, other).prefix { String($0).folded == String($1).folded }.map(\.0))
    }
}
