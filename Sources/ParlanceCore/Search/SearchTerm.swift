/// One of the things that a found message must contain.
package struct SearchTerm: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The words in this order, one behind the other.
        case phrase
        /// The same, and the last word may go on.
        case beginning
        /// A part of one word.
        case part
    }

    package var kind: Kind
    /// As `SearchText` gives them; at least one.
    package var words: [[UInt8]]
    /// Whether the last word is one character of a script without spaces.
    package var endsWithUnit = false

    /// - Returns: `nil` if the text has no word.
    package init?(_ typed: String, isBeginning: Bool = false) {
        let text = SearchText(typed)
        guard let last = text.words.last else { return nil }
        var words = text.words
        kind = isBeginning ? .beginning : .phrase
        if last.kind == .last {
            // The pair before it has the character already; alone, it begins any pair.
            if words.dropLast().last?.kind == .pair {
                words.removeLast()
                kind = .phrase
            } else {
                kind = .beginning
                endsWithUnit = true
            }
        }
        self.words = words.map { Array(text.bytes(of: $0)) }
    }

    /// A part of a word; `nil` unless the text is one word of at least three characters. In scripts without spaces a text
    /// finds parts anyway.
    package init?(part typed: String) {
        guard let term = SearchTerm(typed) else { return nil }
        self = term
        let text = SearchText(typed)
        if text.words.contains(where: { $0.kind != .whole }) { return }
        guard words.count == 1, String(decoding: words[0], as: UTF8.self).unicodeScalars.count >= Self.partCharacters
        else { return nil }
        kind = .part
    }

    /// The least characters of a part: as many as the index has together.
    package static let partCharacters = 3

    /// A place where a text has the term.
    struct Occurrence {
        /// The first and the last word.
        var words: ClosedRange<Int>
        /// How well it fits, in percent: a word that is longer than what was typed fits less.
        var fit: Int
    }

    func occurrences(in text: SearchText) -> [Occurrence] {
        var found: [Occurrence] = []
        for first in text.words.indices {
            if let fit = fit(text, at: first) {
                found.append(Occurrence(words: first...(first + words.count - 1), fit: fit))
            }
        }
        return found
    }

    private func fit(_ text: SearchText, at first: Int) -> Int? {
        guard first + words.count <= text.words.count else { return nil }
        if kind == .part { return Self.fit(of: words[0], inside: text.bytes(of: text.words[first])) }
        for index in words.indices.dropLast()
        where !text.bytes(of: text.words[first + index]).elementsEqual(words[index]) {
            return nil
        }
        let wanted = words[words.count - 1]
        let last = text.bytes(of: text.words[first + words.count - 1])
        if last.elementsEqual(wanted) { return 100 }
        return kind == .beginning && last.starts(with: wanted) ? (endsWithUnit ? 100 : 80) : nil
    }

    private static func fit(of part: [UInt8], inside word: ArraySlice<UInt8>) -> Int? {
        guard word.count >= part.count else { return nil }
        for start in word.startIndex...(word.endIndex - part.count)
        where word[start..<start + part.count].elementsEqual(part) {
            return word.count == part.count ? 100 : start == word.startIndex ? 80 : 60
        }
        return nil
    }

    /// The place of an occurrence in the text, in bytes of UTF-8.
    func range(of occurrence: Occurrence, in text: SearchText) -> Range<Int> {
        let last = text.words[occurrence.words.upperBound]
        let end = endsWithUnit ? last.firstEnd : last.range.upperBound
        return text.words[occurrence.words.lowerBound].range.lowerBound..<end
    }
}
