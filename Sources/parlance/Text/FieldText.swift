import ParlanceTerminal
import ParlanceWords

/// Values with their labels as lines for a terminal: `  workspace  Ship`.
struct FieldText {
    private let style: TextStyle
    private var fields: [(label: String, value: String, role: TextStyle.Role)] = []

    /// The columns that labels take at least, with the space behind them.
    private static let leastWidth = 11

    init(style: TextStyle) {
        self.style = style
    }

    mutating func add(_ label: Phrase, _ value: String, _ role: TextStyle.Role = .plain) {
        fields.append((say(label), value, role))
    }

    var lines: [String] {
        let width = fields.reduce(Self.leastWidth) { max($0, DisplayWidth.of($1.label) + 2) }
        return fields.map { label, value, role in
            "  \(style(.faint, DisplayWidth.pad(label, to: width)))\(style(role, VisibleText.line(value)))"
        }
    }
}
