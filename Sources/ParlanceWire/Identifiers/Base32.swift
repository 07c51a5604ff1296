/// Base32 of RFC 4648, lower case and without padding.
package enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let count = (bytes.count * 8 + 4) / 5
        return String(unsafeUninitializedCapacity: count) { out in
            var written = 0
            var buffer: UInt32 = 0
            var bits: UInt32 = 0
            for byte in bytes {
                buffer = (buffer << 8) | UInt32(byte)
                bits += 8
                while bits >= 5 {
                    bits -= 5
                    out[written] = alphabet[Int((buffer >> bits) & 31)]
                    written += 1
                }
                buffer &= (1 << bits) - 1
            }
            if bits > 0 {
                out[written] = alphabet[Int((buffer << (5 - bits)) & 31)]
                written += 1
            }
            return written
        }
    }

    /// The bytes of a text in either case; `nil` for another character, an impossible length, or stray bits at the end.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var out: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for character in text.utf8 {
            guard let digit = digit(of: character) else { return nil }
            buffer = (buffer << 5) | digit
            bits += 5
            if bits >= 8 {
                bits -= 8
                out.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
                buffer &= (1 << UInt32(bits)) - 1
            }
        }
        return bits < 5 && buffer == 0 ? out : nil
    }

    /// The five bits that a character, in either case, represents.
    static func digit(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(character - UInt8(ascii: "2")) + 26
        default: nil
        }
    }
}
