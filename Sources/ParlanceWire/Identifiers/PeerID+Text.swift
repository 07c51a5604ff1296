extension PeerID {
    /// The fewest characters of a peer ID that name a peer: 40 bits, so that a neighbour's ID is not met by chance.
    package static let shortestPrefix = 8

    /// The whole text form: 52 base32 characters and 4 check characters, in 7 groups of 8 (identity.md, "Text forms").
    package var grouped: String {
        let all = text + Self.check(of: bytes)
        return stride(from: 0, to: all.count, by: 8)
            .map { start in String(all.dropFirst(start).prefix(8)) }
            .joined(separator: " ")
    }

    /// The first 8 characters: what discovery announces.
    package var prefix: String { String(text.prefix(Self.shortestPrefix)) }

    /// Reads the whole text form, with or without spaces and hyphens, in either case.
    ///
    /// - Returns: `nil` if a character is missing or wrong, or the check characters do not fit.
    package init?(text: String) {
        // Most of what is asked for is a name, and too short.
        guard text.utf8.count >= 56 else { return nil }
        let compact = Self.compact(text)
        guard compact.utf8.count == 56, let bytes = Base32.decode(compact.prefix(52)),
            Self.check(of: bytes) == compact.suffix(4)
        else { return nil }
        self.init(bytes)
    }

    /// Whether a typed text of at least 8 characters is how this peer ID's text form begins.
    package func matches(prefix typed: String) -> Bool {
        let compact = Self.compact(typed)
        guard compact.utf8.count >= Self.shortestPrefix else { return false }
        let text = text
        // The check characters are only looked at if they were typed.
        return (compact.utf8.count <= text.utf8.count ? text : text + Self.check(of: bytes)).hasPrefix(compact)
    }

    private static func compact(_ text: String) -> String {
        text.filter { $0 != " " && $0 != "-" }.lowercased()
    }

    /// The low 20 bits of CRC-32 (IEEE 802.3) over the key, as 4 base32 characters: it finds a slip of the finger.
    private static func check(of bytes: [UInt8]) -> String {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = (crc >> 1) ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        let bits = ~crc & 0xF_FFFF
        let shifted = bits << 4
        return String(
            Base32.encode([
                UInt8(shifted >> 16), UInt8((shifted >> 8) & 0xFF), UInt8(shifted & 0xFF),
            ]).prefix(4)
        )
    }
}
