/// Finds the words that make a clause an action.
extension ActionReader {
    /// What a clause is.
    ///
    /// - Parameter isQuestion: Whether a question mark ends the clause.
    mutating func trigger(in segment: Range<Int>, isQuestion: Bool) -> ClauseHead {
        var start = skipFillers(segment.lowerBound, segment.upperBound)
        var isNamed = false
        if let name = names.name(at: start, in: tokens, before: segment.upperBound) {
            let rest = skipFillers(name.end, segment.upperBound)
            if rest == segment.upperBound { return .name(name.name) }
            if let assigned = assignment(to: name.name, at: name.end, segment, isQuestion) { return .trigger(assigned) }
            addressee = name.name
            isNamed = true
            start = rest
        }
        guard start < segment.upperBound else { return .rest }
        if Lexicon.noNeeds.isFound(in: segment, of: tokens) { return .statement }
        if let assigned = inverted(in: start..<segment.upperBound, isQuestion: isQuestion) { return .trigger(assigned) }
        let rest = start..<segment.upperBound
        if let opened = opened(in: rest, isQuestion: isQuestion) { return opened.map(ClauseHead.trigger) ?? .statement }
        let first = tokens[start].folded
        if Lexicon.questionWords.contains(first) { return .statement }
        if let asked = asked(in: rest, isNamed: isNamed) { return .trigger(asked) }
        if let german = germanPromise(in: rest, isQuestion: isQuestion) { return .trigger(german) }
        if isQuestion, let german = germanQuestion(in: rest) { return .trigger(german) }
        if let needed = needed(in: rest, isQuestion: isQuestion) { return .trigger(needed) }
        if !isQuestion, let order = order(in: rest, isNamed: isNamed) { return .trigger(order) }
        return Lexicon.statementStarts.contains(first) ? .statement : .rest
    }

    func skipFillers(_ start: Int, _ end: Int) -> Int {
        var index = start
        while index < end {
            if deadlineOfToken[index] >= 0 {
                index += 1
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

    private func isNegated(_ range: Range<Int>) -> Bool {
        Lexicon.negations.isFound(in: range, of: tokens)
    }

    /// The first token of the verb after an opener, or nil if the verb names no task.
    private func verb(after index: Int, _ end: Int) -> Int? {
        var next = index
        while next < end,
            deadlineOfToken[next] >= 0 || Lexicon.adverbs.contains(tokens[next])
                || tokens[next].folded == "," || tokens[next].folded == ":"
        {
            next += 1
        }
        if Lexicon.taskPhrases.length(at: next, in: tokens, before: end) > 0 { return next }
        guard next < end, Lexicon.stativeVerbs.length(at: next, in: tokens, before: end) == 0 else { return nil }
        return next
    }

    // MARK: Openers

    private typealias Opener = (phrases: Phrases, kind: Trigger.Kind, assignee: Trigger.Assignee)

    private static let openers: [Opener] = [
        (Lexicon.openRequests, .request, .nobody), (Lexicon.requestOpeners, .request, .reader),
        (Lexicon.orderOpeners, .request, .reader), (Lexicon.promiseOpeners, .promise, .sender),
        (Lexicon.dutyOpeners, .duty, .nobody), (Lexicon.weakDutyOpeners, .duty, .nobody),
    ]

    /// The trigger of the first opener in a range. The inner nil means that the opener is void.
    private func opened(in range: Range<Int>, isQuestion: Bool) -> Trigger?? {
        for index in range where !tokens[index].isQuoted {
            for (number, opener) in Self.openers.enumerated() {
                let length = opener.phrases.length(at: index, in: tokens, before: range.upperBound)
                guard length > 0 else { continue }
                return .some(
                    trigger(opener, at: index, length, range, isQuestion, isWeak: number == Self.openers.count - 1)
                )
            }
        }
        if let first = range.first, tokens[first].folded == "will", !isQuestion,
            let verb = verb(after: first + 1, range.upperBound), range.upperBound - verb > 1
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
        let after = index + length
        guard let verb = verb(after: after, end) else { return nil }
        if Lexicon.rhetoricalWords.isFound(in: after..<end, of: tokens) { return nil }
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
        guard words >= (isNamed ? 1 : 2), !isNegated(please..<min(range.upperBound, please + 3)) else { return nil }
        if please + 1 < range.upperBound, Lexicon.noRequests.contains(tokens[please + 1]) { return nil }
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
        if next < range.upperBound, Lexicon.finiteVerbs.contains(tokens[next]) { return nil }
        let hasObject =
            next < range.upperBound
            && (Lexicon.objectStarts.contains(tokens[next])
                || names.name(at: next, in: tokens, before: range.upperBound) != nil)
        let isClear = isAddressed || hasObject || !Lexicon.nounImperatives.contains(first)
        if Lexicon.imperatives.length(at: range.lowerBound, in: tokens, before: range.upperBound) > 0, words >= 2,
            isClear
        {
            return trigger
        }
        if Lexicon.germanImperatives.contains(first), words >= 2,
            next >= range.upperBound || !Lexicon.subjects.contains(tokens[next])
        {
            return trigger
        }
        if isAddressed, words >= 2, Lexicon.weakImperatives.contains(first) { return trigger }
        if isNamed, words >= 2, !Lexicon.noOrderStarts.contains(first), !first.isCapital,
            // "leaves" and "kommt" tell of a person.
            !first.folded.hasSuffix("s"), !first.folded.hasSuffix("t"), deadline(in: range) != nil
        {
            return trigger
        }
        return nil
    }

    // MARK: Duties of things and needs

    /// "I need the list by noon", "die Pässe brauche ich bis Montag", "the form has to be sent".
    private func needed(in range: Range<Int>, isQuestion: Bool) -> Trigger? {
        guard !isQuestion, !isNegated(range) else { return nil }
        let due = deadline(in: range)
        if due?.isBound == true || due?.deadline.minute != nil,
            Lexicon.needs.isFound(in: range, of: tokens) || Lexicon.receivers.isFound(in: range, of: tokens)
        {
            return Trigger(kind: .request, start: range.lowerBound, assignee: .reader)
        }
        let first = tokens[range.lowerBound].folded
        // "das" is an article before a capital.
        let next = range.lowerBound + 1
        let isArticle = first == "das" && next < range.upperBound && tokens[next].isCapital
        guard isArticle || !Lexicon.pronouns.contains(first), !Lexicon.hedges.isFound(in: range, of: tokens) else {
            return nil
        }
        if let duty = Lexicon.passiveDuties.firstIndex(in: range, of: tokens), duty > range.lowerBound {
            return Trigger(kind: .request, start: range.lowerBound, assignee: .reader, isOpen: addressee == nil)
        }
        if let last = range.last(where: { deadlineOfToken[$0] < 0 && tokens[$0].kind == .word }),
            Lexicon.passiveEnds.contains(tokens[last]),
            range.contains(where: { Lexicon.germanDuties.contains(tokens[$0]) })
        {
            return Trigger(kind: .request, start: range.lowerBound, assignee: .reader, isOpen: addressee == nil)
        }
        return nil
    }

    // MARK: Named members

    private func assignment(to name: String, at index: Int, _ segment: Range<Int>, _ isQuestion: Bool) -> Trigger? {
        let length = Lexicon.assignmentOpeners.length(at: index, in: tokens, before: segment.upperBound)
        guard length > 0, let verb = verb(after: index + length, segment.upperBound), !isNegated(segment),
            !Lexicon.hedges.isFound(in: segment, of: tokens)
        else { return nil }
        if isQuestion, tokens[index].folded != "can" { return nil }
        let first = tokens[index].folded
        let keepsVerb = first.hasSuffix("t") && !["soll", "muss"].contains(first) && first != "wird"
        return Trigger(
            kind: .assignment,
            start: keepsVerb ? index : verb,
            assignee: .member(name),
            verb: keepsVerb ? index : nil
        )
    }

    /// "can Tom fetch the keys?", "den Einkauf übernimmt Tom".
    private func inverted(in range: Range<Int>, isQuestion: Bool) -> Trigger? {
        for index in range where Lexicon.verbsBeforeNames.contains(tokens[index]) && !tokens[index].isQuoted {
            guard let name = names.name(at: index + 1, in: tokens, before: range.upperBound) else { continue }
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
