/// A pure target has values; shells have the words, so that each reader gets them in their language.
enum SentenceRule {
    static func violations(in file: SourceFile) -> [Violation] {
        guard file.tree == "Sources", !file.isGenerated, pure.contains(file.target) else { return [] }
        return PhraseScanner.literals(of: file.lines.joined(separator: "\n")).compactMap { literal in
            guard let fault = fault(of: literal.key), assertions.isDisjoint(with: literal.calls) else { return nil }
            return Violation(path: file.path, line: literal.line, message: "\"\(literal.key)\": \(fault)")
        }
    }

    static let pure: Set<String> = [
        "ParlanceSodium", "ParlanceNoise", "ParlanceWire", "ParlanceRecords", "ParlanceAudit", "ParlanceCore",
        "ParlancePictures", "ParlanceErrorCode",
    ]

    /// Texts that the protocol specifies: contacts.md, "ContactRequest".
    private static let specified: Set<String> = ["(invites you to the group {1})"]

    private static func fault(of text: String) -> String? {
        if text.contains("parlance ") { return "a pure target knows no command; a shell has the words" }
        let words = text.split(separator: " ").filter { $0.contains(where: \.isLetter) }
        guard words.count > 2, !specified.contains(text) else { return nil }
        return "a pure target has no sentences; give values, and write the words in a shell"
    }

    /// Nobody but a programmer sees the message of an assertion.
    private static let assertions: Set = ["precondition", "preconditionFailure", "assert", "invariant", "broken"]
}
