/// Reads the actions of one message.
struct ActionReader {
    let message: ReadMessage
    let tokens: [Token]
    let names: MemberNames
    let deadlines: [LocatedDeadline]
    /// For each token, the index in `deadlines` of the deadline that it belongs to, or -1.
    let deadlineOfToken: [Int]
    /// The member whom the message addresses at this point, if any.
    var addressee: String?
    var found: [FoundAction] = []
    /// The "if" of a polite request in the sentence that is read, as in "would be great if you …".
    var wish: Int?
    /// Whether the clause before was the name of a member and nothing else.
    var followsName = false
    /// The deadline that the sentence which is read names.
    var dueInSentence: LocatedDeadline?
    /// Whether a question mark ends the sentence that is read.
    var isInQuestion = false

    /// A message with more actions is read no further: nobody writes as many in earnest.
    static let most = 50

    init(_ message: ReadMessage, members: [String]) {
        self.message = message
        tokens = Tokenizer.tokens(of: message.text)
        names = MemberNames(members, mentioned: message.mentions)
        let reader = DeadlineReader(tokens: tokens, time: message.time, offset: message.offset)
        deadlines = reader?.deadlines(in: tokens.indices) ?? []
        var owners = [Int](repeating: -1, count: tokens.count)
        for (index, deadline) in deadlines.enumerated() {
            for token in deadline.range where token < owners.count { owners[token] = index }
        }
        deadlineOfToken = owners
    }

    /// The actions in the order of the message.
    mutating func actions() -> [FoundAction] {
        var list = ListReader()
        for sentence in Sentence.sentences(of: tokens) where found.count < Self.most {
            if list.read(sentence, into: &self) { continue }
            read(sentence)
        }
        return found
    }

    /// The deadline that a range of tokens names, or nil.
    func deadline(in range: Range<Int>) -> LocatedDeadline? {
        var first: LocatedDeadline?
        var last = -1
        for token in range where deadlineOfToken[token] > last {
            last = deadlineOfToken[token]
            if deadlines[last].isBound { return deadlines[last] }
            first = first ?? deadlines[last]
        }
        return first
    }

    // MARK: Sentences

    private mutating func read(_ sentence: Sentence) {
        let range = sentence.range
        if readArrow(range) { return }
        let segments = Segments.segments(of: range, tokens, deadlineOfToken)
        wish = wish(in: range)
        isInQuestion = sentence.isQuestion
        followsName = false
        dueInSentence = deadline(in: range)
        let isBlocked = wish == nil && (isConditional(range) || isHypothetical(range))
        let report = firstReport(in: range)
        let before = found.count
        var open: (trigger: Trigger, range: Range<Int>)?
        var wasAssigned = false
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            var head = trigger(in: segment, isQuestion: sentence.isQuestion && isLast)
            if wasAssigned, let shared = sharedAssignment(in: segment, head) { head = .trigger(shared) }
            followsName = false
            switch head {
            case .name(let name):
                addressee = name
                followsName = true
                if open?.trigger.assignee == .reader { open?.trigger.assignee = .member(name) }
            case .trigger(let trigger):
                if let previous = open, joins(trigger, segment, to: previous.trigger) {
                    open?.range = previous.range.lowerBound..<segment.upperBound
                    continue
                }
                // "they will come and fix it": the order belongs to the statement before it.
                var isStray =
                    open == nil && isLinked(segment) && trigger.kind == .order && segment != segments.first
                    && !(index > 0 && Lexicon.softeners.isFound(in: segments[index - 1], of: tokens))
                finish(open, in: range)
                open = nil
                wasAssigned = isAssigned(trigger, segment)
                var trigger = trigger
                if isStray, let own = linkedPromise(segment, after: segments[index - 1]) {
                    trigger = own
                    isStray = false
                }
                if !isStray, !isBlocked, report.map({ trigger.start < $0 }) ?? true {
                    if trigger.assignee == .reader, isNameStart(segment.lowerBound, segment), let addressee {
                        trigger.assignee = .member(addressee)
                    }
                    open = (trigger, trigger.start..<segment.upperBound)
                }
            case .statement:
                finish(open, in: range)
                open = nil
            case .rest:
                if let previous = open { open?.range = previous.range.lowerBound..<segment.upperBound }
            }
        }
        finish(open, in: range)
        if found.count == before { addDueDay(of: sentence) }
    }

    /// "inspect it and log it" is one task.
    private func joins(_ trigger: Trigger, _ segment: Range<Int>, to previous: Trigger) -> Bool {
        isLinked(segment) && trigger.kind == .order && trigger.assignee == .reader && previous.kind != .duty
    }

    private func isLinked(_ segment: Range<Int>) -> Bool {
        segment.lowerBound > 0 && Segments.conjunctions.contains(tokens[segment.lowerBound - 1])
    }

    /// Gives the last action the day of a sentence such as "needs doing this week".
    private mutating func addDueDay(of sentence: Sentence) {
        guard !found.isEmpty, !sentence.isQuestion, let due = deadline(in: sentence.range),
            Lexicon.dueWords.isFound(in: sentence.range, of: tokens)
        else { return }
        found[found.count - 1].deadline = due.deadline
    }

    private func isConditional(_ range: Range<Int>) -> Bool {
        for index in range where !tokens[index].isQuoted {
            guard Lexicon.conditions.length(at: index, in: tokens, before: range.upperBound) > 0 else { continue }
            let isWhether =
                index > range.lowerBound
                && (Lexicon.whetherVerbs.contains(tokens[index - 1])
                    || (index - 2 >= range.lowerBound && Lexicon.whetherVerbs.contains(tokens[index - 2])))
            let rest = index + 1..<min(range.upperBound, index + 6)
            if !isWhether, rest.isEmpty || !Lexicon.politeConditions.isFound(in: rest, of: tokens) { return true }
        }
        return false
    }

    private func isHypothetical(_ range: Range<Int>) -> Bool {
        range.contains { index in
            !tokens[index].isQuoted && Lexicon.hypotheses.length(at: index, in: tokens, before: range.upperBound) > 0
                && Lexicon.hypothesisExceptions.length(at: index, in: tokens, before: range.upperBound) == 0
        }
    }

    private func firstReport(in range: Range<Int>) -> Int? {
        guard let report = Lexicon.reports.firstIndex(in: range, of: tokens) else { return nil }
        return Lexicon.reportExceptions.isFound(in: range, of: tokens) ? nil : report
    }

    // MARK: Actions

    private mutating func finish(_ open: (trigger: Trigger, range: Range<Int>)?, in sentence: Range<Int>) {
        guard let open, found.count < Self.most else { return }
        let range = open.trigger.end.map { open.trigger.start..<max($0, open.trigger.start) } ?? open.range
        let due = deadline(in: range) ?? dueInSentence
        if open.trigger.needsDeadline, due == nil { return }
        guard let task = TaskText.text(of: open.trigger, range: range, reader: self) else { return }
        if isEcho(task, of: open.trigger) {
            if found[found.count - 1].deadline == nil { found[found.count - 1].deadline = due?.deadline }
            return
        }
        add(task, assignee(of: open.trigger, range), due?.deadline, in: sentence)
    }

    /// Whether a task such as "do them" only repeats the task before it.
    private func isEcho(_ task: String, of trigger: Trigger) -> Bool {
        guard let last = found.last, trigger.kind == .promise, last.assignee == message.sender else { return false }
        let words = task.split(separator: " ")
        return words.count <= 2 && (words.last.map { Lexicon.echoes.contains(Tokenizer.folded(String($0))) } ?? false)
    }

    /// Adds an action with the priority of its sentence.
    mutating func add(
        _ task: String,
        _ assignee: String?,
        _ deadline: Deadline?,
        in sentence: Range<Int>,
        isDone: Bool = false
    ) {
        guard found.count < Self.most, !found.contains(where: { $0.task == task && $0.assignee == assignee }) else {
            return
        }
        var priority = Priority.normal
        if Lexicon.calm.isFound(in: sentence, of: tokens) {
            priority = .low
        } else if Lexicon.urgent.isFound(in: sentence, of: tokens) {
            priority = .high
        }
        found.append(
            FoundAction(task: task, assignee: assignee, deadline: deadline, priority: priority, isDone: isDone)
        )
    }

    /// Whether a name of one word stands at a token.
    func isName(_ index: Int, _ range: Range<Int>) -> Bool {
        names.name(at: index, in: tokens, before: range.upperBound)?.end == index + 1
    }

    private func assignee(of trigger: Trigger, _ range: Range<Int>) -> String? {
        switch trigger.assignee {
        case .sender: names.all.contains(message.sender) ? message.sender : nil
        case .member(let name): name
        case .nobody: nil
        case .reader: lastName(in: range) ?? addressee ?? (trigger.isOpen ? nil : names.other(than: message.sender))
        }
    }

    /// "can you check it @Tom": a mention that ends the clause.
    private func lastName(in range: Range<Int>) -> String? {
        // A name has a few words only.
        for index in range.reversed().prefix(5) {
            if tokens[index].folded == "@", let name = names.name(at: index, in: tokens, before: range.upperBound),
                name.end == range.upperBound
            {
                return name.name
            }
        }
        return nil
    }
}
