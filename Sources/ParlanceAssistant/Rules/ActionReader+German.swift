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
        let last = range.last { deadlineOfToken[$0] < 0 && tokens[$0].kind == .word }
        let hasParticle = last.map { Lexicon.particles.contains(tokens[$0]) } ?? false
        for verb in [subject + 1, subject - 1] where range.contains(verb) {
            let isState =
                Lexicon.statesOfSender.contains(tokens[verb])
                && !(tokens[verb].folded.hasPrefix("sag") && range.contains { tokens[$0].folded == "bescheid" })
            guard tokens[verb].kind == .word, !isState,
                deadlineOfToken[verb] < 0
            else { continue }
            // "Musik mach ich": the thing stands first.
            let isClosing =
                verb < subject && verb > range.lowerBound && subject == last
                && (tokens[range.lowerBound].isCapital || Lexicon.sharedStarts.contains(tokens[range.lowerBound]))
            guard
                isPromise(
                    verb,
                    hasFuture: hasFuture || isDirect(verb, subject, range),
                    hasParticle: hasParticle,
                    isClosing: isClosing
                ),
                hasObject(range, verb)
            else { continue }
            return Trigger(kind: .promise, start: range.lowerBound, assignee: .sender, verb: verb)
        }
        return nil
    }

    /// "muss noch den Strom anmelden", "schicke dir gleich die Liste", without "ich".
    func elidedPromise(in range: Range<Int>) -> Trigger? {
        let first = range.lowerBound
        let word = tokens[first].folded
        guard range.count > 2, !isNegated(range), !Lexicon.hedges.isFound(in: range, of: tokens),
            !range.contains(where: { Lexicon.subjects.contains(tokens[$0]) }), hasObject(range, first)
        else { return nil }
        if word == "muss" || word == "werde" {
            guard endsWithInfinitive(range) else { return nil }
            return Trigger(kind: .promise, start: first + 1, assignee: .sender)
        }
        guard Lexicon.isGermanFirstPerson(word), !Lexicon.statesOfSender.contains(word) else { return nil }
        let next = tokens[first + 1].folded
        guard next == "dir" || next == "euch" || next == "ihnen" else { return nil }
        return Trigger(kind: .promise, start: first, assignee: .sender, verb: first)
    }

    /// "ich schreib euch die Liste": an object right after the verb.
    private func isDirect(_ verb: Int, _ subject: Int, _ range: Range<Int>) -> Bool {
        verb == subject + 1 && verb + 2 < range.upperBound && Lexicon.directObjects.contains(tokens[verb + 1])
            && Lexicon.isGermanFirstPerson(tokens[verb].folded) && !Lexicon.habits.isFound(in: range, of: tokens)
    }

    private func isPromise(_ verb: Int, hasFuture: Bool, hasParticle: Bool, isClosing: Bool) -> Bool {
        let word = tokens[verb].folded
        let stem = word.hasSuffix("e") ? String(word.dropLast()) : word
        if Lexicon.promiseStems.contains(stem) || Lexicon.promiseStems.contains(word) { return true }
        if isClosing, Lexicon.isGermanFirstPerson(word) { return true }
        if hasParticle, Lexicon.isGermanFirstPerson(word) { return true }
        guard hasFuture, !tokens[verb].isCapital || verb == 0 else { return false }
        return word.hasSuffix("e") || stem == "mach" || stem == "lass" || Lexicon.isGermanFirstPerson(word)
    }

    /// Whether the clause says what is done, beside words such as "das" and "noch".
    func hasObject(_ range: Range<Int>, _ verb: Int) -> Bool {
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
        } else if let irregular = Lexicon.irregularForms[folded] {
            word = irregular
        } else if Lexicon.isGermanThirdPerson(folded) {
            word.removeLast()
            word += ["e", "er", "el"].contains { word.hasSuffix($0) } && !word.hasSuffix("ier") ? "n" : "en"
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
