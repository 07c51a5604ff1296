/// Texts with `{1}`, `{2}` and so on in place of values.
enum Pattern {
    /// The text with its values; a number without a value stays as it is.
    ///
    /// - Parameter words: transforms the text between the values.
    static func filled(
        _ pattern: String,
        words: (Substring) -> String = { String($0) },
        value: (Int) -> String?
    ) -> String {
        let bytes = pattern.utf8
        var result = ""
        var start = bytes.startIndex
        var position = start
        while let open = bytes[position...].firstIndex(of: UInt8(ascii: "{")) {
            let digits = bytes[bytes.index(after: open)...].prefix { isDigit($0) }
            position = digits.endIndex
            guard position < bytes.endIndex, bytes[position] == UInt8(ascii: "}"), !digits.isEmpty,
                let text = Int(Substring(digits)).flatMap(value)
            else { continue }
            result += words(pattern[start..<open])
            result += text
            position = bytes.index(after: position)
            start = position
        }
        return result + words(pattern[start...])
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
