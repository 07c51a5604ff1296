/// The greatest length of a file and of a function.
enum SizeRule {
    static let fileLines = 400
    static let functionLines = 70

    static func violations(in file: SourceFile) -> [Violation] {
        guard !file.isGenerated else { return [] }
        var found: [Violation] = []
        // A text that ends with a line break has an empty last line.
        let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
        if count > fileLines {
            found.append(Violation(path: file.path, line: 1, message: "\(count) lines; split before \(fileLines)"))
        }
        for body in FunctionFinder.bodies(in: file.code) where body.lines > functionLines {
            let message = "\(body.lines) lines in one function; split before \(functionLines)"
            found.append(Violation(path: file.path, line: body.first, message: message))
        }
        return found
    }
}

/// Finds functions, initializers and computed properties in masked code, by their brackets.
struct FunctionFinder {
    struct Body: Equatable {
        /// The line of the keyword, from 1.
        let first: Int
        /// From the keyword to the closing brace, both included.
        let lines: Int
    }

    static func bodies(in code: [String]) -> [Body] {
        let text = Array(code.joined(separator: "\n").utf8)
        var found: [Body] = []
        var line = 1
        for index in text.indices {
            if text[index] == UInt8(ascii: "\n") { line += 1 }
            guard initials.contains(text[index]), isKeyword(at: index, in: text),
                let end = endOfBody(from: index, in: text)
            else { continue }
            found.append(Body(first: line, lines: 1 + text[index...end].count { $0 == UInt8(ascii: "\n") }))
        }
        return found
    }

    private static let keywords: [[UInt8]] = ["func", "init", "deinit", "subscript", "var"].map { Array($0.utf8) }
    private static let initials = Set(keywords.compactMap(\.first))
    /// The beginnings of lines that follow a declaration without a body, as in a protocol.
    private static let declarations = [
        "func", "init", "var", "let", "case", "static", "package", "private", "fileprivate", "mutating", "subscript",
        "associatedtype", "struct", "enum", "class", "extension", "protocol", "typealias", "@", "#", "}",
    ]

    private static func isKeyword(at index: Int, in text: [UInt8]) -> Bool {
        if index > 0, Token.isWord(text[index - 1]) || text[index - 1] == UInt8(ascii: ".") { return false }
        return keywords.contains { keyword in
            let end = index + keyword.count
            return text[index...].starts(with: keyword) && (end >= text.count || !Token.isWord(text[end]))
        }
    }

    /// The index of the brace that closes the body of the declaration at `start`; nil if it has none.
    private static func endOfBody(from start: Int, in text: [UInt8]) -> Int? {
        var brackets = 0
        for index in start..<text.count {
            switch text[index] {
            case UInt8(ascii: "("), UInt8(ascii: "["): brackets += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): brackets -= 1
            case UInt8(ascii: "{") where brackets == 0: return closingBrace(from: index, in: text)
            case UInt8(ascii: "}") where brackets == 0: return nil
            case UInt8(ascii: "=") where brackets == 0 && isAssignment(at: index, in: text): return nil
            case UInt8(ascii: "\n") where brackets == 0 && declarationFollows(index, in: text): return nil
            default: break
            }
            if brackets < 0 { return nil }
        }
        return nil
    }

    /// Whether an equals sign is alone, so that a stored property ends here.
    private static func isAssignment(at index: Int, in text: [UInt8]) -> Bool {
        let space = UInt8(ascii: " ")
        return index > 0 && text[index - 1] == space && index + 1 < text.count
            && [space, UInt8(ascii: "\n")].contains(text[index + 1])
    }

    private static func declarationFollows(_ newline: Int, in text: [UInt8]) -> Bool {
        let rest = text[(newline + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        return rest.isEmpty || declarations.contains { rest.starts(with: Array($0.utf8)) }
    }

    private static func closingBrace(from opening: Int, in text: [UInt8]) -> Int? {
        var depth = 0
        for index in opening..<text.count {
            if text[index] == UInt8(ascii: "{") { depth += 1 }
            if text[index] == UInt8(ascii: "}") { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}
