/// Four characters after a text that people copy: they detect typing mistakes (identity.md, "Text forms").
package enum CheckCharacters {
    /// The low 20 bits of CRC-32 (IEEE 802.3) over the bytes, in base32.
    package static func of(_ bytes: [UInt8]) -> String {
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
