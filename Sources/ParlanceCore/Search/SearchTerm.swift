/// One of the things that a found message must contain.
package struct SearchTerm: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// An exact phrase: the words in this order, with nothing between them.
        case phrase
        /// The same, and the last word may go on.
        case beginning
        /// A part of one word.
        case part
    }

    package var kind: Kind
    /// As `SearchText` gives them; at least one.
    package var words: [[UInt8]]
    /// The same words with `ae`, `oe` and `ue` for `ä`, `ö` and `ü`. A text has a word if it has it in either way:
    /// `groesse` finds `Größe`, and the other way round, but `neue` does not find `neu`.
    package var spelled: [[UInt8]]
    /// Whether it is looked for in both ways.
    private var hasForms = true
    /// Whether the last word is one character of a script without spaces.
    package var endsWithUnit = false

    /// - Returns: `nil` if the text has no word.
    package init?(_ typed: String, isBeginning: Bool = false) {
        let text = SearchText(typed)
        guard let last = text.words.last else { return nil }
        var (words, spelled) = (text.words, text.words.indices.map { Array(text.spelled($0)) })
        kind = isBeginning ? .beginning : .phrase
        if last.kind == .last {
            // The pair before it has the character already; alone, it begins any pair.
            if words.dropLast().last?.kind == .pair {
                words.removeLast()
                spelled.removeLast()
                kind = .phrase
            } else {
                kind = .beginning
                endsWithUnit = true
            }
        }
        self.words = words.map { Array(text.bytes(of: $0)) }
        self.spelled = spelled
    }

    /// The forms of the words in which texts can have them in the index, where `ö` is `o`: with each `oe` as it is, and as
    /// an `o`.
    package var forms: [[[UInt8]]] {
        guard hasForms else { return [words] }
        let places = spelled.enumerated().flatMap { word, bytes in
            Self.umlauts(in: bytes).map { (word: word, letter: $0) }
        }
        // Of many, all are letters, or none is.
        let choices = places.count <= Self.choices ? Array(0..<(1 << places.count)) : [0, -1]
        var forms = choices.map { choice in
            var words = spelled
            // From behind, so that the places before stay.
            for (index, place) in places.enumerated().reversed() where choice >> min(index, Int.bitWidth - 2) & 1 == 1 {
                words[place.word].remove(at: place.letter + 1)
            }
            return words
        }
        if !forms.contains(words) { forms.append(words) }
        return forms
    }

    /// Places of `ae`, `oe` and `ue` of which each combination is looked for: eight forms at most.
    private static let choices = 3

    /// Where `ae`, `oe` and `ue` stand that can be umlauts: not behind a vowel or a `q`, as in `neue` and `quer`.
    private static func umlauts(in word: [UInt8]) -> [Int] {
        word.indices.dropLast().filter { place in
            word[place + 1] == UInt8(ascii: "e") && "aou".utf8.contains(word[place])
                && (place == 0 || !"aeiouyq".utf8.contains(word[place - 1]))
        }
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
        // The index cannot be asked for "ol", so "oel" does not find "Heizöl".
        let isShort = forms.contains {
            String(decoding: $0[0], as: UTF8.self).unicodeScalars.count < Self.partCharacters
        }
        if isShort { hasForms = false }
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
        if kind == .part {
            let fit = Self.fit(of: words[0], inside: text.bytes(of: text.words[first]))
            return fit ?? (hasForms ? Self.fit(of: spelled[0], inside: text.spelled(first)) : nil)
        }
        for index in words.indices.dropLast()
        where !text.bytes(of: text.words[first + index]).elementsEqual(words[index])
            && !text.spelled(first + index).elementsEqual(spelled[index])
        {
            return nil
        }
        let index = words.count - 1
        return fit(of: words[index], text.bytes(of: text.words[first + index]))
            ?? fit(of: spelled[index], text.spelled(first + index))
    }

    /// How well the last word fits.
    private func fit(of wanted: [UInt8], _ last: ArraySlice<UInt8>) -> Int? {
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
