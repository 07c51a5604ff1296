/// One cell of the screen.
package struct Cell: Equatable, Sendable {
    package var character: Character
    /// The columns that the character takes; 0 in the cells that it covers behind its first.
    package var width: Int
    package var style: Style

    package init(_ character: Character = " ", width: Int = 1, style: Style = .plain) {
        self.character = character
        self.width = width
        self.style = style
    }

    static let blank = Cell()
}
