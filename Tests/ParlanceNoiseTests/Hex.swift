/// Bytes from hexadecimal text; blanks are ignored, so that long values can be broken into lines.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap { $0.isWhitespace ? nil : $0.hexDigitValue }
    precondition(digits.count.isMultiple(of: 2), "odd number of hexadecimal digits")
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Hexadecimal text from bytes, so that a failed comparison can be read.
func text(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
