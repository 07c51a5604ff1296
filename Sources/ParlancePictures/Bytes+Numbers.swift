extension [UInt8] {
    /// The byte at an offset; `nil` outside. Every number of a picture may lie.
    func byte(_ offset: Int) -> Int? { indices.contains(offset) ? Int(self[offset]) : nil }

    /// Two bytes, the highest first.
    func big16(_ offset: Int) -> Int? {
        guard let high = byte(offset), let low = byte(offset + 1) else { return nil }
        return high << 8 | low
    }

    /// Four bytes, the highest first.
    func big32(_ offset: Int) -> Int? {
        guard let high = big16(offset), let low = big16(offset + 2) else { return nil }
        return high << 16 | low
    }

    /// Two bytes, the lowest first.
    func little16(_ offset: Int) -> Int? { big16(offset).map { $0 >> 8 | ($0 & 0xFF) << 8 } }

    /// Four bytes, the lowest first.
    func little32(_ offset: Int) -> Int? {
        guard let low = little16(offset), let high = little16(offset + 2) else { return nil }
        return high << 16 | low
    }

    /// Whether the ASCII text is at an offset.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, text.utf8CodeUnitCount <= count - offset else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(self[offset..<(offset + $0.count)]) }
    }

    /// A number as four bytes, the highest first.
    static func big32(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
