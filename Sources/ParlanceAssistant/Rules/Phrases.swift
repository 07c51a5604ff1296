/// A list of words and of phrases of several words, to be found in tokens.
struct Phrases: Sendable {
    /// The phrases by their first word, the longest first.
    private let byFirst: [String: [[String]]]

    /// A bit for each key of a first word. Most tokens are in no list, and this shows it fast.
    private let filter: [UInt64]
    /// The number of words of the longest phrase.
    let longest: Int

    /// Makes the list from lines. Each word of a line is a phrase, unless the line holds a
    /// comma: then the commas part the phrases.
    init(_ lines: String...) {
        self.init(lines: lines)
    }

    /// Makes the list from lines, as the other initialiser does.
    init(lines: [String]) {
        var byFirst: [String: [[String]]] = [:]
        for line in lines {
            let isParted = line.contains(",")
            for phrase in line.split(separator: isParted ? "," : " ") {
                let words = phrase.split(separator: " ").map { Tokenizer.folded(String($0)) }
                guard let first = words.first else { continue }
                byFirst[first, default: []].append(words)
            }
        }
        filter = Self.filter(of: byFirst.keys)
        longest = byFirst.values.flatMap { $0.map(\.count) }.max() ?? 0
        self.byFirst = byFirst.mapValues { $0.sorted { $0.count > $1.count } }
    }

    /// The number of tokens of the longest phrase that starts at an index, or 0.
    func length(at index: Int, in tokens: [Token], before end: Int) -> Int {
        guard index < end, canContain(tokens[index].key), let phrases = byFirst[tokens[index].folded] else { return 0 }
        for words in phrases where index + words.count <= end {
            if words.indices.allSatisfy({ tokens[index + $0].folded == words[$0] }) { return words.count }
        }
        return 0
    }

    /// Whether the token is in the list by itself.
    func contains(_ token: Token) -> Bool {
        canContain(token.key) && contains(token.folded)
    }

    /// The first words of all phrases.
    var firstWords: [String] { Array(byFirst.keys) }

    private func canContain(_ key: UInt16) -> Bool {
        filter[Int(key >> 6)] & (1 << UInt64(key & 63)) != 0
    }

    private static func filter(of words: some Sequence<String>) -> [UInt64] {
        var filter = [UInt64](repeating: 0, count: (Token.keys + 63) / 64)
        for word in words {
            let key = Token.key(of: word)
            filter[Int(key >> 6)] |= 1 << UInt64(key & 63)
        }
        return filter
    }

    /// Whether the word is in the list by itself.
    func contains(_ word: String) -> Bool {
        guard canContain(Token.key(of: word)) else { return false }
        return byFirst[word]?.contains { $0.count == 1 } ?? false
    }

    /// The first index of a range at which a phrase starts, outside quotation marks.
    func firstIndex(in range: Range<Int>, of tokens: [Token]) -> Int? {
        range.first { !tokens[$0].isQuoted && length(at: $0, in: tokens, before: range.upperBound) > 0 }
    }

    /// Whether a phrase starts in the range, outside quotation marks.
    func isFound(in range: Range<Int>, of tokens: [Token]) -> Bool {
        firstIndex(in: range, of: tokens) != nil
    }
}
