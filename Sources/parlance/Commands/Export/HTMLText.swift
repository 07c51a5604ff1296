import ParlanceWords

/// Texts of people within HTML: nothing in them is markup, and nothing controls the page.
enum HTMLText {
    /// One line; what is not visible is written out (`VisibleText`).
    static func line(_ text: String) -> String { escaped(VisibleText.line(text)) }

    /// A text with its line breaks, for an element that keeps them.
    static func lines(_ text: String) -> String { VisibleText.lines(text).map(escaped).joined(separator: "\n") }

    /// The characters that end a text or an attribute's value are written as references (HTML Living Standard, 13.1.4).
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
