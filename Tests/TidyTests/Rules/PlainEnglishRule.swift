/// Patterns that a German sentence leaves in an English one, and what to write in their place. They hold for what people
/// read (the phrases of the catalogue); the first of them for comments too.
enum PlainEnglishRule {
    private struct Pattern {
        let regex: Regex<Substring>
        let advice: String
        var isForComments = false
    }

    /// "X is no day", but not "There is no day".
    private static var notA: Regex<Substring> {
        /(?:^| )(?!there )[^ ]+ (?:is|are|was|were) no (?!longer\b|more\b)[a-z]+/
    }

    private static var patterns: [Pattern] {
        [
            Pattern(regex: /\bwhat (?:came|becomes?|became) of\b/, advice: "the outcome of", isForComments: true),
            Pattern(regex: /\b(?:one|two) behind the other\b/, advice: "contiguous", isForComments: true),
            Pattern(regex: /\bshown no more\b/, advice: "no longer shown", isForComments: true),
            Pattern(regex: notA.ignoresCase(), advice: "is not a"),
            Pattern(regex: /\bbehind\b(?! (?:this|those|that of)\b)/, advice: "after"),
            Pattern(regex: /\bstands?\b(?! (?:for|between)\b)/, advice: "is, comes"),
            Pattern(regex: /\bno more\b(?! (?:from|messages|than)\b)/, advice: "no longer"),
        ]
    }

    /// What is wrong with a sentence that people read.
    static func faults(in phrase: String) -> [String] { faults(in: phrase, patterns) }

    static func violations(in file: SourceFile) -> [Violation] {
        let patterns = patterns.filter(\.isForComments)
        return file.lines.enumerated().flatMap { number, line -> [Violation] in
            guard let comment = line.firstRange(of: "//") else { return [] }
            return faults(in: String(line[comment.upperBound...]), patterns).map {
                Violation(path: file.path, line: number + 1, message: $0)
            }
        }
    }

    private static func faults(in text: String, _ patterns: [Pattern]) -> [String] {
        patterns.compactMap { pattern in
            text.firstMatch(of: pattern.regex).map { "\"\($0.output)\": write \"\(pattern.advice)\"" }
        }
    }
}
