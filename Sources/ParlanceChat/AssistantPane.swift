import ParlanceControl
import ParlanceTerminal
import ParlanceWords

/// The assistant beside one conversation: what was asked and answered, what can be asked, and the line for a question.
struct AssistantPane: Equatable, Sendable {
    /// What can be asked without a word.
    enum Prompt: Int, CaseIterable, Sendable {
        case summary, actions, decisions, deadlines, missed

        var words: Phrase {
            switch self {
            case .summary: Phrase("Summary")
            case .actions: Phrase("Open actions")
            case .decisions: Phrase("Decisions")
            case .deadlines: Phrase("Deadlines")
            case .missed: Phrase("What did I miss?")
            }
        }
    }

    /// A question and what was found.
    struct Entry: Equatable, Sendable {
        var question: String
        var answer: String?
        var problem: Phrase?
        var items: [Item]
        /// The ID of the turn as which the daemon keeps it; nil if it does not.
        var kept: Int?
    }

    /// A message that was given, and what is said of it.
    struct Item: Equatable, Sendable {
        var text: String
        var source: AssistantSource
    }

    /// What is under way.
    struct Asked: Equatable, Sendable {
        /// Names the question at the daemon; nil for a prompt, which cannot be cancelled there.
        var label: String?
        /// Which prompt of this chat it is; nil for a question.
        var prompt: Int?
        var question: String
        /// What a chat model has written so far.
        var text = ""
        var isCancelled = false
    }

    /// What Enter does on an empty line.
    enum Choice: Equatable, Sendable {
        case prompt(Prompt)
        case item(entry: Int, number: Int)
    }

    var isOpen = false
    let who: String
    let title: String
    var editor = LineEditor()
    private(set) var entries: [Entry] = []
    private(set) var asked: Asked?
    /// Why there is nothing to ask, such as that the assistant is off, and what to do.
    var failure: [Phrase] = []
    private(set) var choice: Choice?
    /// Rows below the bottom edge.
    var scroll = 0

    init() {
        (who, title) = ("", "")
    }

    init(who: String, title: String) {
        (isOpen, self.who, self.title) = (true, who, title)
    }

    private var question: String { String(editor.text.drop { $0 == " " }) }

    /// The question that is written; nil if there is none, or one is under way.
    mutating func ask(label: String) -> AskOperation? {
        guard asked == nil, !question.allSatisfy(\.isWhitespace) else { return nil }
        let operation = AskOperation(question: question, who: who, turn: label)
        asked = Asked(label: label, question: question)
        editor = LineEditor()
        (choice, scroll) = (nil, 0)
        return operation
    }

    /// Begins a prompt; false if something is under way.
    ///
    /// - Parameter number: no other prompt of this chat has it.
    mutating func begin(_ prompt: Prompt, _ number: Int) -> Bool {
        guard asked == nil else { return false }
        asked = Asked(prompt: number, question: say(prompt.words))
        (choice, scroll) = (nil, 0)
        return true
    }

    /// The chat model has written more.
    mutating func wrote(_ event: AnswerEvent) {
        if let label = asked?.label, label == event.turn { asked?.text += event.text }
    }

    /// Gives up what is under way.
    ///
    /// - Returns: the operation that ends it; nil if the daemon is not asked to end it.
    mutating func cancel() -> AskCancelOperation? {
        guard let label = asked?.label, asked?.isCancelled == false else {
            asked = nil
            return nil
        }
        asked?.isCancelled = true
        return AskCancelOperation(turn: label)
    }

    mutating func answered(_ reply: AskReply, _ label: String) {
        guard let asked, asked.label == label else { return }
        let items = reply.sources.map { Item(text: $0.excerpt, source: $0) }
        var entry = Entry(question: asked.question, answer: reply.answer, problem: reply.problem, items: items)
        entry.kept = reply.kept
        add(entry)
    }

    /// What a prompt found; one that was given up, or of another pane, changes nothing.
    mutating func found(_ entry: Entry, _ number: Int) {
        if asked?.prompt == number { add(entry) }
    }

    private mutating func add(_ entry: Entry) {
        entries.append(entry)
        (asked, choice, scroll) = (nil, nil, 0)
    }

    /// It was refused, or the connection is lost: a question comes back to the line.
    mutating func failed(_ label: String) {
        guard let asked, asked.label == label else { return }
        if editor.isEmpty { editor = LineEditor(asked.question) }
        self.asked = nil
    }

    mutating func failed(_ number: Int) {
        if asked?.prompt == number { asked = nil }
    }

    /// The newest turn that is known; 0 without one.
    var newest: Int { entries.compactMap(\.kept).max() ?? 0 }

    /// The turns that the daemon keeps.
    ///
    /// - Parameter newest: the one that was known when they were asked for. One that came since then stays.
    mutating func kept(_ turns: [TalkTurn], since newest: Int) {
        failure = []
        let last = max(newest, turns.last?.id ?? 0)
        let others = entries.filter { $0.kept.map { $0 > last } ?? true }
        let kept = turns.map { turn in
            let items = turn.sources.map { Item(text: $0.excerpt, source: $0) }
            return Entry(
                question: turn.question,
                answer: turn.answer,
                problem: turn.problem,
                items: items,
                kept: turn.id
            )
        }
        (entries, choice) = (kept + others, nil)
    }

    /// A message is gone or has another text.
    ///
    /// - Returns: whether something rested on it, so that the kept turns are to be read again.
    mutating func forget(_ message: String) -> Bool {
        let count = entries.count
        entries.removeAll { entry in entry.items.contains { $0.source.id == message } }
        guard entries.count < count else { return false }
        choice = nil
        return true
    }

    /// Texts may be deleted until the connection is back.
    mutating func disconnected() {
        if let label = asked?.label { failed(label) }
        (entries, asked, choice) = ([], nil, nil)
    }

    // MARK: - What is chosen

    /// Goes to the next prompt, or the one before.
    mutating func choosePrompt(_ step: Int) {
        let count = Prompt.allCases.count
        let place = if case .prompt(let prompt) = choice { prompt.rawValue + step } else { step > 0 ? 0 : count - 1 }
        choice = Prompt(rawValue: (place + count) % count).map { .prompt($0) }
    }

    /// Goes to the next message that was given, or the one before; behind the last one, nothing is chosen.
    mutating func chooseItem(_ step: Int) {
        let all = entries.indices.flatMap { entry in
            entries[entry].items.indices.map { Choice.item(entry: entry, number: $0) }
        }
        let place = choice.flatMap { all.firstIndex(of: $0) } ?? all.count
        let next = max(0, place + step)
        choice = all.indices.contains(next) ? all[next] : nil
    }

    mutating func chooseNothing() { choice = nil }

    /// The message that is chosen.
    var source: AssistantSource? {
        guard case .item(let entry, let number) = choice, entries.indices.contains(entry),
            entries[entry].items.indices.contains(number)
        else { return nil }
        return entries[entry].items[number].source
    }

    /// The message with that number of the newest answer.
    func source(_ number: Int) -> AssistantSource? {
        guard let items = entries.last?.items, items.indices.contains(number - 1) else { return nil }
        return items[number - 1].source
    }
}

extension AssistantPane.Entry {
    init(_ reply: SummaryReply, _ question: String) {
        let points = reply.points.map { AssistantPane.Item(text: $0.excerpt, source: $0) }
        let decisions = reply.decisions.map { AssistantPane.Item(text: say("Decided: \($0.text)"), source: $0.source) }
        let actions = reply.actions.map { AssistantPane.Item($0) }
        self.init(question: question, answer: reply.answer, problem: reply.problem, items: points + decisions + actions)
    }

    init(_ reply: ActionsReply, _ question: String) {
        self.init(question: question, items: reply.actions.filter { !$0.done }.map { AssistantPane.Item($0) })
    }

    init(_ reply: DecisionsReply, _ question: String) {
        let items = reply.decisions.map { AssistantPane.Item(text: $0.text, source: $0.source) }
        self.init(question: question, items: items)
    }
}

extension AssistantPane.Item {
    fileprivate init(_ action: ActionInfo) {
        let time = action.deadline.map { say("by \($0.split(separator: "T").joined(separator: " "))") }
        let deadline = action.overdue == true ? time.map { say("overdue: \($0)") } : time
        let remarks = [action.assignee.map(NameText.plain), deadline].compactMap { $0 }
        let rest = remarks.isEmpty ? "" : " (" + remarks.joined(separator: ", ") + ")"
        self.init(text: "[ ] " + action.task + rest, source: action.source)
    }
}
