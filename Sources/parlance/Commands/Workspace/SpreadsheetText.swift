/// The texts of spreadsheets that do not write UTF-8: Excel writes "Unicode text" as UTF-16, and in western Europe and
/// America "CSV" as Windows-1252.
enum SpreadsheetText {
    /// A text that says by its first two bytes that it is UTF-16; `nil` for any other, and for one that is damaged.
    static func utf16(_ bytes: [UInt8]) -> String? {
        guard saysUTF16(bytes), bytes.count.isMultiple(of: 2) else { return nil }
        let isLittle = bytes[0] == 0xFF
        let units = stride(from: 2, to: bytes.count, by: 2).map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return String(validating: units, as: UTF16.self)
    }

    /// The first line that is not UTF-8 of a text that has characters of several bytes in UTF-8 elsewhere, counted from 1;
    /// `nil` for a text without such characters, which may be in another encoding as a whole.
    static func lineThatIsNot(utf8 bytes: [UInt8]) -> Int? {
        var (line, wrong, hasCharacters) = (1, Int?.none, false)
        var (decoder, input) = (Unicode.UTF8(), bytes.makeIterator())
        while true {
            switch decoder.decode(&input) {
            case .emptyInput: return hasCharacters ? wrong : nil
            case .error: wrong = wrong ?? line
            case .scalarValue(let scalar):
                if scalar == "\n" { line += 1 }
                if !scalar.isASCII { hasCharacters = true }
            }
        }
    }

    private static func saysUTF16(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    }

    /// The text in Windows-1252 (WHATWG, Encoding, "index windows-1252"); `nil` if it has control characters or bytes
    /// that mean nothing there, or says that it is UTF-16.
    static func windows1252(_ bytes: [UInt8]) -> String? {
        guard !saysUTF16(bytes) else { return nil }
        var text = String.UnicodeScalarView()
        for byte in bytes {
            switch byte {
            case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0xA0...0xFF: text.append(Unicode.Scalar(byte))
            case 0x80...0x9F:
                let scalar = special[Int(byte) - 0x80]
                guard scalar != " " else { return nil }
                text.append(scalar)
            default: return nil
            }
        }
        return String(text)
    }

    /// The characters of the bytes 0x80 to 0x9F; a space for those that have none.
    private static let special = Array("€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ".unicodeScalars)
}
