/// A piece of text in one style.
package struct StyledText: Equatable, Sendable {
    package var text: String
    package var style: Style

    package init(_ text: String, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }
}

extension [StyledText] {
    /// The columns of all pieces.
    package var width: Int { reduce(0) { $0 + DisplayWidth.of($1.text) } }

    /// The pieces in another style, as a selected row has it.
    package func styled(_ style: Style) -> [StyledText] { map { StyledText($0.text, style) } }
}
