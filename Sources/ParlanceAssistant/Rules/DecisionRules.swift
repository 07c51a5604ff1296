/// Finds what a message states as settled.
enum DecisionRules {
    /// The longest text of a decision, in characters.
    static let longest = 300
    /// A head such as "Result of today's vote:" has no more tokens before its colon.
    private static let longestHead = 7
    /// A sentence such as "Tuesday at eight then" has no more tokens.
    private static let longestRemark = 9
    /// Between who decides, or "is", and what was decided stand fewer tokens.
    private static let longestRuling = 9

    /// The first sentence that states a decision. Questions, proposals and opinions are none.
    static func decision(in text: String) -> FoundDecision? {
        let tokens = Tokenizer.tokens(of: text)
        let sentences = Sentence.sentences(of: tokens)
        var wasConceded = false
        for (index, sentence) in sentences.enumerated() where !sentence.isQuestion {
            let range = sentence.range
            guard !isBlocked(range, tokens) else {
                wasConceded = false
                continue
            }
            let goesOn = index + 1 < sentences.count && !sentences[index + 1].isQuestion
            let isConcluded = wasConceded && Lexicon.plans.isFound(in: range, of: tokens)
            wasConceded = Lexicon.concessions.isFound(in: range, of: tokens)
            guard isConcluded || isSettled(range, tokens) || ((goesOn || index > 0) && isVerdict(range, tokens)) else {
                continue
            }
            let from = tokens[range.lowerBound].range.lowerBound
            let to = tokens[range.upperBound - 1].range.upperBound
            return FoundDecision(text: String(text[from..<to].prefix(longest)))
        }
        return nil
    }

    private static func isBlocked(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        Lexicon.decisionBlocks.isFound(in: range, of: tokens)
            || isDecisionOfOne(range, tokens) || isQuestionWithoutMark(range, tokens)
    }

    /// "did we agree", but not "haben gestern entschieden", which leaves out who did.
    private static func isQuestionWithoutMark(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        guard Lexicon.decisionQuestionStarts.contains(tokens[range.lowerBound]) else { return false }
        guard ["haben", "hat"].contains(tokens[range.lowerBound].folded), range.count > 2 else { return true }
        return !Lexicon.droppedSubjects.contains(tokens[range.lowerBound + 1])
    }

    /// "Tom decided to leave".
    private static func isDecisionOfOne(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        range.dropFirst().contains { index in
            tokens[index].folded == "decided" && index + 1 < range.upperBound && tokens[index + 1].folded == "to"
                && !Lexicon.deciders.contains(tokens[index - 1])
        }
    }

    private static func isSettled(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        // "agreed" alone says nothing of what was agreed.
        let words = range.count(where: { tokens[$0].kind == .word || tokens[$0].kind == .number })
        guard words > 1 else { return false }
        if words > 2, Lexicon.decisions.isFound(in: range, of: tokens) { return true }
        if hasHead(range, tokens) || isVote(range, tokens) || isPlan(range, tokens) { return true }
        if words > 2, isRuling(range, tokens) || isState(range, tokens) || isStand(range, tokens) { return true }
        if words > 2, isDeal(range, tokens) || isRefusal(range, tokens) { return true }
        if hasEnding(range, tokens) || (words > 2 && isRemark(range, tokens)) { return true }
        guard let proposal = Lexicon.proposals.firstIndex(in: range, of: tokens) else { return false }
        return Lexicon.closures.isFound(in: proposal..<range.upperBound, of: tokens)
    }

    /// "Approved." before another sentence that says what.
    private static func isVerdict(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        range.count <= 2 && Lexicon.verdicts.contains(tokens[range.lowerBound])
    }

    /// "Result of the vote: …".
    private static func hasHead(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        let head = range.prefix(longestHead)
        guard let colon = head.first(where: { tokens[$0].folded == ":" }), colon + 1 < range.upperBound else {
            return false
        }
        let words = range.lowerBound..<colon
        return Lexicon.decisionHeads.isFound(in: words, of: tokens) && !Lexicon.games.isFound(in: words, of: tokens)
    }

    /// "the board rejected option C", "die Leitung hat es abgelehnt".
    private static func isRuling(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        guard let who = range.first(where: { Lexicon.authorities.contains(tokens[$0]) }) else { return false }
        return Lexicon.rulings.isFound(in: who..<min(range.upperBound, who + longestRuling), of: tokens)
    }

    /// "the tournament is cancelled", "der Punkt wird vertagt".
    private static func isState(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        guard let copula = range.dropFirst().first(where: { Lexicon.copulas.contains(tokens[$0]) }) else {
            return false
        }
        return Lexicon.settledStates.isFound(in: copula..<min(range.upperBound, copula + longestRuling), of: tokens)
    }

    /// "sticking with postgres".
    private static func isStand(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        ["sticking", "going", "staying"].contains(tokens[range.lowerBound].folded)
            && tokens[range.lowerBound + 1].folded == "with"
    }

    /// "Vote was 5:0", "5 zu 0 Stimmen".
    private static func isVote(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        guard Lexicon.votes.isFound(in: range, of: tokens) else { return false }
        return range.contains { index in
            index + 2 < range.upperBound && tokens[index].kind == .number && tokens[index + 2].kind == .number
                && [":", "to", "zu", "-", "gegen", "against"].contains(tokens[index + 1].folded)
        }
    }

    /// "Deal, you get the desk".
    private static func isDeal(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        Lexicon.verdicts.contains(tokens[range.lowerBound]) && tokens[range.lowerBound + 1].folded == ","
    }

    /// "wir verlängern den Vertrag nicht".
    private static func isRefusal(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        guard tokens[range.lowerBound].folded == "wir", range.count > 3 else { return false }
        let verb = tokens[range.lowerBound + 1].folded
        return Lexicon.germanInfinitives.contains(verb) && !Lexicon.germanStatesOfGroup.contains(verb)
            && Lexicon.refusals.isFound(in: range, of: tokens)
    }

    /// A plan beside a word that ends the discussion: "dann streichen wir …", "ok, we keep …".
    private static func isPlan(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        if Lexicon.plans.isFound(in: range, of: tokens),
            Lexicon.conclusions.isFound(in: range, of: tokens)
                || Lexicon.conclusionStarts.contains(tokens[range.lowerBound])
        {
            return true
        }
        for index in range where tokens[index].folded == "we're" || tokens[index].folded == "we" {
            var next = index + 1
            if next < range.upperBound, tokens[next].folded == "are" { next += 1 }
            guard next > index + 1 || tokens[index].folded == "we're" else { continue }
            let isNegated = next < range.upperBound && tokens[next].folded == "not"
            if isNegated { next += 1 }
            guard next + 1 < range.upperBound else { continue }
            if Lexicon.settlingGerunds.contains(tokens[next]) { return true }
            if isNegated, Lexicon.gerunds.contains(tokens[next].folded), tokens[next].folded != "getting" {
                return true
            }
        }
        return isGermanPlan(range, tokens)
    }

    /// "dann verlegen wir das Spiel".
    private static func isGermanPlan(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        for index in range where Lexicon.germanConclusions.contains(tokens[index]) {
            var verb = index + 1
            if verb < range.upperBound,
                Lexicon.germanConclusions.contains(tokens[verb]) || tokens[verb].folded == "eben"
            {
                verb += 1
            }
            guard verb + 2 < range.upperBound, tokens[verb + 1].folded == "wir" else { continue }
            let word = tokens[verb].folded
            if word.hasSuffix("n"), !Lexicon.germanStatesOfGroup.contains(word) { return true }
        }
        return false
    }

    /// "green it is" at the end of a clause.
    private static func hasEnding(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        for index in range.dropFirst() where !tokens[index].isQuoted {
            let length = Lexicon.finalDecisions.length(at: index, in: tokens, before: range.upperBound)
            // "Lisbon, agreed" is settled, "Lisbon agreed" is not.
            let needsComma = length == 1 && range.count < 4 && tokens[index].folded != "wird's"
            guard length > 0, !["so", "wie", "how", "what"].contains(tokens[index - 1].folded),
                !needsComma || tokens[index - 1].kind == .sign
            else { continue }
            let end = index + length
            if end == range.upperBound || [",", ";", ":", "\u{2013}", "\u{2014}"].contains(tokens[end].folded) {
                return true
            }
            if tokens[end].kind == .sign, tokens[end].folded != "@" { return true }
            if Lexicon.remarkEnds.contains(tokens[end]), end + 1 == range.upperBound { return true }
        }
        return false
    }

    /// "Tuesday at eight then".
    private static func isRemark(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        guard range.count <= longestRemark, !Lexicon.remarkBlocks.isFound(in: range, of: tokens) else { return false }
        // "Gut, dann Dienstag", "then it's Tuesday".
        for index in range
        where Lexicon.remarkEnds.contains(tokens[index]) || ["so", "also"].contains(tokens[index].folded) {
            var next = index + 1
            while next < range.upperBound, next < index + 3, Lexicon.remarkLinks.contains(tokens[next]) { next += 1 }
            guard next < range.upperBound, Lexicon.weekdays[tokens[next].folded] != nil else { continue }
            return true
        }
        guard let last = range.last(where: { tokens[$0].kind != .sign }),
            Lexicon.remarkEnds.contains(tokens[last]), last > range.lowerBound
        else { return false }
        // "so Lisbon then".
        if Lexicon.conclusionStarts.contains(tokens[range.lowerBound]), range.count >= 3, range.count <= 5 {
            return true
        }
        return range.contains { tokens[$0].kind == .number || Lexicon.weekdays[tokens[$0].folded] != nil }
    }
}
