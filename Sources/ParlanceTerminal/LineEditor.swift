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

    /// Inserts at the cursor. What is inserted may join the character before it, as a mark does, or the one behind it.
    package mutating func insert(_ text: String) {
        let head = String(characters[..<cursor]) + text
        let rest = String(characters[cursor...])
        let end = head.utf8.count
        characters = Array(head + rest)
        // The cursor stands between characters: behind the one that holds the last of the new text.
        var bytes = 0
        cursor = 0
        while bytes < end {
            bytes += characters[cursor].utf8.count
            cursor += 1
        }
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
    package func rows(width: Int) -> (rows: [String], cursor: Picture.Position) {
        let width = max(2, width)
        var rows = [""]
        var used = 0
        var place = Picture.Position(row: 0, column: 0)
        for (index, character) in characters.enumerated() {
            let columns = character.isNewline ? 0 : character == "\t" ? 1 : DisplayWidth.of(character)
            if used + columns > width {
                rows.append("")
                used = 0
            }
            if index == cursor { place = .init(row: rows.count - 1, column: used) }
            if character.isNewline {
                rows.append("")
                used = 0
            } else {
                rows[rows.count - 1].append(character == "\t" ? " " : character)
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
