/// Tells the texts of a message apart (FNV-1a, 64 bits). It is the same in each process.
enum TextDigest {
    static func of(_ text: String) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Int64(bitPattern: hash)
    }
}
