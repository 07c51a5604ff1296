/// Tells things that are spoken of from orders: many nouns are verbs as well.
extension ActionReader {
    /// Whether a clause tells of a thing with a number or a letter: "tank 3 is full", "Pumpe 2 leckt", "plan B and C failed".
    func isAboutThing(_ range: Range<Int>) -> Bool {
        var next = range.lowerBound + 1
        func isLabel(_ index: Int) -> Bool {
            tokens[index].kind == .number
                || tokens[index].kind == .word && tokens[index].folded.utf8.count == 1
                    && (tokens[index].isCapital || !Lexicon.objectStarts.contains(tokens[index]))
        }
        guard next < range.upperBound, isLabel(next), deadlineOfToken[next] < 0 else { return false }
        while next < range.upperBound,
            isLabel(next) || [",", "/", "&", "#", "and", "und", "or", "oder"].contains(tokens[next].folded)
        {
            next += 1
        }
        guard next < range.upperBound, tokens[next].kind == .word else { return false }
        if Lexicon.labelVerbs.contains(tokens[next]) { return true }
        let isLast = next + 1 == range.upperBound || deadlineOfToken[next + 1] >= 0
        // "order 3 used laptops" is an order.
        if isPastForm(next) {
            return isLast || Lexicon.prepositions.contains(tokens[next + 1])
                || Lexicon.pastAdverbs.contains(tokens[next + 1])
        }
        // "Pumpe 2 leckt"
        if tokens[range.lowerBound].isCapital, isLast, !tokens[next].isCapital, tokens[next].folded.hasSuffix("t") {
            return true
        }
        return !tokens[next].isCapital && Lexicon.isGermanThirdPerson(tokens[next].folded)
    }

    /// "ich bitte um etwas Geduld", "please have some patience".
    func asksForIndulgence(_ range: Range<Int>) -> Bool {
        let words = range.filter { tokens[$0].kind == .word && !isPlease($0) }
        guard let place = words.lastIndex(where: { Lexicon.indulgences.contains(tokens[$0]) }) else { return false }
        let before = words[..<place].suffix(3)
        return before.contains { ["um", "for"].contains(tokens[$0].folded) }
            || words.count <= 3 && place == words.count - 1
    }
}
