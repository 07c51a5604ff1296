/// Finds actions by the shape of a clause rather than by its opening words.
extension ActionReader {
    // MARK: Arrows

    /// Reads "invoices -> Tom", "Tom -> invoices" and "me → food". Gives false if the range is no such line.
    mutating func readArrow(_ range: Range<Int>) -> Bool {
        guard let arrow = range.first(where: { isArrow($0, range) }) else { return false }
        let isColon = tokens[arrow].folded == ":"
        let right = arrow + (isColon || tokens[arrow].folded == "\u{2192}" ? 1 : 2)
        let (before, after) = (
            trimmed(range.lowerBound..<arrow), trimmed(min(right, range.upperBound)..<range.upperBound)
        )
        for (owner, task) in isColon ? [(after, before)] : [(before, after), (after, before)] {
            guard !task.isEmpty, let member = member(in: owner) else { continue }
            let trigger = Trigger(kind: .order, start: task.lowerBound, assignee: .reader)
            guard let text = TaskText.text(of: trigger, range: task, reader: self) else { continue }
            add(text, member, deadline(in: task)?.deadline, in: range)
            return true
        }
        return false
    }

    private func isArrow(_ index: Int, _ range: Range<Int>) -> Bool {
        if tokens[index].folded == "\u{2192}" { return true }
        if tokens[index].folded == ":", index > range.lowerBound, index + 1 < range.upperBound {
            // "Chips: Kai": a name has a few words only.
            return range.upperBound - index <= 4 && member(in: trimmed(index + 1..<range.upperBound)) != nil
                && Lexicon.labelBlocks.isFound(in: range.lowerBound..<index, of: tokens) == false
        }
        return (tokens[index].folded == "-" || tokens[index].folded == "=") && index + 1 < range.upperBound
            && tokens[index + 1].folded == ">" && !tokens[index + 1].hasSpaceBefore
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, tokens[first].kind == .sign, tokens[first].folded != "@" { range.removeFirst() }
        while let last = range.last, tokens[last].kind == .sign { range.removeLast() }
        return range
    }

    /// The member that the range names by itself.
    private func member(in range: Range<Int>) -> String? {
        guard let first = range.first else { return nil }
        if range.count == 1, Lexicon.ownWords.contains(tokens[first]), names.all.contains(message.sender) {
            return message.sender
        }
        guard let name = names.name(at: first, in: tokens, before: range.upperBound) else { return nil }
        return name.end == range.upperBound ? name.name : nil
    }

    // MARK: Wishes

    /// The "if" of "would be great if you could …", or nil.
    func wish(in range: Range<Int>) -> Int? {
        range.first { index in
            guard Lexicon.wishConditions.contains(tokens[index]), index + 1 < range.upperBound else { return false }
            // As many words stand between the wish and its condition: "would be really nice of you if".
            let before = max(range.lowerBound, index - 5)..<index
            let after = index..<min(range.upperBound, index + 6)
            guard !Lexicon.pastWishes.isFound(in: before.lowerBound..<after.upperBound, of: tokens) else {
                return false
            }
            let isWished = Lexicon.wishes.isFound(in: before, of: tokens)
            return isWished && (Lexicon.wishSubjects.contains(tokens[index + 1]) || isNameStart(index + 1, range))
        }
    }

    func isNameStart(_ index: Int, _ range: Range<Int>) -> Bool {
        names.name(at: index, in: tokens, before: range.upperBound) != nil
    }

    /// The task of a wish: "if you could send it", "wenn jemand die Stühle hochträgt".
    func wished(in segment: Range<Int>) -> Trigger? {
        guard let wish, segment.contains(wish), !isNegated(segment) else { return nil }
        var next = wish + 1
        var assignee = Trigger.Assignee.reader
        if let name = names.name(at: next, in: tokens, before: segment.upperBound) {
            assignee = .member(name.name)
            next = name.end
        } else {
            guard next < segment.upperBound else { return nil }
            if Lexicon.anybody.contains(tokens[next]) { assignee = .nobody }
            // "if we could have the plans by Monday".
            let isReceived =
                segment.contains { Lexicon.receptions.contains(tokens[$0]) } && deadline(in: segment) != nil
            if Lexicon.speakers.contains(tokens[next]), !isReceived { return nil }
            next += 1
        }
        while next < segment.upperBound,
            Lexicon.wishModals.contains(tokens[next]) || Lexicon.adverbs.contains(tokens[next])
        {
            next += 1
        }
        guard next < segment.upperBound else { return nil }
        return Trigger(kind: .request, start: next, assignee: assignee, isOpen: assignee == .nobody)
    }

    // MARK: Things

    /// "could I have the list by noon", "Öl nachfüllen nicht vergessen".
    func thing(in range: Range<Int>) -> Trigger? {
        if let last = range.last(where: { tokens[$0].kind == .word && deadlineOfToken[$0] < 0 }),
            last - 1 > range.lowerBound,
            tokens[last].folded == "vergessen", tokens[last - 1].folded == "nicht"
        {
            return Trigger(kind: .request, start: range.lowerBound, assignee: .reader, end: last - 1)
        }
        let length = Lexicon.thingRequests.length(at: range.lowerBound, in: tokens, before: range.upperBound)
        if length > 0, deadline(in: range) != nil, range.count > length + 1 {
            return Trigger(kind: .request, start: range.lowerBound + length, assignee: .reader)
        }
        return nil
    }

    /// Whether a participle follows a duty such as "must be", or a gerund a need such as "needs".
    func isPassive(_ duty: Int, _ range: Range<Int>) -> Bool {
        var next = duty + Lexicon.passiveDuties.length(at: duty, in: tokens, before: range.upperBound)
        if Lexicon.gerunds.contains(tokens[next - 1].folded) || tokens[next - 1].folded == "go" { return true }
        let isNeed = next == duty + 1 || tokens[next - 1].folded == "with"
        while next < range.upperBound, Lexicon.adverbs.contains(tokens[next]) || deadlineOfToken[next] >= 0 {
            next += 1
        }
        guard next < range.upperBound else { return false }
        let word = tokens[next].folded
        if isNeed { return Lexicon.gerunds.contains(word) }
        if word.hasSuffix("ed") || word.hasSuffix("en") || word.hasSuffix("wn") { return true }
        return word.hasSuffix("ught") || Lexicon.participles.contains(word)
    }

    /// "gehört kalibriert", "ist noch zu prüfen", "muss heute noch raus".
    func isGermanNeed(_ range: Range<Int>, _ last: Int) -> Bool {
        guard last - 1 > range.lowerBound else { return false }
        let word = tokens[last].folded
        let isInfinitive = endsWithInfinitive(range)
        if range.contains(where: { Lexicon.belongings.contains(tokens[$0]) }) {
            return word.hasSuffix("t") || (word.hasPrefix("ge") && isInfinitive)
        }
        if range.contains(where: { Lexicon.germanDuties.contains(tokens[$0]) }), Lexicon.places.contains(word) {
            return true
        }
        return tokens[last - 1].folded == "zu" && isInfinitive
            && range.contains { tokens[$0].folded == "ist" || tokens[$0].folded == "sind" }
    }

    /// "I still need the numbers from you" without the words around the thing.
    func need(in range: Range<Int>, _ giver: Trigger.Assignee?) -> Trigger {
        var trigger = Trigger(kind: .request, start: range.lowerBound, assignee: giver ?? .reader)
        let need = Lexicon.needs.length(at: range.lowerBound, in: tokens, before: range.upperBound)
        guard need > 0 else { return trigger }
        var next = range.lowerBound + need
        while next + 2 < range.upperBound {
            if Lexicon.adverbs.contains(tokens[next]) {
                next += 1
            } else if Lexicon.givers.contains(tokens[next]), Lexicon.readers.contains(tokens[next + 1]) {
                next += 2
            } else {
                break
            }
        }
        trigger.start = next
        let last = range.upperBound - 2
        if last > next, Lexicon.givers.contains(tokens[last]), giver != nil { trigger.end = last }
        return trigger
    }

    /// Who is to give what the sender needs: "from you", "von Tom".
    func giver(in range: Range<Int>) -> Trigger.Assignee? {
        for index in range where ["from", "von"].contains(tokens[index].folded) && index + 1 < range.upperBound {
            if Lexicon.readers.contains(tokens[index + 1]) { return .reader }
            if let name = names.name(at: index + 1, in: tokens, before: range.upperBound) { return .member(name.name) }
        }
        return nil
    }

    /// "Müll rausstellen!" after a name or beside a day.
    func infinitiveOrder(in range: Range<Int>, isAddressed: Bool) -> Trigger? {
        let isLabelled = range.lowerBound > 0 && tokens[range.lowerBound - 1].folded == ":"
        guard isAddressed || isLabelled || deadline(in: range) != nil, endsWithInfinitive(range),
            let last = range.last(where: { deadlineOfToken[$0] < 0 && tokens[$0].kind == .word }),
            last > range.lowerBound,
            isWorkInfinitive(tokens[last].folded),
            !range.contains(where: { Lexicon.germanSubjects.contains(tokens[$0]) })
        else { return nil }
        return Trigger(kind: .order, start: range.lowerBound, assignee: .reader)
    }

    /// Whether a word is a German verb of work with or without a separable part: "rausstellen".
    private func isWorkInfinitive(_ word: String) -> Bool {
        // The shortest verb has three letters.
        (0..<max(0, word.utf8.count - 2)).contains { Lexicon.germanInfinitives.contains(String(word.dropFirst($0))) }
    }

    // MARK: People

    /// "wer fährt am Samstag zum Markt?", "we need Tom to sign it".
    func volunteer(in range: Range<Int>) -> Trigger? {
        let first = range.lowerBound
        if tokens[first].folded == "wer", isInQuestion, range.count > 3,
            Lexicon.isGermanThirdPerson(tokens[first + 1].folded),
            !Lexicon.tellingVerbs.contains(tokens[first + 1])
                || tokens[first + 1].folded == "faehrt",
            deadline(in: range) != nil, hasObject(first + 1..<range.upperBound, first + 1)
        {
            return Trigger(kind: .request, start: first + 1, assignee: .nobody, isOpen: true, verb: first + 1)
        }
        for index in range where Lexicon.callers.contains(tokens[index]) {
            guard !isInQuestion, !isNegated(range),
                let name = names.name(at: index + 1, in: tokens, before: range.upperBound),
                name.end < range.upperBound, tokens[name.end].folded == "to",
                let verb = verb(after: name.end, range.upperBound)
            else { continue }
            return Trigger(kind: .assignment, start: verb, assignee: .member(name.name))
        }
        return nil
    }

    /// "you do the slides", "you're on drinks", "du bist für die Zelte zuständig", "du bringst den Salat mit".
    func givenToReader(in range: Range<Int>, isNamed: Bool, isQuestion: Bool) -> Trigger? {
        let first = range.lowerBound
        let length = Lexicon.readerDuties.length(at: first, in: tokens, before: range.upperBound)
        if length > 0, range.count > length, !isNegated(range),
            !isState(first + length)
        {
            return Trigger(kind: .request, start: first + length, assignee: .reader)
        }
        if tokens[first].folded == "jeder", first + 2 < range.upperBound, !isQuestion, !isNegated(range),
            Lexicon.isGermanThirdPerson(tokens[first + 1].folded), !Lexicon.habits.isFound(in: range, of: tokens)
        {
            return Trigger(kind: .request, start: first + 1, assignee: .nobody, verb: first + 1)
        }
        guard !isQuestion || isNamed, Lexicon.readers.contains(tokens[first]) || tokens[first].folded == "you'll",
            first + 2 < range.upperBound,
            !isNegated(range), !Lexicon.hedges.isFound(in: range, of: tokens)
        else { return nil }
        var next = first + 1
        while next < range.upperBound, Lexicon.adverbs.contains(tokens[next]) { next += 1 }
        guard next < range.upperBound else { return nil }
        let word = tokens[next].folded
        let isGerman = ["du", "ihr"].contains(tokens[first].folded)
        if isGerman {
            let isForm = tokens[first].folded == "du" ? isSecondPerson(word) : Lexicon.isGermanThirdPerson(word)
            let isOnSender = next + 1 < range.upperBound && Lexicon.objectPronouns.contains(tokens[next + 1])
            guard isForm, !isOnSender, hasObject(range, next) else { return nil }
            return Trigger(kind: .request, start: next, assignee: .reader, verb: next)
        }
        let isVerb = Lexicon.englishVerbs.contains(word) || Lexicon.weakImperatives.contains(word)
        guard isVerb, word != "look", isNamed || addressee != nil || deadline(in: range) != nil else { return nil }
        return Trigger(kind: .request, start: next, assignee: .reader)
    }

    private func isSecondPerson(_ word: String) -> Bool {
        guard word.hasSuffix("st"), !Lexicon.statesOfReader.contains(word) else { return false }
        return Lexicon.germanStems.contains(String(word.dropLast(2))) || Lexicon.irregularInfinitives[word] != nil
            || (word.hasSuffix("est") && Lexicon.germanStems.contains(String(word.dropLast(3))))
    }

    /// "Tom you're on drinks", "Tom is in charge of drinks", "Tom, the letter is yours".
    func given(to name: String, _ rest: Range<Int>, _ segment: Range<Int>) -> Trigger? {
        guard !rest.isEmpty, !isNegated(segment), !Lexicon.hedges.isFound(in: segment, of: tokens) else { return nil }
        let length = Lexicon.memberDuties.length(at: rest.lowerBound, in: tokens, before: rest.upperBound)
        guard length > 0, rest.count > length else { return nil }
        guard !isState(rest.lowerBound + length), deadlineOfToken[rest.lowerBound + length] < 0 else { return nil }
        return Trigger(kind: .assignment, start: rest.lowerBound + length, assignee: .member(name))
    }

    /// "on holiday", "doing fine": the words after "on" and "doing" name no task.
    private func isState(_ index: Int) -> Bool {
        ["on", "doing"].contains(tokens[index - 1].folded) && Lexicon.memberStates.contains(tokens[index])
    }

    /// "the letter is yours", "the minutes are on you", "der Kuchen ist deins".
    func possessed(in range: Range<Int>) -> Trigger? {
        guard let first = range.first, !isNegated(range), !Lexicon.pronouns.contains(tokens[first]),
            let end = Lexicon.possessions.firstIndex(in: range, of: tokens), end > range.lowerBound,
            end + Lexicon.possessions.length(at: end, in: tokens, before: range.upperBound) == range.upperBound
        else { return nil }
        return Trigger(kind: .request, start: range.lowerBound, assignee: .reader, end: end)
    }

    /// "I'm bringing the truck on Friday": a present form beside a day.
    func progressive(in range: Range<Int>, isQuestion: Bool) -> Trigger? {
        let first = range.lowerBound
        if tokens[first].folded == "mind", first + 2 < range.upperBound,
            Lexicon.gerunds.contains(tokens[first + 1].folded)
        {
            return Trigger(kind: .request, start: first + 1, assignee: .reader)
        }
        if !isQuestion, first + 2 < range.upperBound, Lexicon.gerunds.contains(tokens[first].folded),
            Lexicon.objectStarts.contains(tokens[first + 1]), deadline(in: range) != nil, !isNegated(range),
            !Lexicon.travels.contains(tokens[first]), !Lexicon.finiteVerbs.isFound(in: range, of: tokens)
        {
            return Trigger(kind: .promise, start: first, assignee: .sender)
        }
        let length = Lexicon.progressiveOpeners.length(at: first, in: tokens, before: range.upperBound)
        let verb = range.lowerBound + length
        guard length > 0, !isQuestion, verb + 1 < range.upperBound, Lexicon.gerunds.contains(tokens[verb].folded),
            deadline(in: range) != nil, !isNegated(range), !Lexicon.hedges.isFound(in: range, of: tokens),
            !Lexicon.travels.contains(tokens[verb])
        else { return nil }
        return Trigger(kind: .promise, start: verb, assignee: .sender)
    }

    /// "Tom's bringing the cake on Friday", "Tom's going to fix it".
    func contracted(in range: Range<Int>) -> Trigger? {
        guard let first = range.first, range.count > 3, tokens[first].folded.hasSuffix("'s"), !isInQuestion,
            let name = names.name(String(tokens[first].folded.dropLast(2)), at: first, in: tokens), !isNegated(range),
            !Lexicon.hedges.isFound(in: range, of: tokens)
        else { return nil }
        if tokens[first + 1].folded == "going", tokens[first + 2].folded == "to",
            let verb = verb(after: first + 3, range.upperBound)
        {
            return Trigger(kind: .assignment, start: verb, assignee: .member(name))
        }
        guard Lexicon.gerunds.contains(tokens[first + 1].folded), !Lexicon.travels.contains(tokens[first + 1]),
            deadline(in: range) != nil, !Lexicon.habits.isFound(in: range, of: tokens)
        else { return nil }
        return Trigger(kind: .assignment, start: first + 1, assignee: .member(name))
    }

    /// "will be there tomorrow", "wird da sein": behind a name, that tells of the person.
    func isOutlook(_ range: Range<Int>) -> Bool {
        let length = Lexicon.outlooks.length(at: range.lowerBound, in: tokens, before: range.upperBound)
        guard length > 0 else { return false }
        let words = range.dropFirst(length).filter { deadlineOfToken[$0] < 0 && tokens[$0].kind == .word }
        guard let last = words.last, let first = words.first(where: { !Lexicon.adverbs.contains(tokens[$0]) }) else {
            return false
        }
        return tokens[last].folded == "sein"
            || tokens[first].folded == "be"
                && Lexicon.presences.length(at: first, in: tokens, before: range.upperBound) > 0
    }

    func isNegated(_ range: Range<Int>) -> Bool {
        Lexicon.negations.isFound(in: range, of: tokens)
    }

    /// "please ignore this", "das bitte ignorieren".
    func isIdle(_ range: Range<Int>, _ please: Int) -> Bool {
        [range.lowerBound, please + 1, range.upperBound - 1].contains {
            $0 < range.upperBound && Lexicon.idleRequests.contains(tokens[$0])
        }
    }

    /// Whether a verb form for "he" at a token assigns a task: "bringt den Salat", "is bringing it on Monday".
    func tells(at index: Int, _ segment: Range<Int>) -> Bool {
        guard index + 1 < segment.upperBound, tokens[index].kind == .word,
            !Lexicon.habits.isFound(in: segment, of: tokens)
        else { return false }
        let word = tokens[index].folded
        if Lexicon.isGermanThirdPerson(word), !Lexicon.tellingVerbs.contains(word) {
            return hasObject(index..<segment.upperBound, index)
        }
        guard deadline(in: segment) != nil, !Lexicon.tellingVerbs.contains(word) else { return false }
        if word == "is" {
            return Lexicon.gerunds.contains(tokens[index + 1].folded) && !Lexicon.travels.contains(tokens[index + 1])
        }
        return Lexicon.englishThirdPersons.contains(word) && segment.upperBound - index > 2
    }

    /// Whether the verb can stand between a task and the name of its owner.
    func isVerbBeforeName(_ index: Int) -> Bool {
        if Lexicon.verbsBeforeNames.contains(tokens[index]) { return true }
        return Lexicon.isGermanThirdPerson(tokens[index].folded) && !Lexicon.tellingVerbs.contains(tokens[index])
    }

    // MARK: Shared verbs

    /// "und hol das Paket" after "ich geh morgen zur Post".
    func linkedPromise(_ segment: Range<Int>, after previous: Range<Int>) -> Trigger? {
        guard let first = segment.first, segment.count > 1, previous.contains(where: { tokens[$0].folded == "ich" }),
            Lexicon.isGermanFirstPerson(tokens[first].folded), dueInSentence != nil, !isNegated(segment)
        else { return nil }
        return Trigger(kind: .promise, start: first, assignee: .sender, verb: first)
    }

    /// Whether a trigger gives a task to a named member, so that ", Ravi the handouts" can follow it.
    func isAssigned(_ trigger: Trigger, _ segment: Range<Int>) -> Bool {
        if case .member = trigger.assignee { return true }
        return isNameStart(segment.lowerBound, segment)
    }

    /// ", Ravi the handouts" after "Bea does the slides".
    func sharedAssignment(in segment: Range<Int>, _ head: ClauseHead) -> Trigger? {
        guard head == .rest || head == .statement,
            let name = names.name(at: segment.lowerBound, in: tokens, before: segment.upperBound),
            name.end < segment.upperBound, deadlineOfToken[name.end] < 0,
            segment.upperBound - name.end <= 5,
            Lexicon.sharedStarts.contains(tokens[name.end])
        else { return nil }
        return Trigger(kind: .assignment, start: name.end, assignee: .member(name.name))
    }
}
