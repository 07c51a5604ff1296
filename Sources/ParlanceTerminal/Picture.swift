/// What the whole screen is to show. Whatever does not fit is cut off.
package struct Picture: Equatable, Sendable {
    package struct Position: Equatable, Sendable {
        package var row: Int
        package var column: Int

        package init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    package let height: Int
    package let width: Int
    /// Row by row.
    private(set) var cells: [Cell]
    /// Where the cursor stands; nil if there is none.
    package var cursor: Position?

    /// Bytes of a character above which a sign stands for it: the longest emoji have some 40; more are marks without end.
    private static let longestCharacter = 64

    package init(height: Int, width: Int) {
        self.height = max(0, height)
        self.width = max(0, width)
        cells = Array(repeating: .blank, count: self.height * self.width)
    }

    /// Writes text from a column on, up to another one; a wide character that would not fit whole is left out.
    ///
    /// - Returns: the column behind it.
    @discardableResult
    package mutating func write(_ text: String, _ style: Style = .plain, row: Int, column: Int, end: Int? = nil) -> Int
    {
        guard (0..<height).contains(row) else { return column }
        let limit = Swift.min(end ?? width, width)
        var column = column
        for original in text {
            let character = original.utf8.count > Self.longestCharacter ? "\u{FFFD}" : original
            let columns = DisplayWidth.of(character)
            guard columns > 0, !character.isNewline else { continue }
            guard column >= 0, column + columns <= limit else { break }
            put(Cell(character, width: columns, style: style), row, column)
            column += columns
        }
        return column
    }

    @discardableResult
    package mutating func write(_ pieces: [StyledText], row: Int, column: Int, end: Int? = nil) -> Int {
        pieces.reduce(column) { write($1.text, $1.style, row: row, column: $0, end: end) }
    }

    private mutating func put(_ cell: Cell, _ row: Int, _ column: Int) {
        for covered in column..<column + cell.width { erase(row, covered) }
        cells[row * width + column] = cell
        for covered in column + 1..<max(column + 1, column + cell.width) {
            cells[row * width + covered] = Cell(" ", width: 0, style: cell.style)
        }
    }

    /// Blanks the character that a cell belongs to: half of a wide one cannot stay.
    private mutating func erase(_ row: Int, _ column: Int) {
        var first = row * width + column
        while cells[first].width == 0, first > row * width { first -= 1 }
        for index in first..<Swift.min(first + max(1, cells[first].width), (row + 1) * width) { cells[index] = .blank }
    }

    func row(_ index: Int) -> ArraySlice<Cell> { cells[index * width..<(index + 1) * width] }

    /// A row as text, without the blanks at its end; for tests and logs.
    package func text(row index: Int) -> String {
        var text = String(row(index).lazy.filter { $0.width > 0 }.map(\.character))
        while text.last == " " { text.removeLast() }
        return text
    }
}
