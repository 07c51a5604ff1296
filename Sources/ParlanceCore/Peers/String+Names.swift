import FoundationEssentials
import ParlanceRecords
import ParlanceWire

extension String {
    /// What a reader sees of a name at a glance: lower case, without spaces, invisible characters, check marks (which
    /// look like the mark of a verified peer), and the suffix that tells equal names apart (contacts.md, "Names").
    package var likeness: String { seen.lowercased() }

    /// The name in its plainest letters, of whatever scripts those that it has are: names with the same skeleton look alike
    /// (Unicode Technical Standard 39, section 4).
    var skeleton: String {
        // Lower case comes last, because often only the capital letters of two scripts look alike, and a capital letter may
        // become one that looks like another.
        let plain = seen.compatiblyDecomposed
        return Skeletons.skeleton(of: Skeletons.skeleton(of: plain).lowercased())
    }

    /// Under what a name is found by those that look like it.
    var looks: Set<String> { [likeness, skeleton] }

    package func looksLike(_ other: String) -> Bool { likeness == other.likeness || skeleton == other.skeleton }

    /// The characters of a name that a reader sees, without the suffix that tells equal names apart.
    private var seen: String {
        let seen = String(String.UnicodeScalarView(unicodeScalars.filter { Self.isSeen($0) }))
        guard let tilde = seen.lastIndex(of: "~"), tilde > seen.startIndex, seen[tilde...].utf8.count == 5 else {
            return seen
        }
        return String(seen[..<tilde])
    }

    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x21...0x7E).contains(scalar.value) }
        switch scalar.value {
        // The empty Braille pattern.
        case 0x2800: return false
        default:
            if isCheckMark(scalar) { return false }
            let properties = scalar.properties
            return !properties.isDefaultIgnorableCodePoint && !properties.isWhitespace && !scalar.isInvisible
        }
    }

    /// Whether there is anything to see in it.
    var hasVisibleCharacters: Bool { unicodeScalars.contains(where: Self.isSeen) }

    /// Whether it looks like the mark of a verified peer.
    private static func isCheckMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x221A, 0x2611, 0x2705, 0x2713, 0x2714, 0x237B, 0x10102, 0x1F5F8, 0x1F5F9, 0x1FBB1: true
        default: false
        }
    }

    var hasCheckMarks: Bool { unicodeScalars.contains(where: Self.isCheckMark) }

    /// A name or title without characters that look like the mark of a verified peer.
    var withoutCheckMarks: String {
        guard hasCheckMarks else { return self }
        var kept = UnicodeScalarView(unicodeScalars.filter { !Self.isCheckMark($0) && $0.value != 0xFE0F })
        while kept.last == " " { kept.removeLast() }
        return kept.isEmpty ? "?" : String(kept)
    }

    /// Why the text is not a valid name; `nil` if it is valid.
    package var faultAsName: NameFault? {
        if hasControlCharacters { return .controlCharacters }
        if hasCheckMarks { return .checkMark }
        let shown = withoutControlCharacters
        guard shown.hasVisibleCharacters, shown.utf8.count <= Limits.nameBytes else { return .length }
        return nil
    }
}
