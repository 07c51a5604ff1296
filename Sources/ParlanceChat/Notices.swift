import ParlanceControl
import ParlanceTerminal
import ParlanceWords

/// What is said below the history: until the next key, or for a while if nobody asked for it just now.
struct Notices: Sendable {
    struct Notice: Equatable {
        let text: String
        let style: Style
        var until: ControlTime?
        /// Whether it says why something that was typed was not done.
        let isRefusal: Bool

        init(_ phrase: Phrase, _ style: Style, until: ControlTime? = nil, isRefusal: Bool = false) {
            (text, self.style, self.until) = (VisibleText.line(say(phrase)), style, until)
            self.isRefusal = isRefusal
        }

        /// The text in rows of at most `width` columns. If it needs more than `most` rows, the last one is cut.
        func rows(width: Int, most: Int) -> [String] {
            var rows = WordWrap.lines(text, width: width)
            guard rows.count > most else { return rows }
            let rest = rows[(most - 1)...].joined(separator: " ")
            rows.removeSubrange((most - 1)...)
            return rows + [DisplayWidth.cut(rest, to: width)]
        }
    }

    private(set) var present: Notice?

    /// Milliseconds for which a notice stays that nobody waited for, unless Esc ends it.
    private static let staying: Int64 = 8_000

    mutating func tell(_ phrase: Phrase, _ style: Style, stays: Bool, at now: ControlTime) {
        present = Notice(phrase, style, until: stays ? now + Self.staying : nil)
    }

    mutating func refuse(_ phrase: Phrase, at now: ControlTime) {
        present = Notice(phrase, .bad, until: now + Self.staying, isRefusal: true)
    }

    mutating func clear() {
        present = nil
    }

    /// Ends a refusal once something else is sent.
    mutating func sent() {
        if present?.isRefusal == true { present = nil }
    }

    mutating func pressed(_ key: Key) {
        if present?.until == nil || key == .named(.escape) { present = nil }
    }

    mutating func passed(_ now: ControlTime) {
        if let until = present?.until, until <= now { present = nil }
    }
}
