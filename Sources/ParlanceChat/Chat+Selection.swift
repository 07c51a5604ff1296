import ParlanceControl
import ParlanceTerminal
import ParlanceWords

// A message that is selected, and what can be done to it.
extension Chat {
    /// Messages that can be selected: lines about the group cannot.
    private var selectable: [String] { open?.messages.filter { $0.note == nil }.map(\.id) ?? [] }

    mutating func selectNewest() {
        selected = selectable.last
    }

    mutating func pressedOnSelection(_ key: Key) -> [ChatEffect]? {
        guard let message = open?.message(selected) else {
            selected = nil
            return nil
        }
        switch key {
        case .named(.up, _): return moveSelection(-1)
        case .named(.down, _): return moveSelection(1)
        case .text("r") where editor.isEmpty, .named(.enter, _): begin(.answer(to: message.id))
        case .text("+") where editor.isEmpty: begin(.reaction(to: message.id))
        case .text("e") where editor.isEmpty:
            if message.mine, message.deleted == nil {
                begin(.edit(of: message.id), with: message.text)
            } else {
                tell(Phrase("Only the author can edit a message."), .warning)
            }
        case .text("d") where editor.isEmpty:
            if message.deleted == nil { begin(.deletion(of: message.id)) }
        default:
            selected = nil
            return nil
        }
        return []
    }

    private mutating func moveSelection(_ step: Int) -> [ChatEffect] {
        let all = selectable
        guard let place = all.firstIndex(where: { $0 == selected }) else { return [] }
        if all.indices.contains(place + step) {
            selected = all[place + step]
        } else if step > 0 {
            selected = nil
            scroll = 0
        }
        return place + step <= 2 ? loadOlder() : []
    }

    /// Uses the line for something else, and keeps what stood there.
    mutating func begin(_ purpose: Purpose, with text: String = "") {
        setAside = editor
        editor = LineEditor(text)
        self.purpose = purpose
    }

    /// The line is for a message again.
    mutating func endPurpose() {
        guard purpose != .message else { return }
        purpose = .message
        editor = setAside
        setAside = LineEditor()
    }

    mutating func answered(deletionOf id: String, by key: Key) -> [ChatEffect] {
        endPurpose()
        selected = nil
        guard key == .text(Self.yes), isConnected else { return [] }
        return [.call(DeleteOperation(id: id), .change)]
    }

    /// The letter that says yes.
    private static var yes: Unicode.Scalar { say("y", hint: "the letter for yes").unicodeScalars.first ?? "y" }

    /// Adds a reaction, or takes the user's own back.
    func react(_ text: String, to id: String) -> [ChatEffect] {
        let emoji = EmojiNames.emoji(text) ?? text
        let own = open?.message(id)?.reactions?.first { $0.emoji == emoji }?.people.contains { $0.me == true } ?? false
        return [.call(ReactOperation(id: id, emoji: emoji, remove: own ? true : nil), .change)]
    }
}
