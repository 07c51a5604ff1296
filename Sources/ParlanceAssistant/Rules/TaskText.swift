/// Writes the text of a task from the tokens of a message.
enum TaskText {
    /// The longest task, in characters: it stands in one or two lines of a list.
    static let longest = 160

    /// The task of a trigger without "please", the deadline and the signs around it, or nil if nothing is left.
    static func text(of trigger: Trigger, range: Range<Int>, reader: ActionReader) -> String? {
        let tokens = reader.tokens
        var kept: [Int] = []
        for index in range {
            let folded = tokens[index].folded
            if reader.deadlineOfToken[index] >= 0 || reader.isPlease(index) { continue }
            let isObject = folded == "mich" && trigger.kind == .request
            if trigger.verb != nil, !isObject, Lexicon.subjectsOfVerbs.contains(folded) || index == trigger.verb {
                continue
            }
            if trigger.verb != nil, trigger.kind == .assignment, reader.isName(index, range) { continue }
            kept.append(index)
        }
        var particle: String?
        if trigger.verb != nil, let last = kept.last, Lexicon.particles.contains(tokens[last]),
            kept.count > 1
        {
            particle = String(reader.message.text[tokens[last].range])
            kept.removeLast()
        }
        dropEmptied(&kept, reader)
        trim(&kept, reader)
        var text = joined(kept, reader)
        // A comma has ended the clause, and the rest of the bracket was the deadline.
        if text.count(where: { $0 == "(" }) > text.count(where: { $0 == ")" }) { text += ")" }
        if let verb = trigger.verb {
            text += (text.isEmpty ? "" : " ") + reader.infinitive(of: verb, particle: particle)
        }
        return shortened(text)
    }

    /// A text of at most `longest` characters, or nil if it holds no word.
    static func shortened(_ text: String) -> String? {
        guard text.unicodeScalars.contains(where: \.properties.isAlphabetic) else { return nil }
        guard text.count > longest else { return text }
        return String(text.prefix(longest - 1)) + "\u{2026}"
    }

    /// Drops brackets whose content was the deadline, "(deadline 2026-12-05)", and commas behind which nothing is left.
    private static func dropEmptied(_ kept: inout [Int], _ reader: ActionReader) {
        let closing = ["(": ")", "[": "]"]
        func sign(_ place: Int) -> String? {
            let token = reader.tokens[kept[place]]
            return token.kind == .sign ? String(token.folded) : nil
        }
        var place = 0
        while place < kept.count {
            if let close = sign(place).flatMap({ closing[$0] }) {
                let end = kept[(place + 1)...].firstIndex { index in
                    let token = reader.tokens[index]
                    return token.folded == close || token.kind != .sign && !Lexicon.dueWords.contains(token)
                }
                // The clause can end before the bracket does.
                let last = end ?? kept.count - 1
                if end == nil || sign(last) == close {
                    kept.removeSubrange(place...last)
                    continue
                }
            }
            let isEnd = sign(place).map { ",;)]".contains($0) } ?? false
            if place > 0, isEnd, isComma(kept[place - 1], reader) {
                // "(both sides, by Friday)"
                kept.remove(at: place - 1)
                place -= 1
                continue
            }
            place += 1
        }
    }

    private static func isComma(_ index: Int, _ reader: ActionReader) -> Bool {
        reader.tokens[index].kind == .sign && ",;".contains(reader.tokens[index].folded)
    }

    /// Drops signs, names and empty words at both ends.
    private static func trim(_ kept: inout [Int], _ reader: ActionReader) {
        func isEmpty(_ index: Int) -> Bool {
            let token = reader.tokens[index]
            if token.kind == .sign { return !"\"\u{201E}\u{201C}\u{201D})]%€$".contains(token.folded) }
            return false
        }
        while let last = kept.last, isEmpty(last) || Lexicon.taskEnds.contains(reader.tokens[last]) {
            kept.removeLast()
        }
        let first = kept.firstIndex {
            let token = reader.tokens[$0]
            if token.kind == .sign { return "\"\u{201E}\u{201C}([#".contains(token.folded) }
            return !Lexicon.taskStarts.contains(token)
        }
        kept.removeFirst(first ?? kept.count)
    }

    /// The text of tokens. Tokens beside each other keep what stands between them.
    static func joined(_ indices: [Int], _ reader: ActionReader) -> String {
        var text = ""
        var start = 0
        while start < indices.count {
            var end = start
            while end + 1 < indices.count, indices[end + 1] == indices[end] + 1 { end += 1 }
            let from = reader.tokens[indices[start]].range.lowerBound
            let to = reader.tokens[indices[end]].range.upperBound
            if !text.isEmpty, reader.tokens[indices[start]].hasSpaceBefore || end >= start,
                reader.tokens[indices[start]].kind != .sign
            {
                text += " "
            }
            text += reader.message.text[from..<to]
            start = end + 1
        }
        return text
    }
}
