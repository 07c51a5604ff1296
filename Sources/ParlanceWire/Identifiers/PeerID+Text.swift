extension PeerID {
    /// The fewest characters of a peer ID that name a peer: 40 bits, so that two neighbours do not share them by
    /// chance.
    package static let shortestPrefix = 8

    /// The whole text form: 52 base32 characters and 4 check characters, in 7 groups of 8 (identity.md, "Text forms").
    package var grouped: String {
        let all = text + CheckCharacters.of(bytes)
        return stride(from: 0, to: all.count, by: 8)
            .map { start in String(all.dropFirst(start).prefix(8)) }
            .joined(separator: " ")
    }

    /// The first 8 characters, which discovery announces.
    package var prefix: String { String(text.prefix(Self.shortestPrefix)) }

    /// Reads the whole text form, with or without spaces and hyphens, in either case.
    ///
    /// - Returns: `nil` if a character is missing or wrong, or the check characters do not fit.
    package init?(text: String) {
        // Most texts are names, and too short.
        guard text.utf8.count >= 56 else { return nil }
        let compact = Self.compact(text)
        guard compact.utf8.count == 56, let bytes = Base32.decode(compact.prefix(52)),
            CheckCharacters.of(bytes) == compact.suffix(4)
        else { return nil }
        self.init(bytes)
    }

    /// Whether the text form of this peer ID begins with a typed text of at least 8 characters.
    package func matches(prefix typed: String) -> Bool {
        // Most texts are names, and too short; and the first character distinguishes most IDs, without computing the others.
        guard typed.utf8.count >= Self.shortestPrefix,
            let first = typed.utf8.first(where: { !Self.isSeparator($0) }),
            Base32.digit(of: first) == value.withUnsafeBytes({ UInt32($0[0] >> 3) })
        else { return false }
        let compact = Self.compact(typed)
        guard compact.utf8.count >= Self.shortestPrefix else { return false }
        let text = text
        // The check characters are compared only if they were typed.
        return (compact.utf8.count <= text.utf8.count ? text : text + CheckCharacters.of(bytes)).hasPrefix(compact)
    }

    private static func compact(_ text: String) -> String {
        String(decoding: text.utf8.filter { !isSeparator($0) }, as: UTF8.self).lowercased()
    }

    private static func isSeparator(_ character: UInt8) -> Bool {
        character == UInt8(ascii: " ") || character == UInt8(ascii: "-")
    }
}
