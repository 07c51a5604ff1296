/// Reads the body of a message that contains only a text, as most do, without the general decoder.
package enum PlainText {
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
