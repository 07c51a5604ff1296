import ParlanceControl
import ParlanceTerminal
import ParlanceWords

// The line that is written.
extension Chat {
    /// - Returns: nil for a key that has no meaning here.
    mutating func edit(_ key: Key) -> [ChatEffect]? {
        let before = composer.draft.editor
        switch key {
        case .text("?") where composer.draft.isBlank: sheet = Sheet(.help)
        case .text(let scalar): composer.draft.editor.insert(scalar)
        case .paste(let text, let isCut):
            composer.draft.editor.insert(composer.draft.aim.isText ? text : text.replacing("\n", with: " "))
            if isCut {
                tell(Phrase("The paste was longer than a message can be. Its end was left out."), .bad, stays: true)
            }
        case .named(.enter, let modifiers):
            if modifiers.isEmpty { return enter() }
            if composer.draft.aim.isText { composer.draft.editor.insert("\n" as Unicode.Scalar) }
        case .named(.tab, _):
            guard composer.draft.isBlank else { return complete() }
            list.focus(from: open?.who)
        case .named(.up, _) where composer.draft.isBlank: history.selected = selectable.last
        case .named(.up, _), .control("p"): composer.draft.moveUp(inText: key != .control("p"))
        case .named(.down, _), .control("n"): composer.draft.moveDown(inText: key != .control("n"))
        default: guard composer.draft.editor.press(key) else { return nil }
        }
        guard before != composer.draft.editor else { return [] }
        keepTarget()
        if composer.draft.aim == .message, !composer.isCommand { history.selected = nil }
        return composer.draft.editor.isEmpty ? [] : typing()
    }

    /// What `/reply`, `/react` and `/fetch` are about is decided when they are typed: a message that comes later does not
    /// change it.
    mutating func keepTarget() {
        guard composer.draft.aim == .message else { return }
        let words = composer.draft.editor.text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let name = composer.isCommand ? words.first?.dropFirst().lowercased() : nil
        switch name.flatMap(SlashCommand.init(rawValue:)) {
        case .fetch: composer.draft.target = composer.draft.target ?? messageWithFiles
        case .reply where words.count > 1, .react where words.count > 1:
            composer.draft.target = composer.draft.target ?? messageOfOthers
        default: composer.draft.target = nil
        }
    }

    private mutating func typing() -> [ChatEffect] {
        guard isConnected, let open, open.info != nil, composer.draft.aim.isText,
            !composer.draft.editor.text.hasPrefix("/")
        else {
            return []
        }
        return composer.typed(at: clock.now) ? [.call(TypingOperation(who: open.who), .sign)] : []
    }

    private mutating func enter() -> [ChatEffect] {
        let text = composer.draft.editor.text
        if text.allSatisfy(\.isWhitespace) {
            if open?.failure != nil { tryAgain() }
            return []
        }
        if composer.draft.aim == .message, text.hasPrefix("/"), !text.hasPrefix("//") {
            let effects = run(text)
            if composer.draft.editor.isEmpty { history.selected = nil }
            return effects
        }
        guard let open else {
            tell(Phrase("No conversation is open. To open one: /open WHO"), .warning)
            return []
        }
        guard isConnected else {
            tell(Phrase("The daemon does not answer. The text stays here."), .warning)
            return []
        }
        let purpose = ChatPurpose.text(who: open.who, text, composer.draft.aim)
        let effect: ChatEffect
        switch composer.draft.aim {
        case .message:
            let plain = text.hasPrefix("//") ? String(text.dropFirst()) : text
            effect = .call(SendOperation(who: open.who, text: plain), purpose)
        case .answer(let id): effect = .call(ReplyOperation(id: id, text: text), purpose)
        case .edit(let id): effect = .call(EditOperation(id: id, text: text), purpose)
        case .reaction(let id): effect = react(text, to: id)
        case .deletion: return []
        }
        composer.sent()
        history.selected = nil
        // What is new below stays to be read.
        if !open.messages.contains(where: open.isNew) {
            self.open?.firstNew = nil
            goToEnd()
        } else if history.showsNewFirst || history.scroll > 0 {
            tell(Phrase("It goes below what is new. Esc goes to the end."))
        }
        history.changed()
        return [effect]
    }

    /// Asks once more for a conversation that could not be opened.
    mutating func tryAgain() {
        open?.failure = nil
        open?.pages.reload()
    }
}
