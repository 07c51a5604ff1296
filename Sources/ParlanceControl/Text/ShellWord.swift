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
}
