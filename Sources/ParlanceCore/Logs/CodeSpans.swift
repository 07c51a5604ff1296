/// The parts of a text that are code: between two backticks in one line, and the lines from one that begins with three
/// backticks to one that consists of them. The page shows the same as code (`markdown.js`).
struct CodeSpans {
    /// Where each ends, by where it begins.
    private var ends: [Int: Int] = [:]

    init(in text: [Character]) {
        guard text.contains("`") else { return }
        let lines = Self.lines(of: text)
        var closing = lines.indices.filter { Self.closesBlock(text[lines[$0]]) }[...]
        var index = 0
        while index < lines.count {
            let line = lines[index]
            closing = closing.drop { $0 <= index }
            if text[line].starts(with: "```"), let last = closing.first {
                ends[line.lowerBound] = lines[last].upperBound
                index = last
            } else {
                findSpans(in: text[line])
            }
            index += 1
        }
    }

    /// Where the code ends that begins at a place; `nil` if none does.
    func end(from place: Int) -> Int? { ends[place] }

    private mutating func findSpans(in line: ArraySlice<Character>) {
        var start: Int?
        for place in line.indices where line[place] == "`" {
            if let begun = start, place > begun + 1 {
                ends[begun] = place + 1
                start = nil
            } else {
                start = place
            }
        }
    }

    private static func lines(of text: [Character]) -> [Range<Int>] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(\.indices)
    }

    private static func closesBlock(_ line: ArraySlice<Character>) -> Bool {
        line.starts(with: "```") && line.dropFirst(3).allSatisfy(\.isWhitespace)
    }
}
