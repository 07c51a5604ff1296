import ParlanceControl
import ParlanceTerminal
import ParlanceWords

// What the keys do.
extension Chat {
    mutating func press(_ key: Key) -> [ChatEffect] {
        guard case .alt(let scalar) = key else { return pressed(key) ?? [] }
        // One that means nothing changes nothing.
        var tried = self
        if let effects = tried.pressed(key) {
            self = tried
            return effects
        }
        // Terminals send Esc and what is typed right behind it as they send a character with Alt.
        return press(.named(.escape)) + press(.text(scalar))
    }

    /// - Returns: nil for a key that has no meaning here.
    private mutating func pressed(_ typed: Key) -> [ChatEffect]? {
        let key = withoutStrayEnter(typed)
        notices.pressed(key)
        composer.draft.keyPressed()
        if search.isOpen { return pressedInSearch(key) }
        if assistant.isOpen { return pressedInAssistant(key) }
        if sheet != nil, let effects = pressedInSheet(key) { return effects }
        if case .deletion(let id) = composer.draft.aim, let effects = answered(deletionOf: id, by: key) {
            return effects
        }
        if let effects = pressedAnywhere(key) { return effects }
        if list.isFocused, let effects = pressedInList(key) { return effects }
        if isSelecting, let effects = pressedOnSelection(key) { return effects }
        return edit(key)
    }

    /// Whether keys are about the selected message.
    private var isSelecting: Bool { history.selected != nil && composer.draft.aim == .message }

    /// A paste where single keys were expected goes to the line, and its last line end does not send it.
    private mutating func withoutStrayEnter(_ key: Key) -> Key {
        let wasStray = isPasteStray
        isPasteStray = false
        switch key {
        case .paste:
            let isQuestion = if case .deletion = composer.draft.aim { true } else { false }
            isPasteStray = sheet != nil || list.isFocused || isQuestion || isSelecting
            return key
        case .named(.enter, .atOnce): return wasStray ? .named(.enter, .alt) : .named(.enter)
        default: return key
        }
    }

    /// Keys that do the same everywhere.
    private mutating func pressedAnywhere(_ key: Key) -> [ChatEffect]? {
        switch key {
        case .control("q"): return [.leave]
        case .control("c"):
            if composer.draft.aim != .message {
                endAim()
            } else if composer.draft.editor.isEmpty {
                return [.leave]
            } else {
                composer.draft.clear()
            }
        case .control("d") where composer.draft.isBlank: return [.leave]
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        case .named(.f1, _): sheet = Sheet(.help)
        case .named(.f2, _): if list.isFocused { list.leave() } else { list.focus(from: open?.who) }
        case .named(.pageUp, _): scroll(byPages: 1)
        case .named(.pageDown, _): scroll(byPages: -1)
        case .named(.up, .alt): showNext(-1)
        case .named(.down, .alt): showNext(1)
        case .alt("n"): goToFirstNew()
        case .alt(let digit) where ("1"..."9").contains(digit):
            let place = Int(digit.value - 0x31)
            let entries = list.entries
            if entries.indices.contains(place) { show(entries[place].who) }
        case .named(.escape, _): escape()
        case .control("f"): return openSearch()
        default: return nil
        }
        return []
    }

    /// Leaves what was opened last.
    private mutating func escape() {
        if list.isFocused {
            list.leave()
        } else if composer.draft.aim != .message {
            endAim()
        } else if history.selected != nil {
            history.selected = nil
        } else {
            goToEnd()
        }
    }

    /// Gives up what the line is for; a text that was written can be taken back.
    private mutating func endAim() {
        if composer.draft.endAim() { tell(Phrase("Ctrl-P brings the text back.")) }
    }

    /// Moves in the sheet. Any other key closes it, and does what it always does.
    private mutating func pressedInSheet(_ key: Key) -> [ChatEffect]? {
        let isHelp = sheet?.content == .help
        switch key {
        case .named(.up, _): moveSheet(-1)
        case .named(.down, _): moveSheet(1)
        case .named(.pageUp, _): moveSheet(-max(1, height - 1))
        case .named(.pageDown, _): moveSheet(max(1, height - 1))
        case .named(.escape, _), .named(.f1, _): sheet = nil
        default:
            sheet = nil
            // A sign right after the question mark makes it a text.
            if isHelp, case .text(let scalar) = key, scalar.properties.generalCategory == .otherPunctuation {
                composer.draft.editor.insert("?" as Unicode.Scalar)
            }
            return nil
        }
        return []
    }

    private mutating func moveSheet(_ step: Int) {
        guard let sheet else { return }
        let most = max(0, sheet.lines(width: width, clock: clock).count - height)
        self.sheet?.top = max(0, min(most, sheet.top + step))
    }

    // MARK: - The list

    private mutating func pressedInList(_ key: Key) -> [ChatEffect]? {
        switch list.press(key) {
        case .taken: break
        case .opens(let who): show(who)
        case .left: return nil
        }
        return []
    }

    /// Opens the conversation that is so many places below the open one.
    private mutating func showNext(_ step: Int) {
        if let next = list.entry(step, below: open?.who) { show(next.who) }
    }

    mutating func show(_ who: String) {
        list.leave()
        if who != open?.who { turn(to: who) } else if open?.failure != nil { tryAgain() }
    }

    /// Shows another conversation, of which nothing is here yet. What was begun stays with the old one, if there is one.
    ///
    /// - Parameter message: the message that it is to show; nil for the newest.
    mutating func turn(to who: String, at message: String? = nil) {
        composer.turn(from: open.flatMap { $0.failure == nil ? $0.who : nil }, to: who)
        open = OpenConversation(who: who, at: message)
        history = HistoryPane(at: message)
    }

    // MARK: - Scrolling

    private mutating func scroll(byPages pages: Int) {
        if composer.draft.aim == .message { history.selected = nil }
        layOut()
        history.scroll(byPages: pages)
        if pages > 0, history.isNearBeginning { loadOlder() }
        if pages < 0, history.isNearEnd { open?.loadNewer() }
        if pages < 0, history.scroll == 0, open?.isBehind == false { goToEnd() }
    }

    /// Shows the newest messages.
    mutating func goToEnd() {
        history.goToEnd()
        open?.returned()
    }

    mutating func loadOlder() {
        guard let open, open.hasMore else { return }
        if open.messages.count < OpenConversation.mostWhileAway {
            self.open?.pages.wantsOlder = true
        } else {
            tell(Phrase("Still older messages: parlance history"), .warning)
        }
    }
}
