/// Cuts a sentence into clauses at signs and conjunctions.
enum Segments {
    /// Words between clauses.
    static let conjunctions = Phrases("and und but aber sondern because weil denn plus & +")
    private static let signs: Set<String> = [",", ";", ":", "(", ")", "\u{2013}", "\u{2014}", "\u{2192}", "|"]

    /// The clauses of a range, without the signs and conjunctions between them.
    static func segments(of range: Range<Int>, _ tokens: [Token], _ deadlineOfToken: [Int]) -> [Range<Int>] {
        var segments: [Range<Int>] = []
        var start = range.lowerBound
        for index in range where isCut(index, range, tokens) {
            // A day such as "Friday, 12:00" stays whole.
            let owner = deadlineOfToken[index]
            if owner >= 0, index > range.lowerBound, deadlineOfToken[index - 1] == owner { continue }
            if start < index { segments.append(start..<index) }
            start = index + 1
        }
        if start < range.upperBound { segments.append(start..<range.upperBound) }
        return segments
    }

    private static func isCut(_ index: Int, _ range: Range<Int>, _ tokens: [Token]) -> Bool {
        let token = tokens[index]
        guard !token.isQuoted else { return false }
        if token.kind == .sign {
            let isFollowedBySpace = index + 1 >= range.upperBound || tokens[index + 1].hasSpaceBefore
            if token.folded == "," || token.folded == ":" {
                // "vergiss nicht, …" goes on with the task.
                let isOpen =
                    index > range.lowerBound
                    && (Lexicon.openEnds.contains(tokens[index - 1])
                        || (index - 3 >= range.lowerBound && tokens[index - 3].folded.hasPrefix("schaff")))
                return isFollowedBySpace && !isOpen
            }
            if token.folded == "-" { return token.hasSpaceBefore && isFollowedBySpace }
            return signs.contains(token.folded)
                || (token.folded.unicodeScalars.first?.properties.isEmojiPresentation ?? false)
        }
        return conjunctions.contains(token)
    }
}
