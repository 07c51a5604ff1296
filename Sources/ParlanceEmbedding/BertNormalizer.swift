import CUtf8proc

/// The words of a text as BERT's uncased models have them: lower case, without accents; each punctuation mark and each
/// ideograph is a word.
///
/// It does what the library `tokenizers` of Hugging Face does, in this order: clean, part the ideographs, decompose,
/// drop the marks, make lower case, split.
package enum BertNormalizer {
    /// Calls the closure with each word in UTF-8 and its count of characters, until it returns false.
    static func forEachWord(of text: String, _ body: (_ word: [UInt8], _ characterCount: Int) -> Bool) {
        var word: [UInt8] = []
        var count = 0
        func flush() -> Bool {
            defer {
                word.removeAll(keepingCapacity: true)
                count = 0
            }
            return word.isEmpty || body(word, count)
        }
        for scalar in canonicallyDecomposed(cleaned(text)) where !isMark(scalar) {
            for scalar in lowercased(scalar) {
                let stands = isPunctuation(scalar)
                if stands || scalar.properties.isWhitespace {
                    guard flush() else { return }
                }
                guard !scalar.properties.isWhitespace else { continue }
                word += UTF8.encode(scalar).map(Array.init) ?? []
                count += 1
                if stands {
                    guard flush() else { return }
                }
            }
        }
        _ = flush()
    }

    /// A text with the letters that its accents stand on alone.
    package static func withoutAccents(_ text: String) -> String {
        let parts = canonicallyDecomposed(Array(text.unicodeScalars)).filter { !isMark($0) }
        return String(String.UnicodeScalarView(parts))
    }

    /// Without control characters, with plain spaces, and with a space on both sides of an ideograph.
    private static func cleaned(_ text: String) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars where !isDropped(scalar) {
            if scalar.properties.isWhitespace {
                scalars.append(" ")
            } else if isIdeograph(scalar) {
                scalars += [" ", scalar, " "]
            } else {
                scalars.append(scalar)
            }
        }
        return scalars
    }

    /// Normalization Form D (Unicode Standard Annex 15).
    private static func canonicallyDecomposed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard scalars.contains(where: { !$0.isASCII }) else { return scalars }
        var result: [Unicode.Scalar] = []
        result.reserveCapacity(scalars.count)
        // No character has a longer decomposition than 4.
        var parts = [utf8proc_int32_t](repeating: 0, count: 8)
        for scalar in scalars {
            guard !scalar.isASCII else {
                result.append(scalar)
                continue
            }
            let value = utf8proc_int32_t(bitPattern: scalar.value)
            let found = utf8proc_decompose_char(value, &parts, parts.count, UTF8PROC_DECOMPOSE, nil)
            guard found > 0, found <= parts.count else {
                result.append(scalar)
                continue
            }
            result += parts[..<found].compactMap { Unicode.Scalar(UInt32(bitPattern: $0)) }
        }
        putMarksInOrder(&result)
        return result
    }

    /// Sorts each run of combining characters by their classes; those of one class keep their order.
    private static func putMarksInOrder(_ scalars: inout [Unicode.Scalar]) {
        var start = 0
        while start < scalars.count {
            var end = start
            while end < scalars.count, combiningClass(scalars[end]) > 0 { end += 1 }
            if end > start + 1 {
                let run = scalars[start..<end].map { (combiningClass($0), $0) }.enumerated()
                let sorted = run.sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
                scalars.replaceSubrange(start..<end, with: sorted.map(\.element.1))
            }
            start = end + 1
        }
    }

    private static func combiningClass(_ scalar: Unicode.Scalar) -> UInt8 {
        scalar.isASCII ? 0 : scalar.properties.canonicalCombiningClass.rawValue
    }

    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\n", "\r": return false
        case "\u{FFFD}": return true
        default: break
        }
        switch category(scalar) {
        case .control, .format, .surrogate, .privateUse: return true
        default: return false
        }
    }

    /// The blocks of ideographs, as the reference names them; kana and Hangul are none. (Extension E starts at 2B820,
    /// but not there.)
    private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2B73F, 0x2B740...0x2B81F,
            0x2B920...0x2CEAF, 0xF900...0xFAFF, 0x2F800...0x2FA1F:
            true
        default: false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII && category(scalar) == .nonspacingMark
    }

    /// All symbols of ASCII count as punctuation, others do not.
    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: return true
        case ..<0x80: return false
        default: break
        }
        switch category(scalar) {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            return true
        default: return false
        }
    }

    /// The category that the character had in Unicode 8, whose tables the reference has.
    private static func category(_ scalar: Unicode.Scalar) -> Unicode.GeneralCategory {
        switch scalar.value {
        case ..<0x80: return scalar.properties.generalCategory
        // Those that later versions moved.
        case 0x166D, 0x111C9: return .otherPunctuation
        case 0x1734, 0x1171E: return .nonspacingMark
        case 0x1885, 0x1886: return .otherLetter
        case 0xA9BD: return .spacingMark
        default: break
        }
        guard let age = scalar.properties.age, age.major <= 8 else { return .unassigned }
        return scalar.properties.generalCategory
    }

    private static func lowercased(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        scalar.properties.lowercaseMapping.unicodeScalars
    }
}
