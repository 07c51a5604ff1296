/// Reads a catalogue in gettext's format (GNU gettext manual, "The Format of PO Files"): comments, `msgctxt`, `msgid` and
/// `msgstr`. English and German have the same plurals, so that these are two phrases, and `msgid_plural` is not read.
package enum CatalogueFile {
    package struct Entry: Equatable, Sendable {
        /// `msgctxt`
        package var hint: String?
        /// `msgid`
        package var english = ""
        /// `msgstr`
        package var text = ""
        /// The line of `msgid`, from 1.
        package var line = 0
    }

    /// A line that is not understood.
    package struct Fault: Error, Equatable {
        package let line: Int
    }

    private enum Field: String {
        case hint = "msgctxt"
        case english = "msgid"
        case text = "msgstr"

        /// Whether a line with this keyword may follow one of `last`.
        func follows(_ last: Field?) -> Bool {
            switch self {
            case .hint: last == nil || last == .text
            case .english: last != .english
            case .text: last == .english
            }
        }
    }

    /// The entries in their order, without the header, whose `msgid` is empty.
    package static func entries(_ bytes: [UInt8]) throws(Fault) -> [Entry] {
        var entries: [Entry] = []
        var entry = Entry()
        var field: Field?
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            let word = line.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\"") }
            if !word.isEmpty {
                guard let next = Field(rawValue: String(decoding: word, as: UTF8.self)), next.follows(field) else {
                    throw Fault(line: number)
                }
                if field == .text {
                    entries.append(entry)
                    entry = Entry()
                }
                if next == .hint { entry.hint = "" }
                if next == .english { entry.line = number }
                field = next
            }
            guard let text = literal(line[word.endIndex...]) else { throw Fault(line: number) }
            switch field {
            case .hint: entry.hint? += text
            case .english: entry.english += text
            case .text: entry.text += text
            case nil: throw Fault(line: number)
            }
        }
        guard field == nil || field == .text else { throw Fault(line: number) }
        if field != nil { entries.append(entry) }
        return entries.filter { !$0.english.isEmpty }
    }

    /// The text of a literal in quotes, which takes the rest of a line; nil if it is malformed.
    private static func literal(_ bytes: ArraySlice<UInt8>) -> String? {
        var bytes = bytes.drop { $0 == UInt8(ascii: " ") }
        guard bytes.count >= 2, bytes.removeFirst() == quote, bytes.removeLast() == quote else { return nil }
        guard bytes.contains(backslash) else {
            return bytes.contains(quote) ? nil : String(validating: bytes, as: UTF8.self)
        }
        var text: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                switch byte {
                case quote, backslash: text.append(byte)
                case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
                default: return nil
                }
                isEscaped = false
            } else if byte == backslash {
                isEscaped = true
            } else if byte == quote {
                return nil
            } else {
                text.append(byte)
            }
        }
        return isEscaped ? nil : String(validating: text, as: UTF8.self)
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
}
