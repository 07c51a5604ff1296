/// Finds the string literals of Swift code, with what tells whether they are phrases.
struct PhraseScanner {
    struct Literal: Equatable {
        /// The line where it begins, from 1.
        let line: Int
        /// Its text as the catalogue has it: `{1}`, `{2}` and so on stand for interpolations.
        let key: String
        /// `hint:` of the call that it is in.
        var hint: String?
        /// The call that it is an argument of, such as `say` or `logger.info`; empty if none.
        let call: String
        /// The label of that argument; empty if it has none.
        let label: String
        /// All calls around it, the innermost last.
        let calls: [String]
        /// Whether it is inside an interpolation of another literal.
        let isInside: Bool
        /// Whether a `+` joins it with something.
        let isJoined: Bool
    }

    /// An open bracket.
    private struct Frame {
        let bracket: UInt8
        /// What is called, for `(`; empty for grouping; `[` for a subscript.
        let call: String
        /// Whether it is the bracket of a subscript.
        let isSubscript: Bool
        /// The literals found before it.
        let first: Int
        var label = ""
    }

    private let input: [UInt8]
    private var position = 0
    private var end: Int
    private var line: Int
    private let isInside: Bool
    private var frames: [Frame] = []
    private var literals: [Literal] = []
    /// Whether an argument begins here, which may have a label.
    private var mayBeLabel = false
    private var last = UInt8(ascii: ";")

    static func literals(of text: String) -> [Literal] {
        let bytes = Array(text.utf8)
        var scanner = PhraseScanner(input: bytes, from: 0, to: bytes.count, line: 1, isInside: false)
        scanner.run()
        return scanner.literals
    }

    private init(input: [UInt8], from start: Int, to end: Int, line: Int, isInside: Bool) {
        self.input = input
        self.end = end
        self.line = line
        self.isInside = isInside
        position = start
        frames = [Frame(bracket: 0, call: "", isSubscript: false, first: 0)]
    }

    private func starts(_ text: String) -> Bool { input[position..<end].starts(with: text.utf8) }

    private mutating func step(_ count: Int = 1) {
        for _ in 0..<count where position < end {
            if input[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
    }

    private mutating func run() {
        while position < end { next() }
    }

    /// Passes a comment, a literal, a word or another character.
    private mutating func next() {
        let byte = input[position]
        if Token.isWord(byte) {
            word()
        } else if byte == UInt8(ascii: "/"), starts("//") {
            while position < end, input[position] != UInt8(ascii: "\n") { step() }
        } else if byte == UInt8(ascii: "/"), starts("/*") {
            while position < end, !starts("*/") { step() }
            step(2)
        } else if let pounds = poundsBeforeQuote() {
            literal(pounds)
        } else {
            punctuation(byte)
        }
    }

    private mutating func word() {
        let start = position
        while position < end, Token.isWord(input[position]) { step() }
        if mayBeLabel, position < end, input[position] == UInt8(ascii: ":") {
            frames[frames.count - 1].label = String(decoding: input[start..<position], as: UTF8.self)
            step()
        }
        mayBeLabel = false
        last = UInt8(ascii: "a")
    }

    private mutating func punctuation(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"):
            return step()
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
            let name = nameBefore()
            let isSubscript = byte == UInt8(ascii: "[") && (!name.isEmpty || isAttachedToBracket())
            let call = byte == UInt8(ascii: "(") ? name : isSubscript ? "[" : ""
            frames.append(Frame(bracket: byte, call: call, isSubscript: isSubscript, first: literals.count))
            mayBeLabel = byte == UInt8(ascii: "(")
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            if frames.count > 1 { frames.removeLast() }
            mayBeLabel = false
        case UInt8(ascii: ","):
            frames[frames.count - 1].label = ""
            mayBeLabel = true
        default:
            mayBeLabel = false
        }
        last = byte
        step()
    }

    /// The name, with the members that it is reached by, which a bracket follows without a space; empty for a keyword.
    private func nameBefore() -> String {
        let name = input[..<position].reversed().prefix {
            Token.isWord($0) || ".?!@".utf8.contains($0)
        }
        let text = String(decoding: name.reversed(), as: UTF8.self)
        return Self.keywords.contains(text) ? "" : text
    }

    private static let keywords: Set = [
        "in", "return", "if", "guard", "switch", "case", "let", "else", "throw", "try", "await", "while", "for", "is",
        "as",
    ]

    private func isAttachedToBracket() -> Bool {
        position > 0 && (input[position - 1] == UInt8(ascii: ")") || input[position - 1] == UInt8(ascii: "]"))
    }

    /// The call whose argument is here: brackets of arrays and grouping do not count.
    private var owner: Frame {
        frames.last { frame in
            let isTransparent =
                frame.bracket == UInt8(ascii: "[") && !frame.isSubscript
                || frame.bracket == UInt8(ascii: "(") && frame.call.isEmpty
            return !isTransparent || !frame.label.isEmpty
        } ?? frames[0]
    }
}

// MARK: - Literals

extension PhraseScanner {
    private func poundsBeforeQuote() -> Int? {
        var index = position
        while index < end, input[index] == UInt8(ascii: "#") { index += 1 }
        return index < end && input[index] == UInt8(ascii: "\"") ? index - position : nil
    }

    private mutating func literal(_ pounds: Int) {
        let first = line
        step(pounds)
        let quotes = starts("\"\"\"") ? 3 : 1
        step(quotes)
        let fence = String(repeating: "#", count: pounds)
        let close = String(repeating: "\"", count: quotes) + fence
        var text: [UInt8] = []
        var values = 0
        var inner: [Literal] = []
        while position < end, !starts(close) {
            guard starts("\\" + fence) else {
                text.append(input[position])
                step()
                continue
            }
            step(1 + pounds)
            if starts("(") {
                values += 1
                text += Array("{\(values)}".utf8)
                inner += interpolation()
            } else {
                text += escaped()
            }
        }
        step(close.utf8.count)
        let owner = owner
        let key = quotes == 3 ? Self.withoutIndentation(text) : text
        let found = Literal(
            line: first,
            key: String(decoding: key.map { $0 == Self.lineFeed ? UInt8(ascii: "\n") : $0 }, as: UTF8.self),
            call: owner.call,
            label: owner.label,
            calls: frames.map(\.call),
            isInside: isInside,
            isJoined: last == UInt8(ascii: "+") || isPlusNext()
        )
        if found.label == "hint" {
            for index in owner.first..<literals.count { literals[index].hint = found.key }
        }
        literals.append(found)
        literals += inner
        mayBeLabel = false
        last = UInt8(ascii: "\"")
    }

    private func isPlusNext() -> Bool {
        let rest = input[position..<end].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        return rest.first == UInt8(ascii: "+")
    }

    /// An escaped line feed stands for itself until the indentation is removed.
    private static let lineFeed: UInt8 = 1
    /// A line break that the literal does not have.
    private static let continuation: UInt8 = 2

    private mutating func escaped() -> [UInt8] {
        let byte = input[position]
        defer { step() }
        switch byte {
        case UInt8(ascii: "n"): return [Self.lineFeed]
        case UInt8(ascii: "t"): return [UInt8(ascii: "\t")]
        case UInt8(ascii: "\n"): return [Self.continuation]
        case UInt8(ascii: "u"):
            step(2)
            let digits = input[position..<end].prefix { $0 != UInt8(ascii: "}") }
            step(digits.count)
            let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
            return scalar.map { Array(String($0).utf8) } ?? []
        default: return [byte]
        }
    }

    /// Passes an interpolation, and finds the literals in it.
    private mutating func interpolation() -> [Literal] {
        var scanner = PhraseScanner(input: input, from: position + 1, to: end, line: line, isInside: true)
        while scanner.position < scanner.end {
            if scanner.frames.count == 1, scanner.input[scanner.position] == UInt8(ascii: ")") { break }
            scanner.next()
        }
        position = min(end, scanner.position + 1)
        line = scanner.line
        return scanner.literals
    }

    /// The lines of a literal of several lines, as the compiler reads them (The Swift Programming Language, "String
    /// Literals").
    private static func withoutIndentation(_ text: [UInt8]) -> [UInt8] {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let indent = lines.last?.count { $0 == UInt8(ascii: " ") } ?? 0
        var result: [UInt8] = []
        for (number, line) in lines.dropFirst().dropLast().enumerated() {
            if number > 0 { result.append(UInt8(ascii: "\n")) }
            for piece in line.split(separator: continuation, omittingEmptySubsequences: false) {
                result += piece.dropFirst(min(indent, piece.prefix { $0 == UInt8(ascii: " ") }.count))
            }
        }
        return result
    }
}
