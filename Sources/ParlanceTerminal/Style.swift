/// What a text on the screen is, which decides its colour: one of the terminal's own 16, so that it is readable on any
/// background.
package enum Style: Equatable, Sendable, CaseIterable {
    case plain, strong, faint, good, warning, bad, name, selected

    /// The parameters of "select graphic rendition" (ECMA-48, 8.3.117) that follow a reset.
    func parameters(coloured: Bool) -> String {
        switch self {
        case .plain: ""
        case .strong: ";1"
        case .faint: ";2"
        case .good: coloured ? ";32" : ""
        case .warning: coloured ? ";33" : ";1"
        case .bad: coloured ? ";31" : ";1"
        case .name: coloured ? ";36" : ""
        case .selected: ";7"
        }
    }
}
