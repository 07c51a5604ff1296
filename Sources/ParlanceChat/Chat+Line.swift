import ParlanceControl
import ParlanceTerminal
import ParlanceWords

// The line that is written.
extension Chat {
    mutating func edit(_ key: Key) -> [ChatEffect] {
        let before = draft.editor
        switch key {
        case .text("?") where draft.editor.isEmpty && draft.aim == .message: sheet = Sheet(.help)
        case .text(let scalar): draft.editor.insert(scalar)
        case .paste(let text, let isCut):
            draft.editor.insert(draft.aim.isText ? text : text.replacing("\n", with: " "))
            if isCut {
                tell(Phrase("The paste was longer than a message can be. Its end was left out."), .bad, stays: true)
            }
        case .named(.enter, let modifiers):
            if modifiers.isEmpty { return enter() }
            if draft.aim.isText { draft.editor.insert("\n" as Unicode.Scalar) }
        case .named(.tab, _):
            guard draft.editor.isEmpty, draft.aim == .message else { return complete() }
            isListFocused = true
            listCursor = open?.who ?? list.entries.first?.who
        case .named(.up, _), .control("p"): moveUp(key)
        case .named(.down, _), .control("n"): moveDown(key)
        default: draft.editor.press(key)
        }
        guard before != draft.editor else { return [] }
        keepTarget()
        if draft.aim == .message, !isCommand { selected = nil }
        return draft.editor.isEmpty ? [] : typing()
    }

    /// The line above; from the first, what was sent before, and from an empty line the newest message.
    private mutating func moveUp(_ key: Key) {
        if key != .control("p") {
            if draft.editor.isEmpty, draft.aim == .message { return selectNewest() }
            if draft.editor.moveUp() { return }
        }
        guard draft.aim.isText, let text = draft.sent.older(than: draft.editor.text) else { return }
        draft.editor = LineEditor(text)
    }

    private mutating func moveDown(_ key: Key) {
        if key != .control("n"), draft.editor.moveDown() { return }
        guard draft.aim.isText, let text = draft.sent.newer(than: draft.editor.text) else { return }
        draft.editor = LineEditor(text)
    }

    /// Whether a command is being typed.
    var isCommand: Bool { draft.aim == .message && draft.editor.text.hasPrefix("/") }

    /// What `/reply`, `/react` and `/fetch` are about is decided when they are typed: a message that comes later does not
    /// change it.
    mutating func keepTarget() {
        guard draft.aim == .message else { return }
        let words = draft.editor.text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let name = isCommand ? words.first?.dropFirst().lowercased() : nil
        switch name.flatMap(SlashCommand.init(rawValue:)) {
        case .fetch: draft.target = draft.target ?? messageWithFiles
        case .reply where words.count > 1, .react where words.count > 1:
            draft.target = draft.target ?? messageOfOthers
        default: draft.target = nil
        }
    }

    /// Milliseconds between two signs that the user types; others show it for 3 s after the last.
    private static let typingEvery: Int64 = 1500

    private mutating func typing() -> [ChatEffect] {
        guard isConnected, let open, open.info != nil, draft.aim.isText, !draft.editor.text.hasPrefix("/") else {
            return []
        }
        if let lastTyping, clock.now.milliseconds - lastTyping.milliseconds < Self.typingEvery { return [] }
        lastTyping = clock.now
        return [.call(TypingOperation(who: open.who), .sign)]
    }

    private mutating func enter() -> [ChatEffect] {
        let text = draft.editor.text
        if text.allSatisfy(\.isWhitespace) {
            if open?.failure != nil { tryAgain() }
            return []
        }
        if draft.aim == .message, text.hasPrefix("/"), !text.hasPrefix("//") {
            let effects = run(text)
            if draft.editor.isEmpty { selected = nil }
            return effects
        }
        guard let open else {
            tell(Phrase("No conversation is open. The text stays here."), .warning)
            return []
        }
        guard isConnected else {
            tell(Phrase("The daemon does not answer. The text stays here."), .warning)
            return []
        }
        let purpose = ChatPurpose.text(who: open.who, text, draft.aim)
        let effect: ChatEffect
        switch draft.aim {
        case .message:
            let plain = text.hasPrefix("//") ? String(text.dropFirst()) : text
            effect = .call(SendOperation(who: open.who, text: plain), purpose)
        case .answer(let id): effect = .call(ReplyOperation(id: id, text: text), purpose)
        case .edit(let id): effect = .call(EditOperation(id: id, text: text), purpose)
        case .reaction(let id): effect = react(text, to: id)
        case .deletion: return []
        }
        draft.finish()
        lastTyping = nil
        selected = nil
        // What is new below stays to be read.
        if !open.messages.contains(where: open.isNew) {
            self.open?.firstNew = nil
            goToEnd()
        }
        rowsAreOld = true
        return [effect]
    }

    /// Asks once more for a conversation that could not be opened.
    private mutating func tryAgain() {
        open?.failure = nil
        open?.pages.reload()
    }
}
