import ParlanceSodium

// Secrets as hexadecimal digits, without a copy that nobody wipes.
extension SecretBytes {
    /// Reads a line of digits, two for each byte, with white space around it.
    ///
    /// - Returns: `nil` if it is something else.
    package convenience init?(hexLine line: ArraySlice<UInt8>) {
        let digits = line.drop(while: Self.isSpace)
        let end = digits.lastIndex { !Self.isSpace($0) }.map { $0 + 1 } ?? digits.endIndex
        let count = (end - digits.startIndex) / 2
        var isValid = count > 0 && digits.startIndex + 2 * count == end
        self.init(count: isValid ? count : 0) { target in
            for index in target.indices {
                let place = digits.startIndex + 2 * index
                guard let high = Self.value(of: digits[place]), let low = Self.value(of: digits[place + 1]) else {
                    isValid = false
                    return
                }
                target[index] = high << 4 | low
            }
        }
        guard isValid else { return nil }
    }

    /// A mark, the bytes in lowercase digits, and a line feed. Wipe it after use.
    func hexLine(after mark: String) -> [UInt8] {
        var line = Array(mark.utf8)
        // Room for all of it: an array that grows leaves its old storage as it was.
        line.reserveCapacity(line.count + 2 * count + 1)
        withBytes { bytes in
            for byte in bytes {
                for half in [byte >> 4, byte & 15] { line.append(half < 10 ? 0x30 + half : 0x61 + half - 10) }
            }
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - 0x61 + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - 0x41 + 10
        default: nil
        }
    }
}
