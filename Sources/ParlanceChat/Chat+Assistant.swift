import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

// The assistant beside the open conversation.
extension Chat {
    /// Shows the assistant; asks at once if there is a question.
    mutating func openAssistant(_ question: String) -> [ChatEffect]? {
        guard let open else {
            tell(Phrase("No conversation is open. To open one: /open WHO"), .warning)
            return nil
        }
        composer.draft.finish()
        let info = open.info
        assistant = AssistantPane(
            who: info.map { $0.peer ?? $0.id } ?? open.who,
            title: info.map { NameText.marked($0.title, $0.trust) } ?? open.who
        )
        assistant.editor = LineEditor(question)
        return readTalk() + (question.isEmpty ? [] : askAssistant())
    }

    /// Reads the kept turns.
    mutating func readTalk() -> [ChatEffect] {
        guard assistant.isOpen, isConnected else { return [] }
        return [.call(TalkOperation(who: assistant.who), .talk(who: assistant.who, newest: assistant.newest))]
    }

    /// - Returns: nil for a key that has no meaning here.
    mutating func pressedInAssistant(_ key: Key) -> [ChatEffect]? {
        switch key {
        case .control("q"): return [.leave]
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        case .named(.escape, _): return leaveAssistant()
        case .control("c"):
            guard !assistant.editor.isEmpty else { return leaveAssistant() }
            assistant.editor = LineEditor()
        case .named(.enter, _): return enterAssistant()
        case .named(.up, _), .control("p"): assistant.chooseItem(-1)
        case .named(.down, _), .control("n"): assistant.chooseItem(1)
        case .named(.left, _) where assistant.editor.isEmpty: assistant.choosePrompt(-1)
        case .named(.right, _) where assistant.editor.isEmpty, .named(.tab, _): assistant.choosePrompt(1)
        case .named(.pageUp, _): scrollAssistant(byPages: 1)
        case .named(.pageDown, _): scrollAssistant(byPages: -1)
        case .alt(let digit) where ("1"..."9").contains(digit):
            if let source = assistant.source(Int(digit.value - 0x30)) { return go(to: source) }
        case .text(let digit) where assistant.editor.isEmpty && ("1"..."5").contains(digit):
            return AssistantPane.Prompt(rawValue: Int(digit.value - 0x31)).map { begin($0) } ?? []
        case .text(let scalar):
            assistant.chooseNothing()
            assistant.editor.insert(scalar)
        case .paste(let text, _):
            assistant.chooseNothing()
            assistant.editor.insert(text.replacing("\n", with: " "))
        default: return assistant.editor.press(key) ? [] : nil
        }
        return []
    }

    var assistantLayout: AssistantLayout {
        AssistantLayout(assistant: assistant, height: height, width: width, clock: clock)
    }

    private mutating func scrollAssistant(byPages pages: Int) {
        assistant.chooseNothing()
        assistant.scroll = assistantLayout.scroll(byPages: pages)
    }

    /// Ends what is under way, or else closes the pane.
    private mutating func leaveAssistant() -> [ChatEffect] {
        guard assistant.asked != nil else {
            assistant.isOpen = false
            return []
        }
        return assistant.cancel().map { [.call($0, .sign)] } ?? []
    }

    private mutating func enterAssistant() -> [ChatEffect] {
        if !assistant.editor.isEmpty { return askAssistant() }
        if let source = assistant.source { return go(to: source) }
        if case .prompt(let prompt) = assistant.choice { return begin(prompt) }
        return []
    }

    private mutating func go(to source: AssistantSource) -> [ChatEffect] {
        assistant.isOpen = false
        go(to: source.id, in: source.conversation)
        return []
    }

    private mutating func askAssistant() -> [ChatEffect] {
        guard isConnected else {
            tell(Phrase("The daemon does not answer."), .warning)
            return []
        }
        questions += 1
        // No two chat screens begin one in the same millisecond.
        let label = "chat-\(clock.now.milliseconds)-\(questions)"
        return assistant.ask(label: label).map { [.call($0, .asked(label))] } ?? []
    }

    private mutating func begin(_ prompt: AssistantPane.Prompt) -> [ChatEffect] {
        guard isConnected else {
            tell(Phrase("The daemon does not answer."), .warning)
            return []
        }
        questions += 1
        guard assistant.begin(prompt, questions) else { return [] }
        let who = assistant.who
        let purpose = ChatPurpose.prompted(questions)
        switch prompt {
        case .summary: return [.call(SummaryOperation(who: who), purpose)]
        case .actions: return [.call(ActionsOperation(who: who), purpose)]
        case .decisions: return [.call(DecisionsOperation(who: who), purpose)]
        case .deadlines: return [.call(ActionsOperation(who: who, due: true), purpose)]
        case .missed: return [.call(SummaryOperation(who: who, missed: true), purpose)]
        }
    }

    // MARK: - What comes

    mutating func found(_ reply: any Sendable, _ number: Int) {
        guard let question = assistant.asked?.question else { return }
        switch reply {
        case let reply as SummaryReply: assistant.found(.init(reply, question), number)
        case let reply as ActionsReply: assistant.found(.init(reply, question), number)
        case let reply as DecisionsReply: assistant.found(.init(reply, question), number)
        default: break
        }
    }

    /// Messages are gone, or have other texts.
    mutating func forgetInAssistant(_ ids: [String]) -> [ChatEffect] {
        // Each of them may take an entry.
        let isTouched = ids.map { assistant.forget($0) }.contains(true)
        return isTouched ? readTalk() : []
    }

    mutating func changedInAssistant(_ message: MessageInfo) -> [ChatEffect] {
        let shown = assistant.entries.flatMap(\.items).first { $0.source.id == message.id }?.source.excerpt
        guard let shown else { return [] }
        // A reaction changes no text.
        let line = message.text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let isSame = message.deleted == nil && line.hasPrefix(shown.hasSuffix("…") ? String(shown.dropLast()) : shown)
        return isSame ? [] : forgetInAssistant([message.id])
    }
}
