/// The number of terminal columns that a text takes.
package enum DisplayWidth {
    /// The columns of a text that has no control characters.
    package static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The columns of a character.
    ///
    /// A flag, an emoji and what is joined to it are one picture of two columns. Otherwise each part takes its own: the
    /// marks above and below a letter none, the vowels that stand beside it in Indic scripts one.
    package static func of(_ character: Character) -> Int {
        if character.utf8.count == 1 { return 1 }
        var sum = 0
        for scalar in character.unicodeScalars {
            if isPicture(scalar) { return 2 }
            sum += of(scalar)
        }
        return sum
    }

    /// Whether terminals agree on the columns of a character: on a single one that is no emoji they do.
    package static func isCertain(_ character: Character) -> Bool {
        if character.utf8.count == 1 { return true }
        let scalars = character.unicodeScalars
        guard let first = scalars.first, scalars.count == 1 else { return false }
        return !isPicture(first) && of(first) > 0
    }

    /// Whether a part makes its character an emoji: U+FE0F asks for that, and so do the halves of flags.
    private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x203C { return false }
        return scalar.value == 0xFE0F || (0x1F1E6...0x1F1FF).contains(scalar.value)
            || scalar.properties.isEmojiPresentation
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // The vowels and final consonants of Hangul are drawn into the columns of the initial.
        if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FB).contains(scalar.value) { return 0 }
        return isWide(scalar.value) ? 2 : 1
    }

    private static func isWide(_ value: UInt32) -> Bool {
        var (low, high) = (0, WideRanges.all.count)
        while low < high {
            let middle = (low + high) / 2
            if value > WideRanges.all[middle].upperBound { low = middle + 1 } else { high = middle }
        }
        return low < WideRanges.all.count && WideRanges.all[low].contains(value)
    }

    /// The text, filled with spaces on its right (or left) to a width.
    package static func pad(_ text: String, to width: Int, alignRight: Bool = false) -> String {
        let fill = String(repeating: " ", count: max(0, width - of(text)))
        return alignRight ? fill + text : text + fill
    }

    /// The text, cut with an ellipsis if it is wider than a width of at least 1.
    package static func cut(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        var result = ""
        var used = 0
        for character in text {
            used += of(character)
            if used > width - 1 { break }
            result.append(character)
        }
        return result + "…"
    }
}
