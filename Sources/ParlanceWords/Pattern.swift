/// Texts with `{1}`, `{2}` and so on in place of values.
enum Pattern {
    /// The text with its values; a number without a value stays as it is.
    static func filled(_ pattern: String, value: (Int) -> String?) -> String {
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
            result += pattern[start..<open]
            result += text
            position = bytes.index(after: position)
            start = position
        }
        return result + pattern[start...]
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
