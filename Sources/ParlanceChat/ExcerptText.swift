import ParlanceControl
import ParlanceTerminal
import ParlanceWords

/// An excerpt in one line, with what fits in bold.
enum ExcerptText {
    /// - Parameter width: columns that there are; what is before the first hit is cut so that the hit is seen.
    static func line(_ excerpt: SearchHit.Excerpt, width: Int) -> [StyledText] {
        var pieces = excerpt.pieces.map { piece in
            let text = VisibleText.line(String(piece.text.map { $0.isNewline ? " " : $0 }))
            return StyledText(text, piece.isMarked ? .strong : .plain)
        }
        if excerpt.cutBefore == true { pieces.insert(StyledText("…"), at: 0) }
        if excerpt.cutAfter == true { pieces.append(StyledText("…")) }
        guard let first = pieces.firstIndex(where: { $0.style == .strong }), pieces.width > width else { return pieces }
        var before = pieces[..<first].map(\.text).joined()
        // Half of the line is for what follows.
        let room = max(1, width / 2 - DisplayWidth.of(pieces[first].text))
        guard DisplayWidth.of(before) > room else { return pieces }
        while DisplayWidth.of(before) >= room, !before.isEmpty { before.removeFirst() }
        return [StyledText("…" + before)] + pieces[first...]
    }
}
