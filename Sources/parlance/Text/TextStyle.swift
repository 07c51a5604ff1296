/// Colours for a terminal; in a pipe, or if the user wants none, every style leaves the text unchanged.
struct TextStyle: Equatable, Sendable {
    enum Role: Sendable {
        case plain, strong, faint, good, warning, bad, name
        /// What a search was for.
        case found
    }

    let isColoured: Bool

    init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    /// Colours on a terminal only, and not if `NO_COLOR` is set (no-color.org) or the terminal is `dumb`.
    init(isTerminal: Bool, environment: [String: String]) {
        let isUnwanted = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        self.init(isColoured: isTerminal && !isUnwanted && environment["TERM"] != "dumb")
    }

    func callAsFunction(_ role: Role, _ text: String) -> String {
        guard isColoured, let code = Self.code(role), !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
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
