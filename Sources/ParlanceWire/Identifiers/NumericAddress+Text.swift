extension NumericAddress {
    /// Reads an address: IPv4 as four decimal numbers, IPv6 in each form of RFC 4291, section 2.2. `nil` for anything
    /// else, such as a zone or a port behind it.
    package init?(text: some StringProtocol) {
        guard let bytes = text.contains(":") ? Self.ipv6(Substring(text)) : Self.ipv4(Substring(text)) else {
            return nil
        }
        self.init(bytes)
    }

    private static func ipv4(_ text: Substring) -> [UInt8]? {
        let fields = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = fields.compactMap { field -> UInt8? in
            // A leading zero means an octal number to some programs, so it is refused.
            let isDecimal =
                field.utf8.allSatisfy { (0x30...0x39).contains($0) } && (field.count == 1 || field.first != "0")
            return isDecimal ? UInt8(field) : nil
        }
        return fields.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func ipv6(_ text: Substring) -> [UInt8]? {
        guard let gap = text.firstRange(of: "::") else {
            return groups(text, mayEndWithIPv4: true).flatMap { $0.count == 16 ? $0 : nil }
        }
        guard let before = groups(text[..<gap.lowerBound], mayEndWithIPv4: false),
            let after = groups(text[gap.upperBound...], mayEndWithIPv4: true)
        else { return nil }
        let missing = 16 - before.count - after.count
        return missing >= 2 ? before + [UInt8](repeating: 0, count: missing) + after : nil
    }

    /// The bytes of groups between colons.
    private static func groups(_ text: Substring, mayEndWithIPv4: Bool) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, field) in fields.enumerated() {
            if mayEndWithIPv4, index == fields.count - 1, field.contains("."), let tail = ipv4(field) {
                bytes += tail
                continue
            }
            guard (1...4).contains(field.utf8.count), field.utf8.allSatisfy(isHexadecimal),
                let group = UInt16(field, radix: 16)
            else { return nil }
            bytes += [UInt8(group >> 8), UInt8(group & 0xff)]
        }
        return bytes
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        case UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: false
        }
    }
}
