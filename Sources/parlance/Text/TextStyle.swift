import ParlanceTerminal

/// Colours for a terminal; in a pipe, or if the user wants none, every style leaves the text unchanged.
struct TextStyle: Equatable, Sendable {
    enum Role: Sendable {
        case plain, strong, faint, good, warning, bad, name
        /// What a search was for.
        case found
    }

    let isColoured: Bool
    /// Whether the cursor can be moved within a line.
    let canMove: Bool

    init(isColoured: Bool, canMove: Bool = false) {
        self.isColoured = isColoured
        self.canMove = canMove
    }

    /// Colours on a terminal only, and not if `NO_COLOR` is set (no-color.org) or the terminal is `dumb`.
    init(isTerminal: Bool, environment: [String: String]) {
        let isUnwanted = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let isCapable = isTerminal && environment["TERM"] != "dumb"
        self.init(isColoured: isCapable && !isUnwanted, canMove: isCapable)
    }

    func callAsFunction(_ role: Role, _ text: String) -> String {
        guard isColoured, let code = Self.code(role), !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    /// What stands between a text that begins a line, or a part of one, and the next column that counts.
    ///
    /// Terminals differ in the columns of some emoji. After one of these the cursor is set (CSI n G, "cursor character
    /// absolute", ECMA-48, 8.3.9), so that the next column is straight in any of them.
    func gap(after text: String, from start: Int = 0, to column: Int) -> String {
        guard canMove, !text.allSatisfy(DisplayWidth.isCertain) else {
            return String(repeating: " ", count: max(0, column - start - DisplayWidth.of(text)))
        }
        return "\u{1B}[\(column + 1)G"
    }

    private static func code(_ role: Role) -> String? {
        switch role {
        case .plain: nil
        case .strong: "1"
        case .faint: "2"
        case .good: "32"
        case .warning: "33"
        case .bad: "31"
        case .name: "36"
        case .found: "1;33"
        }
    }
}
