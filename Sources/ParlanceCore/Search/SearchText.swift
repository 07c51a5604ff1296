import ParlanceLetters
import ParlanceWire

/// A text as search compares it: its words in lower case and without accents, each with its place in the text.
///
/// The same words go into the index, are read from a query, and are marked in what is found, so the three never disagree.
/// Scripts that are written without spaces between words (Chinese, Japanese, Thai...), and Korean, which adds endings to
/// words, give a word for each two characters that follow each other: a phrase of such words finds any part of a text.
package struct SearchText: Equatable, Sendable {
    package struct Word: Equatable, Sendable {
        package enum Kind: Equatable, Sendable {
            /// Letters and digits between other characters, or one symbol.
            case whole
            /// Two characters of a script without spaces.
            case pair
            /// The last character of such a run, or the only one.
            case last
        }

        package var kind: Kind
        /// Its place in `folded`.
        package var place: Range<Int>
        /// Its place in the text, in bytes of UTF-8.
        package var range: Range<Int>
        /// Where the first character of a pair ends in the text; the end of any other word.
        package var firstEnd: Int
    }

    /// The words as they are compared, in UTF-8, each followed by a space.
    package private(set) var folded: [UInt8] = []
    package private(set) var words: [Word] = []
    /// The words with `ae`, `oe` and `ue` for `ä`, `ö` and `ü`, by their index; only of words that have such letters.
    ///
    /// Somebody without these letters on the keyboard writes so. The index has none of them: there `ö` is `o`.
    private var spelled: [Int: [UInt8]] = [:]
    /// The same of the word that is open, as far as it has come; `nil` until it has such a letter.
    private var openSpelled: [UInt8]?

    /// One character of a script without spaces, with its marks.
    private struct Unit {
        var folded: [UInt8]
        var range: Range<Int>
    }

    /// Whether a word of letters is open, which began there in `folded` and in the text.
    private var open: (start: Int, from: Int)?
    private var unit: Unit?
    private var earlier: Unit?

    package init(_ text: String) {
        folded.reserveCapacity(text.utf8.count + 8)
        var offset = 0
        for scalar in text.unicodeScalars {
            let end = offset + UTF8.width(scalar)
            add(scalar, offset..<end)
            offset = end
        }
        closeWord(at: offset)
        closeRun()
    }

    package func bytes(of word: Word) -> ArraySlice<UInt8> { folded[word.place] }

    /// A word with `ae`, `oe` and `ue` for `ä`, `ö` and `ü`.
    package func spelled(_ index: Int) -> ArraySlice<UInt8> { spelled[index]?[...] ?? bytes(of: words[index]) }

    private mutating func add(_ scalar: Unicode.Scalar, _ range: Range<Int>) {
        switch SearchLetter(scalar) {
        case .letter:
            closeRun()
            if open == nil { open = (folded.count, range.lowerBound) }
            appendToWord(scalar, range)
        case .unit:
            closeWord(at: range.lowerBound)
            closeUnit()
            unit = Unit(folded: SearchLetter.folded(scalar), range: range)
        case .mark where unit != nil:
            appendToUnit(scalar, range)
        case .mark where open != nil: appendToWord(scalar, range)
        case .symbol:
            closeWord(at: range.lowerBound)
            closeRun()
            open = (folded.count, range.lowerBound)
            appendToWord(scalar, range)
            closeWord(at: range.upperBound)
        case .mark, .between:
            closeWord(at: range.lowerBound)
            closeRun()
        case .ignored:
            // A letter and a diaeresis behind it.
            if scalar.value == 0x308, let last = folded.last, open != nil, Self.isUmlautBase(last) { spellOut() }
        }
    }

    private static func isUmlautBase(_ letter: UInt8) -> Bool {
        letter == UInt8(ascii: "a") || letter == UInt8(ascii: "o") || letter == UInt8(ascii: "u")
    }

    /// Notes that an `e` stands for the diaeresis of the letter that came last.
    private mutating func spellOut() {
        guard let open else { return broken("a diaeresis is spelled out inside a word") }
        var word = openSpelled ?? Array(folded[open.start...])
        // No word of a query is longer.
        guard word.count < 2 * Limits.searchWordBytes else { return }
        openSpelled = nil
        word.append(UInt8(ascii: "e"))
        openSpelled = word
    }

    private mutating func appendToUnit(_ scalar: Unicode.Scalar, _ range: Range<Int>) {
        guard var open = unit else { return broken("a mark belongs to the character before it") }
        if open.folded.count < Limits.searchWordBytes / 2 { open.folded += SearchLetter.folded(scalar) }
        open.range = open.range.lowerBound..<range.upperBound
        unit = open
    }

    private mutating func appendToWord(_ scalar: Unicode.Scalar, _ range: Range<Int>) {
        guard let open else { return broken("a letter is added to an open word") }
        let value = scalar.value
        if value < 0x80 {
            guard folded.count - open.start < Limits.searchWordBytes else { return }
            let letter = value >= 0x41 && value <= 0x5A ? UInt8(value) + 0x20 : UInt8(value)
            openSpelled?.append(letter)
            return folded.append(letter)
        }
        let bytes = SearchLetter.folded(scalar)
        guard folded.count - open.start + bytes.count <= Limits.searchWordBytes else { return }
        folded += bytes
        openSpelled? += bytes
        // ÄÖÜäöü
        if [0xC4, 0xD6, 0xDC, 0xE4, 0xF6, 0xFC].contains(value) { spellOut() }
    }

    /// Ends an open word of letters, unless nothing is left of it.
    private mutating func closeWord(at end: Int) {
        guard let start = open else { return }
        open = nil
        let wordSpelled = openSpelled
        openSpelled = nil
        guard folded.count > start.start else { return }
        spelled[words.count] = wordSpelled
        words.append(Word(kind: .whole, place: start.start..<folded.count, range: start.from..<end, firstEnd: end))
        folded.append(0x20)
    }

    private mutating func closeUnit() {
        guard let unit else { return }
        if let earlier {
            emit(
                .pair,
                earlier.folded + unit.folded,
                earlier.range.lowerBound..<unit.range.upperBound,
                earlier.range.upperBound
            )
        }
        earlier = unit
        self.unit = nil
    }

    /// Ends a run of characters of a script without spaces.
    private mutating func closeRun() {
        closeUnit()
        guard let last = earlier else { return }
        emit(.last, last.folded, last.range, last.range.upperBound)
        earlier = nil
    }

    private mutating func emit(_ kind: Word.Kind, _ bytes: [UInt8], _ range: Range<Int>, _ firstEnd: Int) {
        let start = folded.count
        folded += bytes
        words.append(Word(kind: kind, place: start..<folded.count, range: range, firstEnd: firstEnd))
        folded.append(0x20)
    }

    package static func == (one: SearchText, other: SearchText) -> Bool {
        one.folded == other.folded && one.words == other.words
    }
}

// Parts of words.
extension SearchText {
    /// Each three characters that follow each other in a word, once each, in UTF-8, each followed by a space.
    ///
    /// They find words by a part of at least three characters. Scripts without spaces need none: their pairs do the same.
    package var parts: [UInt8] {
        var found: [UInt64] = []
        for word in words where word.kind == .whole && word.place.count >= 3 {
            found += Self.parts(of: bytes(of: word))
        }
        return Self.written(found)
    }

    /// The parts of a word as it is compared, in the same form.
    package static func parts(ofFolded word: [UInt8]) -> [UInt8] { written(parts(of: word[...])) }

    private static func written(_ found: [UInt64]) -> [UInt8] {
        var parts: [UInt8] = []
        parts.reserveCapacity(found.count * 4)
        var previous: UInt64?
        for part in found.sorted() where part != previous {
            for shift: UInt64 in [42, 21, 0] {
                if let scalar = Unicode.Scalar(UInt32((part >> shift) & 0x1F_FFFF)) { parts += String(scalar).utf8 }
            }
            parts.append(0x20)
            previous = part
        }
        return parts
    }

    /// Three scalar values in each number, 21 bits each.
    private static func parts(of word: ArraySlice<UInt8>) -> [UInt64] {
        var found: [UInt64] = []
        var last: UInt64 = 0
        for (index, scalar) in String(decoding: word, as: UTF8.self).unicodeScalars.enumerated() {
            last = (last << 21 | UInt64(scalar.value)) & 0x7FFF_FFFF_FFFF_FFFF
            if index >= 2 { found.append(last) }
        }
        return found
    }
}
