import ParlanceControl
import ParlanceTerminal
import ParlanceWords

// What the keys do.
extension Chat {
    mutating func press(_ key: Key) -> [ChatEffect] {
        notice = nil
        if let effects = pressedAnywhere(key) { return effects }
        if isHelpShown { return pressedInHelp(key) }
        if case .deletion(let id) = purpose { return answered(deletionOf: id, by: key) }
        if isListFocused, let effects = pressedInList(key) { return effects }
        if selected != nil, purpose == .message, let effects = pressedOnSelection(key) { return effects }
        return edit(key)
    }

    /// Keys that do the same everywhere.
    private mutating func pressedAnywhere(_ key: Key) -> [ChatEffect]? {
        switch key {
        case .control("q"): return [.leave]
        case .control("c"):
            if purpose != .message {
                endPurpose()
            } else if editor.isEmpty {
                return [.leave]
            } else {
                editor = LineEditor()
            }
            return []
        case .control("d") where editor.isEmpty && purpose == .message: return [.leave]
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        case .named(.f1, _): isHelpShown.toggle()
        case .named(.f2, _): focusList(!isListFocused)
        case .named(.pageUp, _): return scrollBy(pageHeight)
        case .named(.pageDown, _): return scrollBy(-pageHeight)
        case .named(.up, .alt): return showNext(-1)
        case .named(.down, .alt): return showNext(1)
        case .alt(let digit) where ("1"..."9").contains(digit):
            let place = Int(digit.value - 0x31)
            let entries = list.entries
            return entries.indices.contains(place) ? show(entries[place].who) : []
        case .named(.escape, _): escape()
        default: return nil
        }
        return []
    }

    /// Leaves what was opened last.
    private mutating func escape() {
        if isHelpShown {
            isHelpShown = false
        } else if isListFocused {
            isListFocused = false
        } else if purpose != .message {
            endPurpose()
        } else if selected != nil {
            selected = nil
        } else {
            scroll = 0
        }
    }

    private mutating func pressedInHelp(_ key: Key) -> [ChatEffect] {
        isHelpShown = false
        // Pressed twice it is the sign itself.
        if key == .text("?") { editor.insert("?" as Unicode.Scalar) }
        return []
    }

    // MARK: - The list

    private mutating func focusList(_ isFocused: Bool) {
        isListFocused = isFocused
        listPlace = list.entries.firstIndex { $0.who == open?.who } ?? 0
    }

    private mutating func pressedInList(_ key: Key) -> [ChatEffect]? {
        let entries = list.entries
        switch key {
        case .named(.up, _): listPlace = max(0, listPlace - 1)
        case .named(.down, _): listPlace = max(0, min(entries.count - 1, listPlace + 1))
        case .named(.home, _): listPlace = 0
        case .named(.end, _): listPlace = max(0, entries.count - 1)
        case .named(.enter, _), .named(.right, _):
            isListFocused = false
            return entries.indices.contains(listPlace) ? show(entries[listPlace].who) : []
        case .named(.tab, _), .named(.backTab, _): isListFocused = false
        default:
            isListFocused = false
            return nil
        }
        return []
    }

    /// Opens the conversation that is so many places below the open one.
    private mutating func showNext(_ step: Int) -> [ChatEffect] {
        let entries = list.entries
        guard !entries.isEmpty else { return [] }
        let present = entries.firstIndex { $0.who == open?.who }
        let next = present.map { max(0, min(entries.count - 1, $0 + step)) } ?? 0
        return show(entries[next].who)
    }

    mutating func show(_ who: String) -> [ChatEffect] {
        isListFocused = false
        guard who != open?.who else { return [] }
        turn(to: who)
        return isConnected ? [load(who)] : []
    }

    /// Shows another conversation, of which nothing is here yet.
    mutating func turn(to who: String) {
        endPurpose()
        if let open { drafts[open.who] = editor.isEmpty ? nil : editor }
        editor = drafts.removeValue(forKey: who) ?? LineEditor()
        open = OpenConversation(who: who)
        wanted = nil
        selected = nil
        scroll = 0
        isReadingAgain = false
        rowsAreOld = true
    }

    // MARK: - The line

    private mutating func edit(_ key: Key) -> [ChatEffect] {
        let before = editor
        switch key {
        case .text("?") where editor.isEmpty && purpose == .message: isHelpShown = true
        case .text(let scalar): editor.insert(scalar)
        case .paste(let text): editor.insert(purpose.isOneLine ? text.replacing("\n", with: " ") : text)
        case .named(.enter, let modifiers):
            if modifiers.isEmpty { return enter() }
            if !purpose.isOneLine { editor.insert("\n" as Unicode.Scalar) }
        case .named(.tab, _):
            if editor.isEmpty, purpose == .message { focusList(true) } else { complete() }
        case .named(.up, _), .control("p"): moveUp(key)
        case .named(.down, _), .control("n"): moveDown(key)
        default: editLine(key)
        }
        return before != editor && !editor.isEmpty ? typing() : []
    }

    /// The usual keys of a line.
    private mutating func editLine(_ key: Key) {
        switch key {
        case .named(.backspace, .alt), .named(.backspace, .control), .control("w"): editor.deleteWordBackward()
        case .named(.backspace, _): editor.deleteBackward()
        case .named(.delete, .control), .alt("d"): editor.deleteWordForward()
        case .named(.delete, _), .control("d"): editor.deleteForward()
        case .named(.left, let modifiers):
            if modifiers.isEmpty { editor.moveLeft() } else { editor.moveWordLeft() }
        case .named(.right, let modifiers):
            if modifiers.isEmpty { editor.moveRight() } else { editor.moveWordRight() }
        case .alt("b"): editor.moveWordLeft()
        case .alt("f"): editor.moveWordRight()
        case .named(.home, _), .control("a"): editor.moveToLineStart()
        case .named(.end, _), .control("e"): editor.moveToLineEnd()
        case .control("b"): editor.moveLeft()
        case .control("f"): editor.moveRight()
        case .control("u"): editor.deleteToLineStart()
        case .control("k"): editor.deleteToLineEnd()
        default: break
        }
    }

    /// The line above; from the first, what was sent before, and from an empty line the newest message.
    private mutating func moveUp(_ key: Key) {
        if key != .control("p") {
            if editor.isEmpty, purpose == .message { return selectNewest() }
            if editor.moveUp() { return }
        }
        guard purpose == .message, let text = sent.older(than: editor.text) else { return }
        editor = LineEditor(text)
    }

    private mutating func moveDown(_ key: Key) {
        if key != .control("n"), editor.moveDown() { return }
        guard purpose == .message, let text = sent.newer() else { return }
        editor = LineEditor(text)
    }

    /// Milliseconds between two signs that the user types; others show it for 3 s after the last.
    private static let typingEvery: Int64 = 1500

    private mutating func typing() -> [ChatEffect] {
        guard isConnected, let open, open.info != nil, purpose.isText, !editor.text.hasPrefix("/") else { return [] }
        if let lastTyping, clock.now.milliseconds - lastTyping.milliseconds < Self.typingEvery { return [] }
        lastTyping = clock.now
        return [.call(TypingOperation(who: open.who), .sign)]
    }

    private mutating func enter() -> [ChatEffect] {
        let text = editor.text
        guard !text.allSatisfy(\.isWhitespace), let open else { return [] }
        if purpose == .message, text.hasPrefix("/"), !text.hasPrefix("//") { return run(text) }
        guard isConnected else {
            tell(Phrase("The daemon does not answer. The text stays here."), .warning)
            return []
        }
        var effects: [ChatEffect]
        switch purpose {
        case .message:
            let plain = text.hasPrefix("//") ? String(text.dropFirst()) : text
            effects = [.call(SendOperation(who: open.who, text: plain), .text(who: open.who, text))]
        case .answer(let id): effects = [.call(ReplyOperation(id: id, text: text), .text(who: open.who, text))]
        case .edit(let id): effects = [.call(EditOperation(id: id, text: text), .change)]
        case .reaction(let id): effects = react(text, to: id)
        case .deletion: effects = []
        }
        if purpose.isText { sent.add(text) }
        if purpose == .message { editor = LineEditor() } else { endPurpose() }
        lastTyping = nil
        selected = nil
        scroll = 0
        self.open?.firstNew = nil
        rowsAreOld = true
        return effects
    }

    // MARK: - Scrolling

    private var pageHeight: Int { max(1, historyHeight - 2) }

    private mutating func scrollBy(_ step: Int) -> [ChatEffect] {
        layOut()
        let most = max(0, rows.count - historyHeight)
        scroll = max(0, min(most, scroll + step))
        // The page above is asked for before it is needed.
        return step > 0 && scroll + pageHeight >= most ? loadOlder() : []
    }
}

extension Chat.Purpose {
    /// Whether the line holds a text that others will read.
    var isText: Bool {
        switch self {
        case .message, .answer, .edit: true
        case .reaction, .deletion: false
        }
    }

    var isOneLine: Bool { !isText }
}
