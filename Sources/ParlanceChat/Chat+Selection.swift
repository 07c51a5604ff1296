import ParlanceControl
import ParlanceTerminal
import ParlanceWords

// A message that is selected, and what can be done to it.
extension Chat {
    /// Messages that can be selected: lines about the group cannot.
    var selectable: [String] { open?.messages.filter { $0.note == nil }.map(\.id) ?? [] }

    mutating func pressedOnSelection(_ key: Key) -> [ChatEffect]? {
        guard let message = open?.message(history.selected) else {
            history.selected = nil
            return nil
        }
        // The command may be about the message.
        if composer.isCommand || composer.draft.editor.isEmpty && key == .text("/") { return nil }
        switch key {
        case .named(.up, _): moveSelection(-1)
        case .named(.down, _): moveSelection(1)
        case .text("r") where composer.draft.editor.isEmpty, .named(.enter, _) where composer.draft.editor.isEmpty:
            composer.draft.begin(.answer(to: message.id))
        case .text("+") where composer.draft.editor.isEmpty:
            // What was refused before is not about this reaction.
            notices.clear()
            composer.draft.begin(.reaction(to: message.id))
        case .text("i") where composer.draft.editor.isEmpty:
            return isConnected ? [.call(InfoOperation(id: message.id), .ledger)] : []
        case .text("o") where composer.draft.editor.isEmpty:
            history.unfold(message.id)
        case .text("e") where composer.draft.editor.isEmpty:
            if message.mine, message.deleted == nil {
                composer.draft.begin(.edit(of: message.id), with: message.text)
            } else {
                tell(Phrase("Only the author can edit a message."), .warning)
            }
        case .text("d") where composer.draft.editor.isEmpty:
            if message.deleted == nil { composer.draft.begin(.deletion(of: message.id)) }
        default:
            history.selected = nil
            return nil
        }
        return []
    }

    private mutating func moveSelection(_ step: Int) {
        let all = selectable
        guard let place = all.firstIndex(where: { $0 == history.selected }) else { return }
        if all.indices.contains(place + step) {
            history.selected = all[place + step]
        } else if step > 0, open?.isBehind == false {
            history.selected = nil
            goToEnd()
        }
        if place + step <= 2 { loadOlder() }
        if place + step >= all.count - 2 { open?.loadNewer() }
    }

    /// The answer to the question whether to delete. A key that is no answer is a no, and does what it always does.
    mutating func answered(deletionOf id: String, by key: Key) -> [ChatEffect]? {
        composer.draft.endAim()
        history.selected = nil
        if key == .text(Self.yes) {
            if isConnected { return [.call(DeleteOperation(id: id), .change)] }
            tell(Phrase("The daemon does not answer. Nothing was deleted."), .warning)
            return []
        }
        let isNo = key == .text(Self.no) || key == .named(.escape) || key == .control("c") || key == .named(.enter)
        return isNo ? [] : nil
    }

    private static var yes: Unicode.Scalar { say("y", hint: "the letter for yes").unicodeScalars.first ?? "y" }
    private static let no: Unicode.Scalar = "n"

    /// Adds a reaction, or takes the user's own back.
    func react(_ text: String, to id: String) -> ChatEffect {
        let emoji = EmojiNames.emoji(text) ?? text
        let own = open?.message(id)?.reactions?.first { $0.emoji == emoji }?.people.contains { $0.me == true } ?? false
        return .call(ReactOperation(id: id, emoji: emoji, remove: own ? true : nil), .change)
    }
}
