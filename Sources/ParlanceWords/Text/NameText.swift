/// Names as shown to people: a mark follows the name of a verified person.
package enum NameText {
    /// Follows the name of a verified person, and stands nowhere else.
    package static let mark = "\u{2713}"

    /// What becomes of a text of somebody else (a name, title, status or file name) in a sentence: it is one line, steers
    /// nothing, and has no characters that look like the mark, so that nobody can give it to themselves (verification.md).
    package static func plain(_ name: String) -> String { VisibleText.line(withoutMarks(name)) }

    private static func withoutMarks(_ name: String) -> String {
        guard name.unicodeScalars.contains(where: isMark) else { return name }
        var kept = String.UnicodeScalarView(name.unicodeScalars.filter { !isMark($0) && $0.value != 0xFE0F })
        while kept.last == " " { kept.removeLast() }
        return kept.isEmpty ? "?" : String(kept)
    }

    /// Check marks: plain, heavy, in a box, as a picture; the root sign, which looks like one.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x221A, 0x2611, 0x2705, 0x2713, 0x2714, 0x237B, 0x10102, 0x1F5F8, 0x1F5F9, 0x1FBB1: true
        default: false
        }
    }
}
