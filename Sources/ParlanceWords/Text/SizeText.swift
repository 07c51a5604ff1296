/// A number of bytes as people type it; `FileText.size` says about how many they are.
package enum SizeText {
    /// Each with its bytes, the greatest first.
    private static let units: [(name: String, bytes: UInt64)] = [
        ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1),
    ]
    /// Digits behind the point that are read.
    private static let decimals = 6

    /// The bytes of `10 MiB`, `1.5 GiB` or `512B`, in upper or lower case; nil for anything else, and for what has no room
    /// in 64 bits. Part of a byte is left out.
    package static func bytes(of text: String) -> UInt64? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let name = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
        guard let unit = units.first(where: { $0.name.lowercased() == name }) else { return nil }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = UInt64(parts[0]) else { return nil }
        let (bytes, overflows) = whole.multipliedReportingOverflow(by: unit.bytes)
        guard !overflows else { return nil }
        guard parts.count == 2 else { return bytes }
        guard (1...decimals).contains(parts[1].count), let rest = UInt64(parts[1]) else { return nil }
        let scale = parts[1].reduce(UInt64(1)) { scale, _ in scale * 10 }
        // At most 6 digits and 41 bits.
        let (sum, isTooLarge) = bytes.addingReportingOverflow(rest * unit.bytes / scale)
        return isTooLarge ? nil : sum
    }

    /// The same number as one types it: in the greatest unit that gives at most two decimals.
    package static func typed(_ bytes: UInt64) -> String {
        for unit in units where bytes >= unit.bytes && (bytes % unit.bytes * 100).isMultiple(of: unit.bytes) {
            return "\(decimal(bytes, unit.bytes)) \(unit.name)"
        }
        return "\(bytes) B"
    }

    private static func decimal(_ bytes: UInt64, _ unit: UInt64) -> String {
        let hundredths = bytes % unit * 100 / unit
        if hundredths == 0 { return "\(bytes / unit)" }
        if hundredths.isMultiple(of: 10) { return "\(bytes / unit).\(hundredths / 10)" }
        return "\(bytes / unit).\(hundredths < 10 ? "0" : "")\(hundredths)"
    }
}
