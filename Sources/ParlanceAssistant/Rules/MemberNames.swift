import ParlanceEmbedding

/// The names of the members of a conversation, to be found in tokens.
struct MemberNames {
    private struct Entry {
        let words: [String]
        /// The signs that stand in the name, such as the hyphen of "Müller-Öz".
        let signs: Set<String>
        /// The exact name, or nil if several members share these words.
        var name: String?
        /// Whether the words are also common words, so that a capital is needed.
        let needsCapital: Bool
    }

    private var byFirst: [String: [Entry]] = [:]
    /// The exact names.
    let all: [String]
    /// Those of the members whom the message mentions.
    private let mentioned: Set<String>
    /// Conversations with more members are read with the first ones only.
    private static let most = 500

    init(_ members: [String], mentioned: [String]) {
        self.mentioned = Set(mentioned)
        all = Array(members.prefix(Self.most))
        for name in all {
            let words = Self.words(of: name)
            add(parts: words, of: name)
            // Who has no such letters on the keyboard writes "Zoe" for "Zoë".
            let plain = Self.words(of: BertNormalizer.withoutAccents(name))
            if plain != words { add(parts: plain, of: name) }
        }
    }

    /// Adds the whole name and what people call somebody for short.
    private mutating func add(parts words: [String], of name: String) {
        guard !words.isEmpty else { return }
        add(words, name)
        let parts = words.flatMap { $0.split(separator: "_").map(String.init) }
        guard words.count > 1 || parts.count > 1 else { return }
        // "Anna Maria" and "van der Berg" of "Anna Maria van der Berg", and neither "Anna Maria van" nor "der Berg".
        for count in words.indices.dropFirst(2) {
            let (first, last) = (words.prefix(count), words.suffix(count))
            if !Self.isNoName(words[count - 1]) { add(Array(first), name) }
            let isCut =
                Lexicon.nameParticles.contains(words[last.startIndex])
                && Lexicon.nameParticles.contains(words[last.startIndex - 1])
            if !isCut { add(Array(last), name) }
        }
        for part in parts where part.count > 1 && !Self.isNoName(part) { add([part], name) }
    }

    /// Whether nobody is called by this word alone.
    private static func isNoName(_ word: String) -> Bool {
        Lexicon.titles.contains(word) || Lexicon.nameParticles.contains(word)
    }

    private static func words(of name: String) -> [String] {
        Tokenizer.tokens(of: name).filter { $0.kind == .word || $0.kind == .number }.map(\.folded)
    }

    private mutating func add(_ words: [String], _ name: String) {
        var entries = byFirst[words[0]] ?? []
        if let index = entries.firstIndex(where: { $0.words == words }) {
            let known = entries[index].name
            // A whole name wins over a part of another one.
            let isWhole = Self.words(of: name) == words
            let knownIsWhole = known.map { Self.words(of: $0) == words } ?? false
            if isWhole, !knownIsWhole {
                entries[index].name = name
            } else if !knownIsWhole, known != name {
                entries[index].name = nil
            }
        } else {
            let needsCapital = words.count == 1 && Lexicon.ambiguousNames.contains(words[0])
            let signs = Set(Tokenizer.tokens(of: name).filter { $0.kind == .sign }.map(\.folded))
            entries.append(Entry(words: words, signs: signs, name: name, needsCapital: needsCapital))
            entries.sort { $0.words.count > $1.words.count }
        }
        byFirst[words[0]] = entries
    }

    /// The member named at a token, and the token after the name. With an "@" it is a member whom the message mentions.
    func name(at index: Int, in tokens: [Token], before end: Int) -> (name: String, end: Int)? {
        guard index < end else { return nil }
        let isMention = tokens[index].folded == "@"
        let start = isMention ? index + 1 : index
        guard start < end, let entries = byFirst[tokens[start].folded] else { return nil }
        for entry in entries {
            guard let next = self.end(of: entry, at: start, in: tokens, before: end), let name = entry.name,
                isMention || !entry.needsCapital || tokens[start].isCapital,
                !isBehindSign(start, tokens) || mentioned.contains(name)
            else { continue }
            return (name, next)
        }
        return nil
    }

    /// The member whose name is the one folded word that a token begins with, or nil.
    func name(_ word: String, at index: Int, in tokens: [Token]) -> String? {
        let name = byFirst[word]?.first { $0.words.count == 1 && !$0.needsCapital }?.name
        return name.flatMap { isBehindSign(index, tokens) && !mentioned.contains($0) ? nil : $0 }
    }

    private func isBehindSign(_ index: Int, _ tokens: [Token]) -> Bool {
        index > 0 && tokens[index - 1].folded == "@"
    }

    /// The token after a name, or nil. The signs of the name can stand between its words, and a full stop behind each, as
    /// in "Dr. Brandt".
    private func end(of entry: Entry, at start: Int, in tokens: [Token], before end: Int) -> Int? {
        var next = start
        for word in entry.words {
            while next > start, next < end, tokens[next].kind == .sign,
                tokens[next].folded == "." || entry.signs.contains(tokens[next].folded)
            {
                next += 1
            }
            guard next < end, tokens[next].folded == word else { return nil }
            next += 1
        }
        return next
    }

    /// The other member, if there are exactly two.
    func other(than sender: String) -> String? {
        guard all.count == 2, all.contains(sender) else { return nil }
        return all.first { $0 != sender }
    }
}
