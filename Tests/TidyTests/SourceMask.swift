/// Blanks out comments and string literals, so that rules see only code.
/// Line breaks stay where they are. The contents of an interpolation are blanked with its literal.
struct SourceMask {
    private let input: [UInt8]
    private var output: [UInt8] = []
    private var position = 0
    private var line = 1
    private var literals: [Literal] = []

    /// A string literal.
    struct Literal: Equatable {
        /// The line where it begins, from 1.
        let line: Int
        /// Its text without its interpolations.
        let text: String
    }

    /// The masked code, and what the string literals in it say.
    static func read(_ text: String) -> (code: String, literals: [Literal]) {
        var mask = SourceMask(input: Array(text.utf8))
        mask.run()
        return (String(decoding: mask.output, as: UTF8.self), mask.literals)
    }

    private init(input: [UInt8]) {
        self.input = input
        output.reserveCapacity(input.count)
    }

    private mutating func run() {
        let special = [UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: "\"")]
        while position < input.count {
            let byte = input[position]
            if !special.contains(byte) {
                keep()
            } else if starts("//") {
                while position < input.count, input[position] != UInt8(ascii: "\n") { blank() }
            } else if starts("/*") {
                blankBlockComment()
            } else if let pounds = poundsBeforeQuote() {
                blankLiteral(pounds: pounds)
            } else {
                keep()
            }
        }
    }

    private func starts(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { input[position...].starts(with: $0) }
    }

    private mutating func keep() {
        output.append(input[position])
        if input[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    /// Consumes bytes, leaving spaces and the line breaks.
    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where position < input.count {
            if input[position] == UInt8(ascii: "\n") {
                keep()
            } else {
                output.append(UInt8(ascii: " "))
                position += 1
            }
        }
    }

    private mutating func blankBlockComment() {
        var depth = 0
        repeat {
            if starts("/*") {
                depth += 1
                blank(2)
            } else if starts("*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && position < input.count
    }

    /// How many `#` open the string literal that starts here; nil if none starts here.
    private func poundsBeforeQuote() -> Int? {
        var index = position
        while index < input.count, input[index] == UInt8(ascii: "#") { index += 1 }
        return index < input.count && input[index] == UInt8(ascii: "\"") ? index - position : nil
    }

    private mutating func blankLiteral(pounds: Int) {
        blank(pounds)
        let quotes = starts("\"\"\"") ? 3 : 1
        blank(quotes)
        let fence = [UInt8](repeating: UInt8(ascii: "#"), count: pounds)
        let end = [UInt8](repeating: UInt8(ascii: "\""), count: quotes) + fence
        let escape = [UInt8(ascii: "\\")] + fence
        let line = line
        var text: [UInt8] = []
        while position < input.count {
            if input[position...].starts(with: end) {
                blank(end.count)
                literals.append(Literal(line: line, text: String(decoding: text, as: UTF8.self)))
                return
            }
            if input[position...].starts(with: escape) {
                blank(escape.count)
                if starts("(") { blankInterpolation() } else { blank() }
            } else {
                text.append(input[position])
                blank()
            }
        }
    }

    private mutating func blankInterpolation() {
        var depth = 0
        repeat {
            if let pounds = poundsBeforeQuote() {
                blankLiteral(pounds: pounds)
                continue
            }
            if starts("(") { depth += 1 }
            if starts(")") { depth -= 1 }
            blank()
        } while depth > 0 && position < input.count
    }
}
