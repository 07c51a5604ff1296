/// Words in commands that users are told to type or paste: each works as it is printed, in bash and in zsh.
package enum ShellWord {
    /// A command with words that somebody else may have chosen. A `--` stands before one that looks like an option. It has
    /// the options of the running command (`CommandOptions`); a daemon passes it on as `Phrase(command:)`.
    ///
    /// - Parameters:
    ///   - name: the command, such as `parlance history`.
    ///   - operands: the words that are no options, as they are meant.
    ///   - options: as they are to stand there; behind the operands if they can.
    package static func command(_ name: String, _ operands: [String], options: [String] = []) -> String {
        let words = operands.map(quoted)
        let line = operands.contains { $0.hasPrefix("-") } ? options + ["--"] + words : words + options
        return ([CommandOptions.added(toCommand: name)] + line).joined(separator: " ")
    }

    /// An option with its value, which may begin with a dash.
    package static func option(_ name: String, _ value: String) -> String {
        "\(name)\(value.hasPrefix("-") ? "=" : " ")\(quoted(value))"
    }

    /// A word as a shell needs it: in quotes unless it is plain, and with escapes for what a terminal must not get.
    package static func quoted(_ word: String) -> String {
        if VisibleText.line(word) != word { return "$'" + word.unicodeScalars.map(escaped).joined() + "'" }
        if !word.isEmpty, word.utf8.allSatisfy(isPlain) { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// A character between `$'` and `'`.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\", "'": "\\\(scalar)"
        case "\n": "\\n"
        case "\t": "\\t"
        case _ where VisibleText.line(String(scalar)) == String(scalar): String(scalar)
        // Bytes, as `\u` depends on the locale.
        default: scalar.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
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
