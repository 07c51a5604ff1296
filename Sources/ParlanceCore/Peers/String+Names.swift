import ParlanceWire

extension String {
    /// Whether characters in it steer a terminal rather than say something.
    package var hasControlCharacters: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// The text on one line, without control and format characters, so that what a stranger sends cannot steer a screen
    /// or turn the direction of what stands beside it. A line break or a tab becomes one space, which keeps the words
    /// beside it apart. The joiner that holds emoji together stays. It is never longer in UTF-8 than before.
    package var withoutControlCharacters: String {
        var shown = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in unicodeScalars {
            // Carriage return and line feed together are one break.
            if Self.isBreak(scalar) {
                if !(previous == "\r" && scalar == "\n") { shown.append(" ") }
            } else if scalar == "\u{200D}" || !Self.isInvisible(scalar) {
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

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        let category = scalar.properties.generalCategory
        return category == .control || category == .format
    }

    /// What a reader sees of a name at a glance: without case, spaces and what is not seen, without what looks like the mark of
    /// somebody verified, and without the suffix of one who shares a name (contacts.md, "Names").
    package var likeness: String {
        let seen = String(String.UnicodeScalarView(unicodeScalars.filter { Self.isSeen($0) })).lowercased()
        guard let tilde = seen.lastIndex(of: "~"), tilde > seen.startIndex, seen[tilde...].utf8.count == 5 else {
            return seen
        }
        return String(seen[..<tilde])
    }

    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x21...0x7E).contains(scalar.value) }
        switch scalar.value {
        // The empty Braille pattern, and check marks.
        case 0x2800, 0x221A, 0x2611, 0x2705, 0x2713, 0x2714, 0x237B, 0x10102, 0x1F5F8, 0x1F5F9, 0x1FBB1: return false
        default:
            let properties = scalar.properties
            return !properties.isDefaultIgnorableCodePoint && !properties.isWhitespace && !isInvisible(scalar)
        }
    }

    /// What keeps it from being a name; `nil` if nothing does.
    package var faultAsName: NameFault? {
        if hasControlCharacters { return .controlCharacters }
        let shown = withoutControlCharacters
        guard !shown.isBlank, shown.utf8.count <= Limits.nameBytes else { return .length }
        return nil
    }
}
