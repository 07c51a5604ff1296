extension Skeletons {
    /// A text in which each character is replaced by what it looks like.
    static func skeleton(of text: String) -> String {
        guard text.unicodeScalars.contains(where: { place(of: $0) != nil }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let place = place(of: scalar) { result.append(contentsOf: place) } else { result.append(scalar) }
        }
        return String(result)
    }

    /// What a character looks like; `nil` if only like itself. It searches the lines of the table by halves: bytes of UTF-8
    /// are in the order of the characters.
    private static func place(of scalar: Unicode.Scalar) -> String.UnicodeScalarView? {
        table.withUTF8Buffer { bytes in
            let wanted = Array(String(scalar).utf8)
            var (low, high) = (0, bytes.count)
            while low < high {
                var start = (low + high) / 2
                while start > low, bytes[start - 1] != lineFeed { start -= 1 }
                var end = start
                while end < high, bytes[end] != lineFeed { end += 1 }
                let line = bytes[start..<end]
                if line.starts(with: wanted) {
                    return String(decoding: line.dropFirst(wanted.count), as: UTF8.self).unicodeScalars
                }
                if wanted.lexicographicallyPrecedes(line) { high = start } else { low = end + 1 }
            }
            return nil
        }
    }

    private static let lineFeed = UInt8(ascii: "\n")
}
