import ParlanceControl
import ParlanceTerminal
import ParlanceWords

// What the list shows.
extension ConversationList {
    /// - Parameters:
    ///   - open: the open conversation.
    ///   - isConnected: whether there is a daemon: without one, nobody knows who is here.
    func draw(
        _ picture: inout Picture,
        width: Int,
        height: Int,
        open: String?,
        isConnected: Bool,
        glyphs: Glyphs
    ) {
        let entries = entries
        var lines: [(place: Int?, text: [StyledText], right: [StyledText])] = []
        let alike = alike
        for (place, entry) in entries.enumerated() {
            if let title = header(above: place, entries) { lines.append((nil, [StyledText(title, .faint)], [])) }
            var (name, right) = line(entry, isConnected ? glyphs : nil)
            if alike.contains(entry.who) { name.text += " (\(entry.who.prefix(8)))" }
            let room = max(1, width - 1 - right.width - (right.isEmpty ? 0 : 1))
            lines.append((place, [StyledText(DisplayWidth.cut(name.text, to: room), name.style)], right))
        }
        let chosen = entries.firstIndex { $0.who == (isFocused ? cursor : open) }
        let row = lines.firstIndex { $0.place == chosen && chosen != nil } ?? 0
        let first = max(0, min(row - height / 2, lines.count - height))
        for (index, line) in lines[first...].prefix(height).enumerated() {
            let isChosen = line.place != nil && line.place == chosen
            let (text, right) =
                isChosen ? (line.text.styled(.selected), line.right.styled(.selected)) : (line.text, line.right)
            if isChosen {
                picture.write(String(repeating: " ", count: width), .selected, row: index, column: 0, end: width)
            }
            picture.write(text, row: index, column: 1, end: width)
            picture.write(right, row: index, column: max(0, width - line.right.width), end: width)
        }
        if entries.isEmpty { picture.write(say("Nobody yet"), .faint, row: 0, column: 1, end: width) }
    }

    /// The title above the first of its kind.
    private func header(above place: Int, _ entries: [ListEntry]) -> String? {
        func kind(_ entry: ListEntry) -> String? {
            switch entry {
            case .conversation: nil
            case .request: say("Ask to talk")
            case .nearby: say("Nearby")
            }
        }
        let own = kind(entries[place])
        return place > 0 && kind(entries[place - 1]) == own ? nil : own
    }

    private func line(_ entry: ListEntry, _ glyphs: Glyphs?) -> (StyledText, [StyledText]) {
        guard case .conversation(let info) = entry else { return (StyledText(" " + entry.title), []) }
        let isLoud = info.unread > 0 && info.muted != true
        var right: [StyledText] = []
        if info.unread > 0 {
            let count = info.mentions > 0 ? "@\(info.unread)" : "\(info.unread)"
            right.append(StyledText(count + " ", isLoud ? .warning : .faint))
        }
        if let glyphs, let presence = info.presence {
            right.append(StyledText(glyphs.presence(presence), Style(presence)))
        } else {
            right.append(StyledText(" "))
        }
        return (StyledText(entry.title, isLoud ? .strong : .plain), right)
    }
}
