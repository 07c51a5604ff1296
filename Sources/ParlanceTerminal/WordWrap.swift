/// Wraps a text at its spaces.
package enum WordWrap {
    /// The lines of a text without line feeds, each at most `width` columns wide; a longer word is broken.
    ///
    /// Spaces inside a line are kept; those at a break are left out.
    package static func lines(_ text: String, width: Int) -> [String] {
        guard DisplayWidth.of(text) > width else { return [text] }
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
            let columns = DisplayWidth.of(word)
            if !line.isEmpty, used + 1 + columns <= width {
                line += " " + word
                used += 1 + columns
                continue
            }
            if !line.isEmpty { lines.append(line) }
            let pieces = broken(word, width: width)
            lines += pieces.dropLast()
            line = pieces.last ?? ""
            used = DisplayWidth.of(line)
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// The pieces of a word, each at most `width` columns wide.
    private static func broken(_ word: String, width: Int) -> [String] {
        var pieces: [String] = []
        var piece = ""
        var used = 0
        for character in word {
            let columns = DisplayWidth.of(String(character))
            if used + columns > width, !piece.isEmpty {
                pieces.append(piece)
                (piece, used) = ("", 0)
            }
            piece.append(character)
            used += columns
        }
        return pieces + [piece]
    }
}
