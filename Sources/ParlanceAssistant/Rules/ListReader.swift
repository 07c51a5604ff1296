/// Reads the lines of lists: boxes, "TODO: …" and the lines below "To do:".
struct ListReader {
    /// Whether the lines that follow are tasks, and whether they are done.
    private var isDone: Bool?
    /// Whether lines without a bullet are tasks as well.
    private var isPlain = false
    /// Whether the list is the sender's own.
    private var isOwn = false
    /// The member named in the label before a task, as in "Tasks for Tom: …".
    private var labelOwner: String?

    /// Reads a sentence that belongs to a list. Gives false if it belongs to none.
    mutating func read(_ sentence: Sentence, into reader: inout ActionReader) -> Bool {
        guard sentence.startsLine else { return false }
        let tokens = reader.tokens
        let end = sentence.range.upperBound
        var start = sentence.range.lowerBound
        let isBullet = skipBullet(&start, end, tokens)
        if let box = box(at: start, end, tokens) {
            return add(box.end..<end, isDone: box.isDone, in: sentence, to: &reader)
        }
        if let label = label(at: start, end, tokens) {
            if label.end >= end {
                isDone = label.isDone
                return true
            }
            isDone = nil
            if label.isSelf { reader.addressee = nil }
            let names = reader.names
            labelOwner =
                (start..<label.end).lazy
                .compactMap { names.name(at: $0, in: tokens, before: label.end)?.name }.first
            defer { labelOwner = nil }
            return add(label.end..<end, isDone: label.isDone, isSelf: label.isSelf, in: sentence, to: &reader)
        }
        if isListHead(start..<end, tokens) {
            isDone = false
            isPlain = true
            isOwn = (start..<end).contains { Lexicon.possessives.contains(tokens[$0]) }
            return true
        }
        let isMarked = Lexicon.doneSigns.contains(tokens[end - 1])
        guard isBullet || isPlain else {
            isDone = nil
            return false
        }
        guard let isDone else { return false }
        return add(start..<end, isDone: isDone || isMarked, in: sentence, to: &reader)
    }

    /// "My list:" above a list.
    private func isListHead(_ range: Range<Int>, _ tokens: [Token]) -> Bool {
        // The line above a list is short.
        guard range.count <= 8, let last = range.last, tokens[last].folded == ":" else { return false }
        return Lexicon.listWords.isFound(in: range, of: tokens)
    }

    private func skipBullet(_ index: inout Int, _ end: Int, _ tokens: [Token]) -> Bool {
        guard index + 1 < end else { return false }
        if ["-", "*", "\u{2022}", "\u{2013}", "+", "\u{25AA}"].contains(tokens[index].folded) {
            index += 1
            return true
        }
        if tokens[index].kind == .number, tokens[index + 1].folded == "." || tokens[index + 1].folded == ")" {
            index += 2
            return true
        }
        return false
    }

    private func box(at index: Int, _ end: Int, _ tokens: [Token]) -> (isDone: Bool, end: Int)? {
        guard index < end else { return nil }
        switch tokens[index].folded {
        case "\u{2610}": return (false, index + 1)
        case "\u{2611}", "\u{2612}": return (true, index + 1)
        case "[":
            if index + 1 < end, tokens[index + 1].folded == "]" { return (false, index + 2) }
            guard index + 2 < end, tokens[index + 2].folded == "]" else { return nil }
            let mark = tokens[index + 1].folded
            return mark == "x" || mark == "\u{2713}" || mark == "\u{2714}" ? (true, index + 3) : nil
        default: return nil
        }
    }

    private typealias Label = (isDone: Bool, isSelf: Bool, end: Int)

    private func label(at index: Int, _ end: Int, _ tokens: [Token]) -> Label? {
        let task = Lexicon.taskLabels.length(at: index, in: tokens, before: end)
        let done = Lexicon.doneLabels.length(at: index, in: tokens, before: end)
        let own = Lexicon.selfLabels.length(at: index, in: tokens, before: end)
        let length = max(task, done, own)
        guard length > 0 else { return nil }
        var next = index + length
        // "To do for the shutdown:" has a few more words before its colon.
        if length == task, next < end, tokens[next].folded != ":", tokens[end - 1].folded == ":", end - next < 8 {
            next = end - 1
        }
        if length == task, next < end, tokens[next].folded != ":" {
            // "Tasks for Tom: mow the lawn". The owner has a few words only.
            next = (next..<min(end, next + 5)).first { tokens[$0].folded == ":" } ?? next
        }
        // The label can be a line of its own.
        if next == end, length == task { return (false, false, end) }
        guard next < end, tokens[next].folded == ":" else { return nil }
        return (done == length, own == length, next + 1)
    }

    // MARK: Tasks

    private func add(
        _ range: Range<Int>,
        isDone: Bool,
        isSelf: Bool = false,
        in sentence: Sentence,
        to reader: inout ActionReader
    ) -> Bool {
        let before = reader.found.count
        for part in parts(of: range, reader) {
            var part = part
            let owner = owner(of: &part, reader) ?? labelOwner ?? (isSelf || isOwn ? reader.message.sender : nil)
            guard !part.isEmpty else { continue }
            let due = reader.deadline(in: part) ?? reader.deadline(in: range)
            let trigger = Trigger(kind: .order, start: part.lowerBound, assignee: .nobody)
            if let task = TaskText.text(of: trigger, range: part, reader: reader) {
                reader.add(task, owner, due?.deadline, in: sentence.range, isDone: isDone)
            }
        }
        return reader.found.count > before
    }

    /// "charge the batteries, back up the cards" is two tasks if each part is one by itself.
    private func parts(of range: Range<Int>, _ reader: ActionReader) -> [Range<Int>] {
        let tokens = reader.tokens
        var parts: [Range<Int>] = []
        var start = range.lowerBound
        for index in range where tokens[index].folded == "," || tokens[index].folded == ";" {
            if index + 1 < range.upperBound, tokens[index + 1].hasSpaceBefore, start < index {
                parts.append(start..<index)
                start = index + 1
            }
        }
        if start < range.upperBound { parts.append(start..<range.upperBound) }
        let areTasks = parts.allSatisfy { part in
            part.count >= 2
                && (Lexicon.englishVerbs.length(at: part.lowerBound, in: tokens, before: part.upperBound) > 0
                    || Lexicon.weakImperatives.contains(tokens[part.lowerBound])
                    || reader.endsWithInfinitive(part))
        }
        // "badges, lanyards, the bunting": three and more short things.
        let areThings = parts.count >= 3 && parts.allSatisfy { $0.count <= 3 }
        return areTasks || areThings ? parts : [range]
    }

    /// Takes "Dale:", "@Dale" or "(Dale)" off the ends of a task and gives the name.
    private func owner(of part: inout Range<Int>, _ reader: ActionReader) -> String? {
        let tokens = reader.tokens
        if let name = reader.names.name(at: part.lowerBound, in: tokens, before: part.upperBound) {
            var next = name.end
            let isLabel =
                next < part.upperBound && [":", "-", "\u{2013}", "\u{2192}", ","].contains(tokens[next].folded)
            if isLabel || tokens[part.lowerBound].folded == "@" || tokens[next - 1].folded != name.name {
                if isLabel { next += 1 }
                if ["to", "will", "soll"].contains(next < part.upperBound ? tokens[next].folded : "") { next += 1 }
                part = next..<part.upperBound
                return name.name
            }
        }
        var end = part.upperBound
        while end > part.lowerBound, tokens[end - 1].kind == .sign { end -= 1 }
        // A name has a few words only.
        for start in (max(part.lowerBound + 1, end - 4)..<max(end, part.lowerBound + 1)).reversed() {
            guard let name = reader.names.name(at: start, in: tokens, before: end), name.end == end else { continue }
            let sign = tokens[start - 1].folded
            guard tokens[start].folded == "@" || ["(", "-", "\u{2192}", "@", ":", "\u{2013}", "["].contains(sign) else {
                continue
            }
            part = part.lowerBound..<(tokens[start].folded == "@" ? start : start - 1)
            return name.name
        }
        return nil
    }
}
