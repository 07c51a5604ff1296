/// Makes the names and texts of others harmless for a terminal: shows control characters instead of obeying them.
///
/// Escape sequences can rewrite the screen or type for the user, and direction marks can make a text read as another
/// (Unicode Technical Report 36, section 2.5). Both are written in the form `\u{1B}`.
package enum VisibleText {
    /// One line: line feeds and tabs are shown too.
    package static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == Self.blackFlag, let flag = Self.regionFlags.first(where: { rest.starts(with: $0) }) {
                result.unicodeScalars.append(contentsOf: flag)
                rest = rest.dropFirst(flag.count)
                continue
            }
            rest.removeFirst()
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += " "
            case _ where isUnsafe(scalar): result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static let blackFlag: Unicode.Scalar = "\u{1F3F4}"
    /// The flags of England, Scotland and Wales: a black flag and tags, which are hidden anywhere else (Unicode Technical
    /// Standard 51, ED-14a).
    private static let regionFlags = ["gbeng", "gbsct", "gbwls"].map { region in
        [blackFlag] + region.unicodeScalars.compactMap { Unicode.Scalar(0xE0000 + $0.value) } + ["\u{E007F}"]
    }

    /// The lines of a text, each made harmless; a carriage return before a line feed is dropped.
    package static func lines(_ text: String) -> [String] {
        let plain = String(String.UnicodeScalarView(dropCarriageReturns(text.unicodeScalars)))
        return plain.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }
    }

    private static func dropCarriageReturns(_ scalars: String.UnicodeScalarView) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        for scalar in scalars {
            if scalar == "\n", result.last == "\r" { result.removeLast() }
            result.append(scalar)
        }
        return result
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        // The joiners form emoji and some scripts, and move nothing.
        if scalar.value == 0x200C || scalar.value == 0x200D { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
        default: return false
        }
    }
}
