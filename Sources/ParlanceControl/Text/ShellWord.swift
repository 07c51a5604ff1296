/// Words in commands that users are told to type or paste.
package enum ShellWord {
    /// A word as a shell needs it: in quotes unless it is plain, with control characters made visible.
    package static func quoted(_ word: String) -> String {
        let visible = VisibleText.line(word)
        if !word.isEmpty, word.utf8.allSatisfy(isPlain) { return visible }
        return "'" + visible.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "/"),
            0x80...:
            true
        default: false
        }
    }

    /// The word that a shell makes of what stands in a line: without the quotes.
    package static func read(_ typed: String) -> String {
        var (word, rest) = ("", Substring(typed))
        while let sign = rest.popFirst() {
            switch sign {
            case "\\": if let next = rest.popFirst() { word.append(next) }
            case "'":
                word += rest.prefix { $0 != "'" }
                rest = rest.drop { $0 != "'" }.dropFirst()
            case "\"":
                while let next = rest.popFirst(), next != "\"" {
                    let isEscape = next == "\\" && rest.first.map { "\"\\$`".contains($0) } == true
                    word.append(isEscape ? rest.removeFirst() : next)
                }
            default: word.append(sign)
            }
        }
        return word
    }
}
