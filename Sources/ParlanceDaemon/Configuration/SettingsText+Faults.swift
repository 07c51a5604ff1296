import ParlanceWords

// What is wrong with a file that is not YAML, in words for people.
extension SettingsText {
    /// The reason of an error of the reader of YAML, whose words are for programmers and in English. It says
    /// `3:1: error: scanner: while scanning a quoted scalar in line 1, column 7`, a line with the problem, and a picture of
    /// the place; some have no "while".
    ///
    /// - Returns: a clause, with the line that has to be corrected as far as it is known.
    func fault(_ error: String) -> Phrase {
        if let match = error.firstMatch(of: #/duplicated key\(s\): '([^']*)'/#) {
            return Phrase("\(String(match.output.1)) is set more than once")
        }
        let pattern = #/(\d+):(\d+): error: \w+: (?:(while [^\n]*) in line (\d+), column \d+\n)?([^\n]*)/#
        guard let match = error.prefixMatch(of: pattern)?.output, let reached = Int(match.1), let column = Int(match.2)
        else {
            return Self.form
        }
        let fault = Fault(
            line: reached,
            start: match.4.flatMap { Int($0) } ?? reached,
            context: String(match.3 ?? ""),
            problem: String(match.5),
            before: scalars(of: reached).prefix(column - 1),
            next: scalars(of: reached).dropFirst(column - 1).first
        )
        let found = outside(fault) ?? inside(fault) ?? (reached, Phrase("the line is not valid YAML"))
        // What is not closed ends behind the last line, where there is nothing to correct.
        let line = min(found.line, lineWithText(before: .max) ?? found.line)
        return Phrase("line \(line): \(found.text)")
    }

    /// What the reader of YAML says, taken apart.
    private struct Fault {
        /// Where it gave up, and where the thing began that it was reading.
        var line: Int
        var start: Int
        var context: String
        var problem: String
        /// The text of the line up to there, and the character that it did not take.
        var before: Substring.UnicodeScalarView
        var next: Unicode.Scalar?

        var isIndented: Bool { [" ", "\t"].contains(before.first ?? next) }
        var followsQuotes: Bool { ["\"", "'"].contains(before.last { $0 != " " }) }

        func says(_ words: Regex<Substring>) -> Bool { problem.contains(words) }
    }

    /// The reason between settings.
    private func outside(_ fault: Fault) -> (line: Int, text: Phrase)? {
        if fault.says(#/control characters/#) { return (fault.line, Phrase("it has a control character")) }
        if fault.says(#/^found a tab/#) || fault.next == "\t" && fault.says(#/^found character that cannot start/#) {
            return (fault.line, Phrase("it is indented with a tab: use spaces"))
        }
        if fault.says(#/^found character that cannot start|alias/#), let first = fault.next {
            return (fault.line, Phrase("a value that begins with \(String(first)) needs quotation marks"))
        }
        if fault.says(#/^mapping values are not allowed/#) {
            if fault.isIndented { return (fault.line, Self.indentation) }
            if Substring(fault.before).contains(": ") {
                return (fault.line, Phrase("a value with a colon needs quotation marks"))
            }
            // It took the line before for the beginning of a name.
            return (lineWithText(before: fault.line) ?? fault.line, Self.form)
        }
        if fault.says(#/^could not find expected ':'/#) { return (fault.start, Self.form) }
        guard fault.says(#/^did not find expected (?:key|'-' indicator|<document start>)/#) else { return nil }
        if fault.followsQuotes { return (fault.line, Phrase("a value goes on after its closing quotation mark")) }
        return (fault.line, fault.isIndented ? Self.indentation : Self.form)
    }

    /// The reason in a value in quotation marks or brackets.
    private func inside(_ fault: Fault) -> (line: Int, text: Phrase)? {
        if fault.context.contains(#/scanning a quoted/#) {
            return (fault.start, Phrase("a quotation mark is not closed"))
        }
        if fault.context.contains(#/parsing a quoted/#) {
            return (fault.line, Phrase("between double quotation marks a backslash is written twice"))
        }
        guard fault.context.contains(#/a flow/#) else { return nil }
        return (fault.start, Phrase("a bracket is not closed, or a comma is missing"))
    }

    private static var form: Phrase { Phrase("a setting is written as NAME: VALUE") }
    private static var indentation: Phrase { Phrase("its indentation does not fit the lines above") }
}
