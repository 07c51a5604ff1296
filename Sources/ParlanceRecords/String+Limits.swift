extension String {
    /// Without the spaces at its ends, which nobody sees.
    package var trimmed: String {
        let seen = unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = seen.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(String.UnicodeScalarView(seen[...last]))
    }

    /// The longest prefix of whole characters with at most `limit` bytes of UTF-8.
    package func prefix(utf8 limit: Int) -> String {
        var taken = ""
        var bytes = 0
        for character in self {
            bytes += character.utf8.count
            guard bytes <= limit else { break }
            taken.append(character)
        }
        return taken
    }

    /// Whether it contains control characters, which can steer a terminal.
    package var hasControlCharacters: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// The text on one line, without control and format characters, so that text from a stranger cannot steer a screen
    /// or change the direction of the text beside it. A line break or tab becomes one space, which keeps words apart.
    /// The joiner in emoji sequences stays. The result is never longer in UTF-8 than the original.
    package var withoutControlCharacters: String {
        var shown = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in unicodeScalars {
            // A carriage return with a line feed is one break.
            if Self.isBreak(scalar) {
                if !(previous == "\r" && scalar == "\n") { shown.append(" ") }
            } else if scalar == "\u{200D}" || !scalar.isInvisible {
                shown.append(scalar)
            }
            previous = scalar
        }
        return String(shown)
    }

    /// Line feed, tabs, form feed, carriage return, next line, line and paragraph separator.
    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a control or format character.
    package var isInvisible: Bool { properties.generalCategory == .control || properties.generalCategory == .format }
}
