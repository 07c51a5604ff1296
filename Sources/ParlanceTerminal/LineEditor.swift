/// A text that is being written, which may have several lines, and the cursor in it.
package struct LineEditor: Equatable, Sendable {
    private var characters: [Character] = []
    /// The number of characters before the cursor.
    private(set) var cursor = 0

    package init(_ text: String = "") {
        characters = Array(text)
        cursor = characters.count
    }

    package var text: String { String(characters) }
    package var isEmpty: Bool { characters.isEmpty }
    package var beforeCursor: String { String(characters[..<cursor]) }

    package var count: Int { characters.count }

    /// Inserts at the cursor. What is inserted may join the character before it, as a mark does, or the one behind it.
    package mutating func insert(_ text: String) {
        // A character of ASCII that stands alone joins nothing beyond it (Unicode Standard Annex 29): only what is between
        // the nearest two has to be looked at.
        let start = characters[..<cursor].lastIndex(where: \.isASCII) ?? 0
        let end = characters[cursor...].firstIndex(where: \.isASCII).map { $0 + 1 } ?? characters.count
        let head = String(characters[start..<cursor]) + text
        let new = Array(head + String(characters[cursor..<end]))
        characters.replaceSubrange(start..<end, with: new)
        // The cursor stands between characters: behind the one that holds the last of the new text.
        let wanted = head.utf8.count
        var bytes = 0
        cursor = start
        while bytes < wanted {
            bytes += characters[cursor].utf8.count
            cursor += 1
        }
    }

    /// Inserts at a place; the cursor stays where it is in the text.
    package mutating func insert(_ text: String, at place: Int) {
        let behind = characters.count - cursor
        let isBefore = place <= cursor
        let old = cursor
        cursor = min(max(0, place), characters.count)
        insert(text)
        cursor = isBefore ? max(0, characters.count - behind) : min(old, characters.count)
    }

    package mutating func insert(_ scalar: Unicode.Scalar) {
        insert(String(Character(scalar)))
    }

    /// Removes characters of a range; what remains may join.
    private mutating func remove(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let rest = String(characters[range.upperBound...])
        self = LineEditor(String(characters[..<range.lowerBound]))
        let place = cursor
        characters = Array(text + rest)
        cursor = min(place, characters.count)
    }

    package mutating func deleteBackward() {
        if cursor > 0 { remove(cursor - 1..<cursor) }
    }

    package mutating func deleteForward() {
        if cursor < characters.count { remove(cursor..<cursor + 1) }
    }

    package mutating func deleteWordBackward() { remove(wordStart..<cursor) }
    package mutating func deleteWordForward() { remove(cursor..<wordEnd) }
    package mutating func deleteToLineStart() { remove(lineStart..<cursor) }
    package mutating func deleteToLineEnd() { remove(cursor..<lineEnd) }

    package mutating func moveLeft() { cursor = max(0, cursor - 1) }
    package mutating func moveRight() { cursor = min(characters.count, cursor + 1) }
    package mutating func moveWordLeft() { cursor = wordStart }
    package mutating func moveWordRight() { cursor = wordEnd }
    package mutating func moveToLineStart() { cursor = lineStart }
    package mutating func moveToLineEnd() { cursor = lineEnd }

    /// Moves to the line above; false if there is none.
    package mutating func moveUp() -> Bool {
        guard lineStart > 0 else { return false }
        let offset = cursor - lineStart
        cursor = lineStart - 1
        cursor = min(lineStart + offset, cursor)
        return true
    }

    /// Moves to the line below; false if there is none.
    package mutating func moveDown() -> Bool {
        guard lineEnd < characters.count else { return false }
        let offset = cursor - lineStart
        cursor = lineEnd + 1
        cursor = min(cursor + offset, lineEnd)
        return true
    }

    private var lineStart: Int { (characters[..<cursor].lastIndex { $0.isNewline } ?? -1) + 1 }
    private var lineEnd: Int { characters[cursor...].firstIndex { $0.isNewline } ?? characters.count }

    /// Where the word before the cursor begins.
    private var wordStart: Int {
        let end = characters[..<cursor].lastIndex { Self.isWord($0) } ?? -1
        return end < 0 ? 0 : (characters[...end].lastIndex { !Self.isWord($0) } ?? -1) + 1
    }

    /// Where the word behind the cursor ends.
    private var wordEnd: Int {
        guard let start = characters[cursor...].firstIndex(where: Self.isWord) else { return characters.count }
        return characters[start...].firstIndex { !Self.isWord($0) } ?? characters.count
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    /// Replaces the last characters before the cursor, as a completion does.
    package mutating func replaceBeforeCursor(_ count: Int, with text: String) {
        remove(max(0, cursor - count)..<cursor)
        insert(text)
    }

    /// The rows that show the text in a width, and where the cursor is in them; a row ends where the width does.
    ///
    /// - Parameter shown: how a character that cannot be shown as it is appears.
    package func rows(
        width: Int,
        shown: (Character) -> String = { String($0) }
    ) -> (rows: [String], cursor: Picture.Position) {
        let width = max(2, width)
        var rows = [""]
        var used = 0
        var place = Picture.Position(row: 0, column: 0)
        for (index, character) in characters.enumerated() {
            let isPlain = character.isASCII && !character.isNewline && character != "\t"
            let text = character.isNewline ? "" : character == "\t" ? " " : isPlain ? nil : shown(character)
            let columns = text.map(DisplayWidth.of) ?? 1
            // What is wider than the screen is cut there.
            if used > 0, used + columns > width {
                rows.append("")
                used = 0
            }
            if index == cursor { place = .init(row: rows.count - 1, column: used) }
            if character.isNewline {
                rows.append("")
                used = 0
            } else {
                if let text { rows[rows.count - 1] += text } else { rows[rows.count - 1].append(character) }
                used += columns
            }
        }
        if cursor == characters.count {
            if used >= width {
                rows.append("")
                used = 0
            }
            place = .init(row: rows.count - 1, column: used)
        }
        return (rows, place)
    }
}
