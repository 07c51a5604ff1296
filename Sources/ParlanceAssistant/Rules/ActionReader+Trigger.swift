/// Finds the words that make a clause an action.
extension ActionReader {
    /// What a clause is.
    ///
    /// - Parameter isQuestion: Whether a question mark ends the clause.
    mutating func trigger(in segment: Range<Int>, isQuestion: Bool) -> ClauseHead {
        var start = skipFillers(segment.lowerBound, segment.upperBound)
        var isNamed = followsName
        if let name = names.name(at: start, in: tokens, before: segment.upperBound) {
            if isOutlook(name.end..<segment.upperBound) { return .statement }
            let rest = skipFillers(name.end, segment.upperBound)
            if let given = given(to: name.name, rest..<segment.upperBound, segment) { return .trigger(given) }
            if rest == segment.upperBound { return .name(name.name) }
            if let assigned = assignment(to: name.name, at: name.end, segment, isQuestion) { return .trigger(assigned) }
            addressee = name.name
            isNamed = true
            start = rest
        }
        guard start < segment.upperBound else { return .rest }
        if let contracted = contracted(in: start..<segment.upperBound) { return .trigger(contracted) }
        if let volunteer = volunteer(in: start..<segment.upperBound) { return .trigger(volunteer) }
        if let wished = wished(in: segment) { return .trigger(wished) }
        if let asked = thing(in: start..<segment.upperBound) { return .trigger(asked) }
        if !isQuestion, let given = possessed(in: start..<segment.upperBound) { return .trigger(given) }
        if Lexicon.noNeeds.isFound(in: segment, of: tokens), !Lexicon.favours.isFound(in: segment, of: tokens) {
            return .statement
        }
        if let assigned = inverted(in: start..<segment.upperBound, isQuestion: isQuestion) { return .trigger(assigned) }
        let rest = start..<segment.upperBound
        if let opened = opened(in: rest, isQuestion: isQuestion) { return opened.map(ClauseHead.trigger) ?? .statement }
        let first = tokens[start].folded
        if let given = givenToReader(in: rest, isNamed: isNamed, isQuestion: isQuestion) { return .trigger(given) }
        if let promised = progressive(in: rest, isQuestion: isQuestion) { return .trigger(promised) }
        if Lexicon.circumstances.contains(first), !isQuestion,
            let please = Lexicon.please.firstIndex(in: rest, of: tokens), please + 2 < rest.upperBound
        {
            return .trigger(Trigger(kind: .request, start: please + 1, assignee: .reader))
        }
        if Lexicon.questionWords.contains(first) { return .statement }
        if let asked = asked(in: rest, isNamed: isNamed) { return .trigger(asked) }
        if asksForIndulgence(rest) { return .statement }
        if !isQuestion, !isNamed, let german = elidedPromise(in: rest) { return .trigger(german) }
        if let german = germanPromise(in: rest, isQuestion: isQuestion) { return .trigger(german) }
        if isInQuestion, let german = germanQuestion(in: rest) { return .trigger(german) }
        if let needed = needed(in: rest, isQuestion: isQuestion) { return .trigger(needed) }
        if !isQuestion, let order = order(in: rest, isNamed: isNamed) { return .trigger(order) }
        return Lexicon.statementStarts.contains(first) ? .statement : .rest
    }

    func skipFillers(_ start: Int, _ end: Int) -> Int {
        var index = start
        while index < end {
            if deadlineOfToken[index] >= 0 {
                index += 1
            } else if index == start, tokens[index].kind == .number, index + 1 < end,
                [".", ")"].contains(tokens[index + 1].folded)
            {
                index += 2
            } else if names.name(at: index, in: tokens, before: end) == nil,
                Lexicon.fillers.contains(tokens[index])
                    || (tokens[index].kind == .sign && tokens[index].folded != "@")
            {
                index += 1
            } else {
                break
            }
        }
        return index
    }

    /// The first token of the verb after an opener, or nil if the verb names no task.
    func verb(after index: Int, _ end: Int, isFirm: Bool = false) -> Int? {
        var next = index
        while next < end,
            deadlineOfToken[next] >= 0 || Lexicon.adverbs.contains(tokens[next])
                || tokens[next].folded == "," || tokens[next].folded == ":"
        {
            next += 1
        }
        if Lexicon.taskPhrases.length(at: next, in: tokens, before: end) > 0 { return next }
        if next + 1 < end, tokens[next].folded == "be", Lexicon.gerunds.contains(tokens[next + 1].folded),
            !Lexicon.travels.contains(tokens[next + 1])
        {
            return next + 1
        }
        if isCausative(next, end) { return next }
        if isFirm, Lexicon.presences.length(at: next, in: tokens, before: end) > 0 { return next }
        guard next < end, Lexicon.stativeVerbs.length(at: next, in: tokens, before: end) == 0 else { return nil }
        return next
    }

    /// "have the posters printed", "get it fixed".
    private func isCausative(_ index: Int, _ end: Int) -> Bool {
        guard index + 2 < end, tokens[index].folded == "have" || tokens[index].folded == "get",
            Lexicon.objectStarts.contains(tokens[index + 1])
        else { return false }
        return (index + 2..<end).contains {
            deadlineOfToken[$0] < 0 && (tokens[$0].folded.hasSuffix("ed") || Lexicon.participles.contains(tokens[$0]))
        }
    }

    /// The first token of the thing after an opener such as "don't forget", or nil.
    private func noun(after index: Int, _ end: Int) -> Int? {
        var next = index
        while next < end,
            deadlineOfToken[next] >= 0 || Lexicon.adverbs.contains(tokens[next]) || tokens[next].kind == .sign
        {
            next += 1
        }
        guard next < end, next + 1 < end || !Lexicon.pronouns.contains(tokens[next]) else { return nil }
        return Lexicon.emptyNouns.length(at: next, in: tokens, before: end) > 0 ? nil : next
    }

    // MARK: Openers

    private typealias Opener = (phrases: Phrases, kind: Trigger.Kind, assignee: Trigger.Assignee)

    private static let openers: [Opener] = [
        (Lexicon.openRequests, .request, .nobody), (Lexicon.requestOpeners, .request, .reader),
        (Lexicon.orderOpeners, .request, .reader), (Lexicon.promiseOpeners, .promise, .sender),
        (Lexicon.dutyOpeners, .duty, .nobody), (Lexicon.weakPromiseOpeners, .promise, .sender),
        (Lexicon.weakDutyOpeners, .duty, .nobody),
    ]

    /// The trigger of the first opener in a range. The inner nil means that the opener is void.
    private func opened(in range: Range<Int>, isQuestion: Bool) -> Trigger?? {
        for index in range where !tokens[index].isQuoted {
            for (number, opener) in Self.openers.enumerated() {
                let length = opener.phrases.length(at: index, in: tokens, before: range.upperBound)
                guard length > 0 else { continue }
                if opener.kind == .duty,
                    Lexicon.passiveDuties.length(at: index, in: tokens, before: range.upperBound) > 0,
                    isPassive(index, range)
                {
                    continue
                }
                return .some(
                    trigger(opener, at: index, length, range, isQuestion, isWeak: number >= Self.openers.count - 2)
                )
            }
        }
        if let first = range.first, ["will", "gonna"].contains(tokens[first].folded), !isQuestion,
            let verb = verb(after: first + 1, range.upperBound), range.upperBound - verb > 1,
            tokens[first].folded == "will" || Lexicon.englishVerbs.contains(tokens[verb])
        {
            return .some(Trigger(kind: .promise, start: verb, assignee: .sender))
        }
        return nil
    }

    private func trigger(
        _ opener: Opener,
        at index: Int,
        _ length: Int,
        _ range: Range<Int>,
        _ isQuestion: Bool,
        isWeak: Bool
    ) -> Trigger? {
        let end = range.upperBound
        let before = range.lowerBound..<index
        guard !Lexicon.preceding.isFound(in: before, of: tokens) else { return nil }
        let isOfSubject = index > range.lowerBound && Lexicon.firstPersons.contains(tokens[index - 1])
        if isOfSubject, opener.assignee == .reader { return nil }
        if index > range.lowerBound, opener.kind == .duty, Lexicon.vagueSubjects.contains(tokens[index - 1]) {
            return nil
        }
        let after = index + length
        if after == end, opener.kind == .request, index > range.lowerBound {
            // "lock the door, will you" and "lock the door will you".
            var tail = order(in: before, isNamed: true)
            tail?.end = index
            return tail
        }
        let isFirm = opener.kind == .duty || opener.assignee == .nobody
        let takesNoun = Lexicon.nounOpenings.contains(tokens[after - 1])
        guard let verb = takesNoun ? noun(after: after, end) : verb(after: after, end, isFirm: isFirm) else {
            return nil
        }
        if Lexicon.rhetoricalWords.isFound(in: after..<end, of: tokens) { return nil }
        // "let's do Thursday then" settles rather than asks.
        if isWeak, opener.assignee == .nobody, Lexicon.closures.contains(tokens[end - 1]) { return nil }
        var trigger = Trigger(kind: opener.kind, start: verb, assignee: opener.assignee)
        switch opener.kind {
        case .promise, .duty:
            let isAsked = isQuestion && !(tokens[index].folded.hasPrefix("i") && tokens[index].folded != "ich")
            if isAsked || isNegated(range) || Lexicon.hedges.isFound(in: range, of: tokens) { return nil }
            if Lexicon.germanOpeners.contains(tokens[index]), !namesTask(verb..<end) { return nil }
            // "muss ich" and "wir müssen" can stand behind the first words of the task.
            if tokens[index].folded.hasPrefix("m") || tokens[index].folded == "es", index > range.lowerBound {
                trigger.start = range.lowerBound
            }
            if ["can", "could", "kann"].contains(tokens[after - 1].folded) || tokens[index].folded == "kann" {
                guard end - verb >= 2 else { return nil }
            }
        default:
            if ["du", "ihr"].contains(tokens[index].folded), !namesTask(verb..<end) { return nil }
            if isNegated(after..<min(end, after + 2)), opener.kind == .request, tokens[index].folded != "nicht" {
                return nil
            }
        }
        trigger.needsDeadline = isWeak
        trigger.isOpen = opener.assignee == .nobody
        return trigger
    }

    /// Whether a German clause says more than "jetzt gehen".
    private func namesTask(_ range: Range<Int>) -> Bool {
        let words = range.filter { deadlineOfToken[$0] < 0 && tokens[$0].kind == .word }
        guard words.count >= 2, let last = words.last else { return false }
        return !Lexicon.germanStates.contains(tokens[last])
    }

    // MARK: Please

    private func asked(in range: Range<Int>, isNamed: Bool) -> Trigger? {
        guard let please = Lexicon.please.firstIndex(in: range, of: tokens) else { return nil }
        let words = range.count(where: {
            tokens[$0].kind == .word && deadlineOfToken[$0] < 0 && !Lexicon.please.contains(tokens[$0])
        })
        guard
            range.contains(where: { tokens[$0].kind == .code })
                || words >= (isNamed || deadline(in: range)?.isBound == true ? 1 : 2),
            !isNegated(please..<min(range.upperBound, please + 3))
        else { return nil }
        if please + 1 < range.upperBound, Lexicon.noRequests.contains(tokens[please + 1]) { return nil }
        if isIdle(range, please) || asksForIndulgence(range) { return nil }
        let isFirst = please == range.lowerBound
        if !isFirst, Lexicon.noOrderStarts.contains(tokens[range.lowerBound]) {
            // "die Folien bitte bis Freitag schicken" ends with an infinitive.
            guard tokens[please].folded == "bitte", endsWithInfinitive(range) else { return nil }
        }
        let start = isFirst ? please + 1 : range.lowerBound
        return germanQuestion(in: range) ?? Trigger(kind: .request, start: start, assignee: .reader)
    }

    /// Whether the last word can be a German infinitive.
    func endsWithInfinitive(_ range: Range<Int>) -> Bool {
        let last = range.last { deadlineOfToken[$0] < 0 && tokens[$0].kind == .word && !isPlease($0) }
        guard let last, !tokens[last].isCapital else { return false }
        let word = tokens[last].folded
        return word.utf8.count > 4 && (word.hasSuffix("en") || word.hasSuffix("ern") || word.hasSuffix("eln"))
    }

    func isPlease(_ index: Int) -> Bool {
        Lexicon.please.contains(tokens[index])
    }

    // MARK: Orders

    private func order(in range: Range<Int>, isNamed: Bool) -> Trigger? {
        let first = tokens[range.lowerBound]
        let isAddressed = isNamed || addressee != nil
        let words = range.count(where: { tokens[$0].kind == .word && deadlineOfToken[$0] < 0 })
        guard !first.isQuoted, first.kind == .word, !Lexicon.hedges.isFound(in: range, of: tokens),
            Lexicon.noOrders.length(at: range.lowerBound, in: tokens, before: range.upperBound) == 0
        else { return nil }
        let trigger = Trigger(kind: .order, start: range.lowerBound, assignee: .reader)
        if isNegated(range.lowerBound..<min(range.upperBound, range.lowerBound + 4)) { return nil }
        let next = range.lowerBound + 1
        // "Tom schickt …" tells of a person.
        if isNamed, Lexicon.isGermanThirdPerson(first.folded), !hasCommaBefore(range.lowerBound) { return nil }
        if next < range.upperBound, Lexicon.finiteVerbs.contains(tokens[next]) || isPastForm(next) { return nil }
        if isAboutThing(range) { return nil }
        let hasObject =
            next < range.upperBound
            && (Lexicon.objectStarts.contains(tokens[next]) || tokens[next].kind == .number
                || names.name(at: next, in: tokens, before: range.upperBound) != nil)
        let isNoun = Lexicon.nounImperatives.contains(first)
        let isDue =
            deadline(in: range) != nil && !Lexicon.finiteVerbs.isFound(in: range, of: tokens)
            && !(next < range.upperBound && Lexicon.prepositions.contains(tokens[next]))
        let isClear = isAddressed || hasObject || !isNoun || isDue
        let verbs = Lexicon.englishVerbs.length(at: range.lowerBound, in: tokens, before: range.upperBound)
        if verbs > 0, words >= 2, isClear || verbs > 1 {
            return trigger
        }
        if Lexicon.isGermanOrder(first.folded), words >= 2, isAddressed || hasObject || !isNoun,
            next >= range.upperBound || !Lexicon.subjects.contains(tokens[next])
        {
            return trigger
        }
        if isAddressed || hasObject, words >= 2, Lexicon.weakImperatives.contains(first) { return trigger }
        if let tail = infinitiveOrder(in: range, isAddressed: isAddressed) { return tail }
        if isNamed, words >= 2, !Lexicon.noOrderStarts.contains(first), !first.isCapital,
            // "leaves" and "kommt" tell of a person.
            hasCommaBefore(range.lowerBound) || (!first.folded.hasSuffix("s") && !first.folded.hasSuffix("t")),
            !Lexicon.finiteVerbs.isFound(in: range, of: tokens), deadline(in: range) != nil,
            !Lexicon.conditions.contains(first), !Lexicon.circumstances.contains(first)
        {
            return trigger
        }
        return nil
    }

    /// "order arrived": an English past form.
    func isPastForm(_ index: Int) -> Bool {
        let word = tokens[index].folded
        return word.utf8.count > 4 && word.hasSuffix("ed") && !word.hasSuffix("eed")
    }

    private func hasCommaBefore(_ index: Int) -> Bool {
        index > 0 && [",", ":", "-"].contains(tokens[index - 1].folded)
    }

    // MARK: Duties of things and needs

    /// "I need the list by noon", "die Pässe brauche ich bis Montag", "the form has to be sent".
    private func needed(in range: Range<Int>, isQuestion: Bool) -> Trigger? {
        guard !isQuestion, !isNegated(range) else { return nil }
        let due = deadline(in: range)
        var giver = giver(in: range)
        if giver == nil, followsName || Lexicon.readersOwn.isFound(in: range, of: tokens) { giver = .reader }
        guard !Lexicon.needs.isFound(in: range, of: tokens) || !Lexicon.comforts.isFound(in: range, of: tokens) else {
            return nil
        }
        if due?.isBound == true || due?.deadline.minute != nil || giver != nil,
            Lexicon.needs.isFound(in: range, of: tokens)
                || (giver == nil && Lexicon.receivers.isFound(in: range, of: tokens))
        {
            return need(in: range, giver)
        }
        let first = tokens[range.lowerBound].folded
        // "das" is an article before a capital.
        let next = range.lowerBound + 1
        let isArticle = first == "das" && next < range.upperBound && tokens[next].isCapital
        guard isArticle || !Lexicon.pronouns.contains(first), !Lexicon.hedges.isFound(in: range, of: tokens) else {
            return nil
        }
        if let duty = Lexicon.passiveDuties.firstIndex(in: range, of: tokens), duty > range.lowerBound,
            isPassive(duty, range)
        {
            return Trigger(kind: .request, start: range.lowerBound, assignee: .reader, isOpen: addressee == nil)
        }
        if let last = range.last(where: { deadlineOfToken[$0] < 0 && tokens[$0].kind == .word }),
            Lexicon.passiveEnds.contains(tokens[last])
                && range.contains(where: { Lexicon.germanDuties.contains(tokens[$0]) })
                || isGermanNeed(range, last)
        {
            return Trigger(kind: .request, start: range.lowerBound, assignee: .reader, isOpen: addressee == nil)
        }
        return nil
    }

    // MARK: Named members

    private func assignment(to name: String, at index: Int, _ segment: Range<Int>, _ isQuestion: Bool) -> Trigger? {
        var length = Lexicon.assignmentOpeners.length(at: index, in: tokens, before: segment.upperBound)
        if length == 0, tells(at: index, segment) { length = 1 }
        guard length > 0, let verb = verb(after: index + length, segment.upperBound, isFirm: true), !isNegated(segment),
            !Lexicon.hedges.isFound(in: segment, of: tokens)
        else { return nil }
        if isQuestion, tokens[index].folded != "can" { return nil }
        let first = tokens[index].folded
        let keepsVerb = Lexicon.isGermanThirdPerson(first)
        let next = index + length
        if keepsVerb, Lexicon.habits.isFound(in: segment, of: tokens) || Lexicon.objectPronouns.contains(tokens[next]) {
            return nil
        }
        return Trigger(
            kind: .assignment,
            start: keepsVerb ? index : verb,
            assignee: .member(name),
            verb: keepsVerb ? index : nil
        )
    }

    /// "can Tom fetch the keys?", "den Einkauf übernimmt Tom".
    private func inverted(in range: Range<Int>, isQuestion: Bool) -> Trigger? {
        for index in range where isVerbBeforeName(index) && !tokens[index].isQuoted {
            var next = index + 1
            while index > range.lowerBound, next < range.upperBound,
                deadlineOfToken[next] >= 0 || tokens[next].folded == "sich" || Lexicon.adverbs.contains(tokens[next])
            {
                next += 1
            }
            guard let name = names.name(at: next, in: tokens, before: range.upperBound) else { continue }
            let isFirst = index == range.lowerBound
            let isAuxiliary = Lexicon.auxiliaries.contains(tokens[index])
            let opensWithArticle = ["den", "dem", "das"].contains(tokens[range.lowerBound].folded)
            guard opensWithArticle || !Lexicon.preceding.isFound(in: range.lowerBound..<index, of: tokens),
                !isNegated(range), !Lexicon.hedges.isFound(in: range, of: tokens)
            else { return nil }
            if isFirst {
                // "can Tom …?" asks for something, "does Tom …?" only asks.
                guard isAuxiliary, let verb = verb(after: name.end, range.upperBound) else { return nil }
                return Trigger(kind: .assignment, start: verb, assignee: .member(name.name))
            }
            guard !isQuestion, !isAuxiliary else { return nil }
            return Trigger(
                kind: .assignment,
                start: range.lowerBound,
                assignee: .member(name.name),
                verb: index
            )
        }
        return nil
    }
}
