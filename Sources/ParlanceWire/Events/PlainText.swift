/// Reads and writes the body of a message that contains only a text, as most do, without the general coder.
package enum PlainText {
    package static func write(_ text: String) -> [UInt8] {
        let count = text.utf8.count
        guard count > 0 else { return [] }
        var body: [UInt8] = []
        body.reserveCapacity(count + 6)
        body.append(0x0A)
        body.append(varint: UInt64(count))
        body.append(contentsOf: text.utf8)
        return body
    }

    /// - Returns: `nil` if the body contains anything else; then use the general decoder.
    package static func read(_ body: [UInt8]) -> String? {
        guard body.first == 0x0A else { return nil }
        var length = 0
        var offset = 1
        var shift = 0
        repeat {
            guard offset < body.count, shift <= 21 else { return nil }
            length |= Int(body[offset] & 0x7F) << shift
            shift += 7
            offset += 1
        } while body[offset - 1] & 0x80 != 0
        guard body.count - offset == length else { return nil }
        return String(validating: body[offset...], as: UTF8.self)
    }
}
