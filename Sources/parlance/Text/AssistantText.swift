import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

/// How the assistant is, and what gave an answer, as lines for a terminal.
enum AssistantText {
    static func lines(_ info: AssistantInfo) -> [String] {
        guard info.on, let model = info.model else {
            let off = say("The assistant is off. To have it read along on this computer: parlance assistant on")
            return [off] + offered(info)
        }
        var lines = [say("The assistant is on. It answers with \(name(model)).")]
        if let chat = info.chat { lines.append(say("Questions are answered by \(chatName(chat)).")) }
        if let address = model.address {
            let place = VisibleText.line(NameText.plain(address))
            lines.append(say("The text of every message goes to \(place), for its embedding."))
        }
        let bytes = FileText.size(info.bytes ?? 0)
        lines.append(say("Messages that it has read: \(info.messages ?? 0) (\(bytes) on the disk)"))
        if let trouble = info.trouble {
            lines.append(say("Not all messages could be read: \(VisibleText.line(say(trouble)))"))
        }
        if let problem = info.problem {
            let reason = VisibleText.line(say(problem))
            lines.append(say("Messages are found by their words alone at the moment: \(reason)"))
        }
        lines += progress(info.reading)
        let used = [model.address, info.chat?.address]
        for offer in info.offers ?? [] where !used.contains(offer.address) {
            let name = VisibleText.line(NameText.plain(offer.person?.displayName ?? ""))
            let address = VisibleText.line(offer.address)
            lines.append(
                say("The computer of \(name) offers a model server. To use it: parlance assistant server \(address)")
            )
        }
        return lines + offered(info)
    }

    /// That more may be found: the assistant has not read everything yet.
    static func progress(_ isReading: Bool?) -> [String] {
        isReading == true ? [say("The assistant is still reading what was written before.")] : []
    }

    /// What this node offers to others.
    private static func offered(_ info: AssistantInfo) -> [String] {
        guard let offer = info.offered else { return [] }
        let address = VisibleText.line(offer.address)
        guard let problem = offer.problem else {
            return [say("You offer the model server at \(address) to people you know.")]
        }
        let advice = offer.advice.map { [say($0)] } ?? []
        return [say("You offer the model server at \(address), but nobody can use it:"), say(problem)] + advice
    }

    /// A chat model, and where it is.
    static func chatName(_ model: ModelInfo) -> String {
        say(
            "\(VisibleText.line(NameText.plain(model.name))), at \(VisibleText.line(NameText.plain(model.address ?? "")))"
        )
    }

    /// What found messages, and where.
    static func name(_ model: ModelInfo) -> String {
        let name =
            model == .rules
            ? say("words and rules, without a model")
            : say("words and the model \(VisibleText.line(NameText.plain(model.name)))")
        guard let address = model.address else { return say("\(name), on this computer") }
        return say("\(name), at \(VisibleText.line(NameText.plain(address)))")
    }

    /// The line below an answer.
    ///
    /// - Parameter isChat: whether a chat model gave it.
    static func footer(_ model: ModelInfo, isChat: Bool = false, _ style: TextStyle) -> String {
        style(.faint, say("From \(isChat ? chatName(model) : name(model))."))
    }
}

/// Messages that the assistant gives, as lines for a terminal.
struct SourceText {
    private let clock: LocalClock
    private let style: TextStyle

    init(clock: LocalClock, style: TextStyle) {
        (self.clock, self.style) = (clock, style)
    }

    /// - Parameter isShown: whether the answer of the chat model stands there already.
    func answer(_ reply: AskReply, isShown: Bool = false) -> [String] {
        guard !reply.sources.isEmpty else { return answered(nil, reply.problem) + [say("No message answers that.")] }
        return answered(isShown ? nil : reply.answer, reply.problem)
            + sources(reply.sources, reply.model, isChat: reply.answer != nil)
    }

    /// The numbered messages, and what gave them.
    private func sources(_ sources: [AssistantSource], _ model: ModelInfo, isChat: Bool = false) -> [String] {
        sources.enumerated().flatMap { scored($1, mark: "[\($0 + 1)] ") }
            + [AssistantText.footer(model, isChat: isChat, style)]
    }

    func talk(_ reply: TalkReply) -> [String] {
        guard !reply.turns.isEmpty else { return [say("You have asked nothing yet, or it was forgotten.")] }
        return Array(reply.turns.map(turn).joined(separator: [""]))
    }

    private func turn(_ turn: TalkTurn) -> [String] {
        let question = style(.strong, VisibleText.line(turn.question))
        var lines = ["\(style(.faint, clock.short(turn.time)))  \(question)"]
        lines += answered(turn.answer, turn.problem)
        guard !turn.sources.isEmpty else { return lines + [say("No message answers that.")] }
        return lines + sources(turn.sources, turn.model, isChat: turn.answer != nil)
    }

    /// Messages that were searched for by their meaning.
    func found(_ reply: AskReply) -> [String] {
        let isByWords = reply.model == .rules
        let hint = say("Without the embedding model only words are compared: parlance assistant model --help")
        // A server that makes embeddings may be away.
        let note = isByWords ? [style(.warning, reply.problem.map { VisibleText.line(say($0)) } ?? hint)] : []
        guard !reply.sources.isEmpty else { return note + [say("No message found.")] }
        return note + sources(reply.sources, reply.model)
    }

    /// What is near in meaning, below the messages that were found by their words.
    func byMeaning(_ near: AskReply) -> [String] {
        let heading = ["", style(.strong, say("Near in meaning:"))]
        return heading + near.sources.flatMap { scored($0, mark: "") } + [AssistantText.footer(near.model, style)]
    }

    private func scored(_ source: AssistantSource, mark: String) -> [String] {
        let score = source.score.map { say("\(Int(($0 * 100).rounded())) % match") } ?? ""
        return ["\(mark)\(head(source))  \(style(.faint, score))", "    \(text(source))"]
    }

    func summary(_ reply: SummaryReply) -> [String] {
        guard reply.messages > 0 else { return [say("There is nothing to read.")] }
        var lines = answered(reply.answer, reply.problem)
        if reply.answer == nil {
            lines.append(style(.strong, say("The key messages, of \(reply.messages):")))
        }
        for (number, point) in reply.points.enumerated() {
            let mark = reply.answer == nil ? " " : "[\(number + 1)]"
            lines.append("\(mark) \(head(point, isTitled: false))  \(text(point))")
        }
        if !reply.decisions.isEmpty {
            lines += ["", style(.strong, say("Decided:"))]
            for decision in reply.decisions { lines.append("  " + self.decision(decision, isTitled: false)) }
        }
        if !reply.actions.isEmpty {
            lines += ["", style(.strong, say("To be done:"))]
            lines += ActionText(clock: clock, style: style).lines(reply.actions, nil)
        }
        return lines + ["", AssistantText.footer(reply.model, isChat: reply.answer != nil, style)]
    }

    /// The answer of a chat model, or why there is none.
    private func answered(_ answer: String?, _ problem: Phrase?) -> [String] {
        var lines = answer.map { VisibleText.lines($0) + [""] } ?? []
        if let problem { lines += [style(.warning, VisibleText.line(say(problem))), ""] }
        return lines
    }

    func decisions(_ decisions: [DecisionInfo], _ model: ModelInfo) -> [String] {
        guard !decisions.isEmpty else { return [say("No decision found.")] }
        return decisions.map { decision($0, isTitled: true) } + [AssistantText.footer(model, style)]
    }

    /// - Parameter withLow: whether messages of low priority are shown and not only counted.
    func priorities(_ reply: PriorityReply, withLow: Bool) -> [String] {
        guard !reply.messages.isEmpty else { return [say("Nothing is unread.")] }
        let shown = reply.messages.filter { withLow || $0.priority != .low }
        var lines = shown.map { message in
            "\(ActionText.word(message.priority, style))  \(head(message.source))  \(text(message.source))"
        }
        if shown.isEmpty { lines.append(say("Nothing important is unread.")) }
        let left = reply.messages.count - shown.count
        if left > 0 {
            lines.append(
                left == 1
                    ? say("and 1 of low priority: parlance priority --all")
                    : say("and \(left) of low priority: parlance priority --all")
            )
        }
        return lines + [AssistantText.footer(reply.model, style)]
    }

    private func decision(_ decision: DecisionInfo, isTitled: Bool) -> String {
        "\(head(decision.source, isTitled: isTitled))  \(VisibleText.line(decision.text))"
    }

    /// Where, when and by whom, and the beginning of the ID.
    private func head(_ source: AssistantSource, isTitled: Bool = true) -> String {
        let id = VisibleText.line(String(source.id.prefix(MessageLines.idWidth)))
        let name =
            source.sender.me == true
            ? say("You") : VisibleText.line(NameText.marked(source.sender.displayName, source.sender.trust))
        let place = VisibleText.line(NameText.plain(source.title))
        let title = isTitled && source.kind == .group ? place + "  " : ""
        // Between two people, the other one is the place.
        let reader = isTitled && source.kind == .direct && source.sender.me == true ? " → \(place)" : ""
        return "\(style(.faint, "\(clock.short(source.time))  \(id)"))  \(title)\(style(.name, name + reader))"
    }

    private func text(_ source: AssistantSource) -> String { VisibleText.line(source.excerpt) }
}

/// Actions as lines for a terminal.
struct ActionText {
    private let clock: LocalClock
    private let style: TextStyle

    init(clock: LocalClock, style: TextStyle) {
        (self.clock, self.style) = (clock, style)
    }

    /// - Parameter model: what found them; nil: it is said elsewhere.
    func lines(_ actions: [ActionInfo], _ model: ModelInfo?) -> [String] {
        guard !actions.isEmpty else { return [say("Nothing is to be done, as far as messages say.")] }
        // Where one conversation is shown, it needs no name.
        return actions.map { line($0, isTitled: model != nil) }
            + (model.map { [AssistantText.footer($0, style)] } ?? [])
    }

    private func line(_ action: ActionInfo, isTitled: Bool) -> String {
        let box = action.done ? "[x]" : "[ ]"
        let number = action.id.split(separator: "/").last.map(String.init) ?? ""
        let id = VisibleText.line("\(action.id.prefix(MessageLines.idWidth))/\(number)")
        let task = VisibleText.line(action.task)
        var remarks: [String] = []
        if let assignee = action.assignee { remarks.append(VisibleText.line(NameText.plain(assignee))) }
        if let deadline = action.deadline {
            let time = say("by \(VisibleText.line(deadline.split(separator: "T").joined(separator: " ")))")
            remarks.append(action.overdue == true ? style(.warning, say("overdue: \(time)")) : time)
        }
        if action.priority == .high { remarks.append(say("urgent")) }
        let rest = remarks.isEmpty ? "" : "  (" + remarks.joined(separator: ", ") + ")"
        let place = isTitled ? "  " + style(.faint, VisibleText.line(NameText.plain(action.source.title))) : ""
        return "\(box) \(style(.faint, id))  \(style(action.done ? .faint : .plain, task))\(rest)\(place)"
    }

    static func word(_ urgency: Urgency, _ style: TextStyle) -> String {
        switch urgency {
        case .high: style(.warning, DisplayWidth.pad(say("urgent"), to: urgencyWidth))
        case .normal: DisplayWidth.pad(say("normal"), to: urgencyWidth)
        case .low: style(.faint, DisplayWidth.pad(say("low"), to: urgencyWidth))
        }
    }

    /// Columns of the words for how urgent something is, in each language.
    private static let urgencyWidth = 9
}
