/// Removes what a GIF file tells besides the picture: comments, XMP, and what other applications add (GIF89a, 24 and 26).
enum GIFCleaner {
    /// - Returns: `nil` if the file is damaged.
    static func clean(_ bytes: [UInt8]) -> PieceList? {
        guard let flags = bytes.byte(10), let start = end(of: 13, flags, bytes) else { return nil }
        var list = PieceList()
        list.copy(0..<start)
        var offset = start
        while let introducer = bytes.byte(offset) {
            switch introducer {
            case 0x3B:
                list.copy(offset..<(offset + 1))
                return list
            case 0x21:
                guard let end = endOfBlocks(offset + 2, bytes) else { return nil }
                if isKept(offset, bytes) { list.copy(offset..<end) }
                offset = end
            case 0x2C:
                // The table of colors, the size of codes, and the data.
                guard let flags = bytes.byte(offset + 9), let data = end(of: offset + 10, flags, bytes),
                    let end = endOfBlocks(data + 1, bytes)
                else { return nil }
                list.copy(offset..<end)
                offset = end
            default: return nil
            }
        }
        return nil
    }

    /// Where a table of colors ends, if the flags say that there is one.
    private static func end(of table: Int, _ flags: Int, _ bytes: [UInt8]) -> Int? {
        let end = flags & 0x80 == 0 ? table : table + (3 << ((flags & 7) + 1))
        return end <= bytes.count ? end : nil
    }

    private static func endOfBlocks(_ start: Int, _ bytes: [UInt8]) -> Int? {
        var offset = start
        while let length = bytes.byte(offset) {
            offset += 1 + length
            if length == 0 { return offset }
        }
        return nil
    }

    /// How long a picture is shown, a text that is shown, how often a film is played, and the color profile.
    private static func isKept(_ offset: Int, _ bytes: [UInt8]) -> Bool {
        switch bytes.byte(offset + 1) {
        case 0xF9, 0x01: true
        case 0xFF:
            bytes.byte(offset + 2) == 11
                && (bytes.has("NETSCAPE2.0", at: offset + 3) || bytes.has("ANIMEXTS1.0", at: offset + 3)
                    || bytes.has("ICCRGBG1012", at: offset + 3))
        default: false
        }
    }
}
