import ParlanceControl
import ParlanceTerminal
import ParlanceWords

// The search for messages in all conversations.
extension Chat {
    /// Shows what was found before, and asks anew: messages may have come.
    mutating func openSearch() -> [ChatEffect] {
        search.isOpen = true
        return isConnected ? search.askAgain().map { [.call($0, .search($0))] } ?? [] : []
    }

    /// - Returns: nil for a key that has no meaning here.
    mutating func pressedInSearch(_ key: Key) -> [ChatEffect]? {
        switch key {
        case .control("q"): return [.leave]
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        case .named(.escape, _), .control("f"): search.isOpen = false
        case .control("c"): if search.editor.isEmpty { search.isOpen = false } else { search.editor = LineEditor() }
        case .named(.enter, _): return enterSearch()
        case .named(.up, _), .control("p"): return choose(-1)
        case .named(.down, _), .control("n"): return choose(1)
        case .named(.pageUp, _): return choose(-search.hitsPerPage(height))
        case .named(.pageDown, _): return choose(search.hitsPerPage(height))
        case .text(let scalar): search.editor.insert(scalar)
        case .paste(let text, _): search.editor.insert(text.replacing("\n", with: " "))
        default: return search.editor.press(key) ? [] : nil
        }
        return []
    }

    /// Goes to the chosen message if the query was answered, or else asks.
    private mutating func enterSearch() -> [ChatEffect] {
        guard let hit = search.hit else { return askSearch() }
        search.isOpen = false
        go(to: hit.id, in: hit.conversation)
        return []
    }

    /// Shows a message where it stands.
    mutating func go(to message: String, in conversation: String) {
        sheet = nil
        list.leave()
        let who = list.conversations.first { $0.id == conversation }.map { $0.peer ?? $0.id } ?? conversation
        guard who != open?.who || open?.place(message) == nil else {
            history.go(to: message)
            return
        }
        turn(to: who, at: message)
    }

    mutating func askSearch() -> [ChatEffect] {
        guard isConnected else {
            tell(Phrase("The daemon does not answer."), .warning)
            return []
        }
        return search.ask().map { [.call($0, .search($0))] } ?? []
    }

    private mutating func choose(_ step: Int) -> [ChatEffect] {
        search.choose(step)
        guard step > 0, search.isNearEnd, isConnected else { return [] }
        return search.askForMore().map { [.call($0, .search($0))] } ?? []
    }
}
