import ParlanceControl

/// The signs of the screen, in ASCII where the terminal reads nothing else.
package struct Glyphs: Equatable, Sendable {
    package let isUTF8: Bool

    package init(isUTF8: Bool) {
        self.isUTF8 = isUTF8
    }

    var vertical: String { isUTF8 ? "│" : "|" }
    var horizontal: String { isUTF8 ? "─" : "-" }
    var crossing: String { isUTF8 ? "┼" : "+" }
    var answer: String { isUTF8 ? "↳ " : "> " }
    var above: String { isUTF8 ? "↑" : "^" }
    var more: String { isUTF8 ? "↓" : "v" }

    func presence(_ state: PresenceState) -> String {
        switch state {
        case .online: isUTF8 ? "●" : "*"
        case .away: isUTF8 ? "◐" : "~"
        case .busy: isUTF8 ? "■" : "!"
        case .offline: isUTF8 ? "○" : "."
        }
    }
}
