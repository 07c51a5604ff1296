/// The tokens of one sentence.
struct Sentence: Sendable {
    /// The tokens without the signs that end the sentence.
    var range: Range<Int>
    /// Whether a question mark ends it.
    var isQuestion = false
    /// Whether it starts a line.
    var startsLine = false

    /// Cuts tokens into sentences at the ends of lines and at ".", "!" and "?".
    static func sentences(of tokens: [Token]) -> [Sentence] {
        var sentences: [Sentence] = []
        var start = 0
        var startsLine = true
        var index = 0
        while index < tokens.count {
            guard isEnd(index, tokens) else {
                index += 1
                continue
            }
            let end = index
            var isQuestion = false
            while index < tokens.count, tokens[index].kind == .sign, isEndSign(tokens[index].folded) {
                isQuestion = isQuestion || tokens[index].folded == "?"
                index += 1
            }
            if start < end {
                sentences.append(Sentence(range: start..<end, isQuestion: isQuestion, startsLine: startsLine))
                startsLine = false
            }
            if index < tokens.count, tokens[index].kind == .lineEnd {
                startsLine = true
                index += 1
            }
            if index == end { index += 1 }
            start = index
        }
        if start < tokens.count {
            sentences.append(Sentence(range: start..<tokens.count, startsLine: startsLine))
        }
        return sentences
    }

    private static func isEndSign(_ sign: String) -> Bool {
        sign == "." || sign == "!" || sign == "?" || sign == "\u{2026}"
    }

    private static func isEnd(_ index: Int, _ tokens: [Token]) -> Bool {
        let token = tokens[index]
        if token.kind == .lineEnd { return true }
        guard token.kind == .sign else { return false }
        if token.folded == "!" || token.folded == "?" || token.folded == "\u{2026}" { return true }
        guard token.folded == "." else { return false }
        guard index + 1 < tokens.count else { return true }
        let next = tokens[index + 1]
        if next.folded == "." { return true }
        guard next.hasSpaceBefore || next.kind == .lineEnd || next.kind == .sign else { return false }
        guard index > 0, next.kind != .lineEnd else { return true }
        let previous = tokens[index - 1]
        if previous.kind == .number, previous.number <= 31 {
            // "14. März" and "am 14. geht es" go on; a capital starts a sentence.
            return next.kind == .word && next.isCapital && Lexicon.months[next.folded] == nil
        }
        return !Lexicon.abbreviations.contains(previous.folded)
    }
}
