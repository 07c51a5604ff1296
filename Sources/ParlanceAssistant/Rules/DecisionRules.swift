/// Finds what a message states as settled.
enum DecisionRules {
    /// The longest text of a decision, in characters.
    static let longest = 300

    /// The first sentence that states a decision. Questions, proposals and opinions are none.
    static func decision(in text: String) -> FoundDecision? {
        let tokens = Tokenizer.tokens(of: text)
        for sentence in Sentence.sentences(of: tokens) where !sentence.isQuestion {
            let range = sentence.range
            guard isSettled(range, tokens), !Lexicon.decisionBlocks.isFound(in: range, of: tokens) else { continue }
            let from = tokens[range.lowerBound].range.lowerBound
            let to = tokens[range.upperBound - 1].range.upperBound
            return FoundDecision(text: String(text[from..<to].prefix(longest)))
        }
        return nil
    }

    private static func isSettled(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        // "agreed" alone says nothing of what was agreed.
        let words = range.count(where: { tokens[$0].kind == .word || tokens[$0].kind == .number })
        if words > 2, Lexicon.decisions.isFound(in: range, of: tokens) { return true }
        if Lexicon.plans.isFound(in: range, of: tokens),
            Lexicon.conclusions.isFound(in: range, of: tokens) || tokens[range.lowerBound].folded == "also"
        {
            return true
        }
        let last = max(range.lowerBound, range.upperBound - 3)
        let ending = (last..<range.upperBound).contains { index in
            !tokens[index].isQuoted
                && index + Lexicon.finalDecisions.length(at: index, in: tokens, before: range.upperBound)
                    == range.upperBound
                && Lexicon.finalDecisions.length(at: index, in: tokens, before: range.upperBound) > 0
        }
        if ending, range.count > 2 { return true }
        guard let proposal = Lexicon.proposals.firstIndex(in: range, of: tokens) else { return false }
        return Lexicon.closures.isFound(in: proposal..<range.upperBound, of: tokens)
    }
}
