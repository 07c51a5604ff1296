/// Finds German promises and requests that have no opening words.
extension ActionReader {
    /// "ich bestelle morgen die Teile", "den Server übernehme ich".
    func germanPromise(in range: Range<Int>, isQuestion: Bool) -> Trigger? {
        guard !isQuestion, let subject = range.first(where: { tokens[$0].folded == "ich" && !tokens[$0].isQuoted }),
            !range.contains(where: { tokens[$0].folded == "gerade" }),
            !Lexicon.negations.isFound(in: range, of: tokens), !Lexicon.hedges.isFound(in: range, of: tokens),
            !Lexicon.preceding.isFound(in: range.lowerBound..<subject, of: tokens)
                || tokens[range.lowerBound].folded == "den"
        else { return nil }
        let hasFuture =
            deadline(in: range) != nil || range.contains { Lexicon.futureWords.contains(tokens[$0]) }
        for verb in [subject + 1, subject - 1] where range.contains(verb) {
            guard tokens[verb].kind == .word, !Lexicon.statesOfSender.contains(tokens[verb]),
                deadlineOfToken[verb] < 0
            else { continue }
            guard isPromise(verb, hasFuture: hasFuture), hasObject(range, verb) else { continue }
            return Trigger(kind: .promise, start: range.lowerBound, assignee: .sender, verb: verb)
        }
        return nil
    }

    private func isPromise(_ verb: Int, hasFuture: Bool) -> Bool {
        let word = tokens[verb].folded
        let stem = word.hasSuffix("e") ? String(word.dropLast()) : word
        if Lexicon.promiseStems.contains(stem) || Lexicon.promiseStems.contains(word) { return true }
        guard hasFuture, !tokens[verb].isCapital || verb == 0 else { return false }
        return word.hasSuffix("e") || stem == "mach" || Lexicon.germanImperatives.contains(word)
    }

    /// Whether the clause says what is done, beside words such as "das" and "noch".
    private func hasObject(_ range: Range<Int>, _ verb: Int) -> Bool {
        range.contains {
            $0 != verb && deadlineOfToken[$0] < 0 && tokens[$0].kind == .word
                && !Lexicon.emptyObjects.contains(tokens[$0])
        }
    }

    /// "richtest du bis Freitag das Konto ein?".
    func germanQuestion(in range: Range<Int>) -> Trigger? {
        for index in range where index + 1 < range.upperBound && tokens[index + 1].folded == "du" {
            let word = tokens[index].folded
            guard word.hasSuffix("st"), word.utf8.count > 4, !Lexicon.statesOfReader.contains(word),
                !Lexicon.preceding.isFound(in: range.lowerBound..<index, of: tokens), hasObject(range, index)
            else { return nil }
            return Trigger(kind: .request, start: range.lowerBound, assignee: .reader, verb: index)
        }
        return nil
    }

    /// The infinitive of a verb form for "ich" or "du", with its part from the end of the clause.
    func infinitive(of verb: Int, particle: String?) -> String {
        var word = String(message.text[tokens[verb].range]).lowercased()
        let folded = tokens[verb].folded
        if let irregular = Lexicon.irregularInfinitives[folded] {
            word = irregular
        } else if tokens[verb].folded == "kuemmert" {
            word = String(word.dropLast()) + "n"
        } else if folded.hasSuffix("t"), !folded.hasSuffix("st"), Lexicon.verbsBeforeNames.contains(folded) {
            word = String(word.dropLast()) + "en"
        } else if word.hasSuffix("ere"), !word.hasSuffix("iere") {
            word = String(word.dropLast()) + "n"
        } else if folded.hasSuffix("st"), folded.utf8.count > 4 {
            word = String(word.dropLast(word.hasSuffix("est") ? 3 : 2)) + "en"
        } else if (word.hasSuffix("er") && !word.hasSuffix("ier")) || word.hasSuffix("el") || word.hasSuffix("e") {
            word += "n"
        } else {
            word += "en"
        }
        return (particle ?? "") + word
    }
}
