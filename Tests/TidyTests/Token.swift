/// A word or a single punctuation mark of a line of code.
struct Token: Equatable {
    let text: Substring
    /// Nothing is between this token and the previous one.
    let isAttached: Bool

    var isWord: Bool { text.utf8.first.map(Self.isWord) ?? false }

    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
        default: false
        }
    }

    /// The tokens of a line of masked code.
    static func tokens(of line: String) -> [Token] {
        var tokens: [Token] = []
        let bytes = line.utf8
        var index = bytes.startIndex
        var isAttached = false
        while index < bytes.endIndex {
            let start = index
            let isWord = Self.isWord(bytes[index])
            bytes.formIndex(after: &index)
            if isWord {
                while index < bytes.endIndex, Self.isWord(bytes[index]) { bytes.formIndex(after: &index) }
            } else if [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(bytes[start]) {
                isAttached = false
                continue
            }
            tokens.append(Token(text: line[start..<index], isAttached: isAttached))
            isAttached = true
        }
        return tokens
    }
}
