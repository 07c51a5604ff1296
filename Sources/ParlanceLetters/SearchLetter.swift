/// What a character is to search.
package enum SearchLetter {
    /// A letter or digit of a script with spaces between words.
    case letter
    /// A character of a script without spaces between words.
    case unit
    /// A vowel sign or another mark that belongs to the character before it.
    case mark
    /// A symbol or an emoji, which is a word of its own.
    case symbol
    /// An accent, a joiner or a skin tone: compared as if it were not there.
    case ignored
    /// Whatever separates words.
    case between

    package init(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        if value < 0x80 {
            let isWord =
                value >= 0x61 && value <= 0x7A || value >= 0x30 && value <= 0x39 || value >= 0x41 && value <= 0x5A
            self = isWord ? .letter : .between
            return
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
            .decimalNumber, .otherNumber, .privateUse:
            // The Arabic tatweel only makes a word longer.
            self = value == 0x640 ? .ignored : Self.isUnspaced(value) ? .unit : .letter
        case .nonspacingMark, .spacingMark, .enclosingMark: self = Self.isAccent(value) ? .ignored : .mark
        case .mathSymbol, .currencySymbol, .otherSymbol: self = .symbol
        case .format, .modifierSymbol: self = .ignored
        default: self = .between
        }
    }

    /// A character as it is compared: in lower case, without accents, and digits as those of ASCII.
    package static func folded(_ scalar: Unicode.Scalar) -> [UInt8] {
        if isUnspaced(scalar.value) { return Array(String(scalar).utf8) }
        // Full-width forms of ASCII.
        if (0xFF01...0xFF5E).contains(scalar.value), let narrow = Unicode.Scalar(scalar.value - 0xFEE0) {
            return Array(narrow.properties.lowercaseMapping.utf8)
        }
        let properties = scalar.properties
        if properties.generalCategory == .decimalNumber, let digit = properties.numericValue {
            return [UInt8(ascii: "0") + UInt8(digit)]
        }
        var folded: [UInt8] = []
        for lower in properties.lowercaseMapping.unicodeScalars where !isAccent(lower.value) {
            folded += alike[lower.value] ?? Array(String(lower).utf8)
        }
        return folded
    }

    private static let alike: [UInt32: [UInt8]] = {
        var alike: [UInt32: [UInt8]] = [:]
        for (like, letters) in Folds.groups {
            for letter in letters.unicodeScalars { alike[letter.value] = Array(like.utf8) }
        }
        return alike
    }()

    /// Marks of scripts whose writers leave them out: Latin, Greek, Cyrillic, Hebrew, Arabic and Syriac. In the scripts of
    /// India and South-East Asia the marks are vowels.
    private static func isAccent(_ value: UInt32) -> Bool {
        switch value {
        case 0x300...0x36F, 0x483...0x489, 0x591...0x5C7, 0x610...0x61A, 0x64B...0x65F, 0x670, 0x6D6...0x6ED, 0x711,
            0x730...0x74A, 0x8CA...0x8FF, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F,
            0xFE20...0xFE2F, 0xE0100...0xE01EF:
            true
        default: false
        }
    }

    /// The characters of scripts without spaces between words, and of Korean.
    package static func isUnspaced(_ value: UInt32) -> Bool {
        guard value >= 0xE00 else { return false }
        return switch value {
        // Thai and Lao; Burmese; Hangul; Khmer; Tai Le, New Tai Lue; Tai Tham; Balinese.
        case 0xE00...0xEFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x1950...0x19DF, 0x1A20...0x1AAF,
            0x1B00...0x1B7F,
            // Kana, Bopomofo, Hangul, ideographs, Yi.
            0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x4DBF, 0x4E00...0xA4CF,
            // Hangul, Javanese, Burmese, Tai Viet, Hangul, ideographs, half-width forms.
            0xA960...0xA9FF, 0xAA60...0xAADF, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC,
            // Tangut, Khitan, Kana, Nushu, ideographs.
            0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
