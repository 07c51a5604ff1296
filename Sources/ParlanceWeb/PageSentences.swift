/// Finds what the modules of the page say: the texts in `say("…")` and `say('…')`.
package enum PageSentences {
    /// - Returns: the texts, in their order.
    package static func all(in source: String) -> [String] {
        var sentences: [String] = []
        var rest = source[...]
        while let call = rest.firstRange(of: "say(") {
            let isWord =
                rest[..<call.lowerBound].last.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." } ?? false
            rest = rest[call.upperBound...].drop(while: \.isWhitespace)
            guard !isWord, let quote = rest.first, quote == "\"" || quote == "'" || quote == "`" else { continue }
            sentences.append(literal(&rest, quote))
        }
        return sentences
    }

    /// Reads a literal; `rest` is what stands behind it.
    private static func literal(_ rest: inout Substring, _ quote: Character) -> String {
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst(), character != quote {
            guard character == "\\", let escaped = rest.popFirst() else {
                text.append(character)
                continue
            }
            text.append(escaped == "n" ? "\n" : escaped)
        }
        return text
    }
}
