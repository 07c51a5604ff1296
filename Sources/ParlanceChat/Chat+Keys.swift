import ParlanceControl
import ParlanceTerminal
import ParlanceWords

// What the keys do.
extension Chat {
    mutating func press(_ typed: Key) -> [ChatEffect] {
        let key = withoutStrayEnter(typed)
        if notice?.until == nil || key == .named(.escape) { notice = nil }
        draft.keyPressed()
        if search.isOpen { return pressedInSearch(key) }
        if assistant.isOpen { return pressedInAssistant(key) }
        if sheet != nil, let effects = pressedInSheet(key) { return effects }
        if case .deletion(let id) = draft.aim, let effects = answered(deletionOf: id, by: key) { return effects }
        if let effects = pressedAnywhere(key) { return effects }
        if isListFocused, let effects = pressedInList(key) { return effects }
        if selected != nil, draft.aim == .message, let effects = pressedOnSelection(key) { return effects }
        return edit(key)
    }

    /// A paste where single keys were expected goes to the line, and its last line end does not send it.
    private mutating func withoutStrayEnter(_ key: Key) -> Key {
        let wasStray = isPasteStray
        isPasteStray = false
        switch key {
        case .paste:
            let isQuestion = if case .deletion = draft.aim { true } else { false }
            isPasteStray = sheet != nil || isListFocused || isQuestion || selected != nil && draft.aim == .message
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
            if draft.aim != .message {
                endAim()
            } else if draft.editor.isEmpty {
                return [.leave]
            } else {
                draft.clear()
            }
        case .control("d") where draft.editor.isEmpty && draft.aim == .message: return [.leave]
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        case .named(.f1, _): sheet = Sheet(.help)
        case .named(.f2, _): focusList(!isListFocused)
        case .named(.pageUp, _): scrollBy(pageHeight)
        case .named(.pageDown, _): scrollBy(-pageHeight)
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
        if isListFocused {
            isListFocused = false
        } else if draft.aim != .message {
            endAim()
        } else if selected != nil {
            selected = nil
        } else {
            goToEnd()
        }
    }

    /// Gives up what the line is for; a text that was written can be taken back.
    private mutating func endAim() {
        if draft.endAim() { tell(Phrase("Ctrl-P brings the text back.")) }
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
                draft.editor.insert("?" as Unicode.Scalar)
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

    private mutating func focusList(_ isFocused: Bool) {
        isListFocused = isFocused
        listCursor = open?.who ?? list.entries.first?.who
    }

    private mutating func pressedInList(_ key: Key) -> [ChatEffect]? {
        let entries = list.entries
        let place = entries.firstIndex { $0.who == listCursor } ?? 0
        switch key {
        case .named(.up, _): listCursor = entries.isEmpty ? nil : entries[max(0, place - 1)].who
        case .named(.down, _): listCursor = entries.isEmpty ? nil : entries[min(entries.count - 1, place + 1)].who
        case .named(.home, _): listCursor = entries.first?.who
        case .named(.end, _): listCursor = entries.last?.who
        case .named(.enter, _), .named(.right, _):
            isListFocused = false
            if let listCursor, list.entry(listCursor) != nil { show(listCursor) }
        case .named(.tab, _), .named(.backTab, _): isListFocused = false
        default:
            isListFocused = false
            return nil
        }
        return []
    }

    /// Opens the conversation that is so many places below the open one.
    private mutating func showNext(_ step: Int) {
        let entries = list.entries
        guard !entries.isEmpty else { return }
        let present = entries.firstIndex { $0.who == open?.who }
        let next = present.map { max(0, min(entries.count - 1, $0 + step)) } ?? 0
        show(entries[next].who)
    }

    mutating func show(_ who: String) {
        isListFocused = false
        if who != open?.who { turn(to: who) }
    }

    /// Shows another conversation, of which nothing is here yet. What was begun stays with the old one, if there is one.
    ///
    /// - Parameter message: the message that it is to show; nil for the newest.
    mutating func turn(to who: String, at message: String? = nil) {
        if let open, open.failure == nil {
            drafts[open.who] = draft.isEmpty ? nil : draft
            draft = drafts.removeValue(forKey: who) ?? Draft()
        } else {
            draft = (drafts.removeValue(forKey: who) ?? Draft()).joined(with: draft)
        }
        open = OpenConversation(who: who, at: message)
        selected = message
        whole = []
        scroll = 0
        showsNewFirst = false
        rowsAreOld = true
        rowCache = RowCache()
    }

    // MARK: - Scrolling

    private var pageHeight: Int { max(1, historyHeight - 2) }

    private mutating func scrollBy(_ step: Int) {
        if draft.aim == .message { selected = nil }
        layOut()
        let most = max(0, rows.count - historyHeight)
        scroll = max(0, min(most, scroll + step))
        // The page above is asked for before it is needed.
        if step > 0, scroll + pageHeight >= most { loadOlder() }
        if step < 0, scroll <= pageHeight { open?.loadNewer() }
        if scroll == 0, step < 0, open?.isBehind == false { goToEnd() }
    }

    /// Shows the newest messages.
    mutating func goToEnd() {
        (scroll, showsNewFirst, staysAtEdge) = (0, false, false)
        open?.returned()
        rowsAreOld = true
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
