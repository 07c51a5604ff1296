/// The characters that a terminal shows, as the locale says (POSIX, "Environment Variables"). Others are question marks:
/// bytes that the terminal takes for something else could be commands to it.
package enum Charset: Equatable, Sendable {
    case utf8
    /// ISO 8859-1.
    case latin1
    /// ISO 8859-15: as ISO 8859-1, with the euro sign and seven letters in the place of others.
    case latin9
    case ascii

    package init(environment: (String) -> String?) {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
        let name = locale.lowercased().filter { $0.isLetter || $0.isNumber }
        if name.contains("utf8") {
            self = .utf8
        } else if name.hasSuffix("885915") || locale.hasSuffix("@euro") {
            self = .latin9
        } else {
            self = name.hasSuffix("88591") ? .latin1 : .ascii
        }
    }

    /// The bytes of a text for the terminal.
    package func bytes(_ text: String) -> [UInt8] {
        guard self != .utf8, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return Array(text.utf8) }
        return text.flatMap { bytes($0, width: 1) }
    }

    /// - Parameter width: the columns that it takes.
    package func bytes(_ character: Character, width: Int) -> [UInt8] {
        if self == .utf8 || character.utf8.allSatisfy({ $0 < 0x80 }) { return Array(character.utf8) }
        if let byte = byte(character) { return [byte] }
        return Array(repeating: UInt8(ascii: "?"), count: width)
    }

    /// The bytes of a character that takes so many columns; `nil` for those of UTF-8.
    package var encoder: (@Sendable (Character, Int) -> [UInt8])? {
        guard self != .utf8 else { return nil }
        return { character, width in bytes(character, width: width) }
    }

    private func byte(_ character: Character) -> UInt8? {
        guard self != .ascii, let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else {
            return nil
        }
        if self == .latin9 {
            if let byte = Self.ofLatin9[scalar] { return byte }
            if Self.ofLatin9.values.contains(where: { UInt32($0) == scalar.value }) { return nil }
        }
        return (0xA0...0xFF).contains(scalar.value) ? UInt8(scalar.value) : nil
    }

    private static let ofLatin9: [Unicode.Scalar: UInt8] = [
        "€": 0xA4, "Š": 0xA6, "š": 0xA8, "Ž": 0xB4, "ž": 0xB8, "Œ": 0xBC, "œ": 0xBD, "Ÿ": 0xBE,
    ]
}
