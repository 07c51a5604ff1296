/// The parts of a text that mention nobody whatever they say, because they are code or somebody else's words:
/// - between two backticks in one line, and the lines from one that begins with three backticks to one that consists of
///   them; the page shows the same as code (`markdown.js`);
/// - a line whose first sign is `>`, as Markdown and mail quote;
/// - the elements of HTML for both: `<code>@Bob</code>`.
struct AsideSpans {
    /// Where each ends, by where it begins.
    private var ends: [Int: Int] = [:]

    init(in text: [Character]) {
        if text.contains("<") { findElements(in: text) }
        guard text.contains(where: { $0 == "`" || $0 == ">" }) else { return }
        let lines = Self.lines(of: text)
        var closing = lines.indices.filter { Self.closesBlock(text[lines[$0]]) }[...]
        var index = 0
        while index < lines.count {
            let line = lines[index]
            closing = closing.drop { $0 <= index }
            if text[line].starts(with: "```"), let last = closing.first {
                ends[line.lowerBound] = lines[last].upperBound
                index = last
            } else if text[line].first(where: { !$0.isWhitespace }) == ">" {
                ends[line.lowerBound] = line.upperBound
            } else {
                findSpans(in: text[line])
            }
            index += 1
        }
    }

    /// Where the part ends that begins at a place; `nil` if none does.
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

    private static let elements = ["code", "pre", "blockquote"].map { Array($0) }

    /// From the last sign to the first, so that the end of each element is known before its beginning.
    private mutating func findElements(in text: [Character]) {
        var tagEnd: Int?
        var closings = [(start: Int, end: Int)?](repeating: nil, count: Self.elements.count)
        for place in text.indices.reversed() {
            if text[place] == ">" { tagEnd = place }
            guard text[place] == "<", let tagEnd else { continue }
            for (element, name) in Self.elements.enumerated() {
                let isClosing = text[place...].dropFirst().first == "/"
                let rest = text[place...].dropFirst(isClosing ? 2 : 1)
                guard rest.starts(with: name, by: { $0.lowercased() == String($1) }),
                    let next = rest.dropFirst(name.count).first, next == ">" || next.isWhitespace
                else { continue }
                if isClosing {
                    closings[element] = (place, tagEnd + 1)
                } else if let closing = closings[element], closing.start > tagEnd {
                    ends[place] = closing.end
                }
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
