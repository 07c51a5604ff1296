package import NIOCore

/// Writes JSON into a byte buffer, in one line: no white space, control characters escaped.
package enum JSONWriter {
    /// Appends a value.
    package static func write(_ value: JSON, to buffer: inout ByteBuffer) {
        switch value {
        case .null: buffer.writeStaticString("null")
        case .bool(let bool): buffer.writeStaticString(bool ? "true" : "false")
        case .integer(let integer): buffer.writeString(String(integer))
        case .double(let double): buffer.writeString(double.isFinite ? String(double) : "null")
        case .string(let text): write(text, to: &buffer)
        case .array(let elements):
            buffer.writeStaticString("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { buffer.writeStaticString(",") }
                write(element, to: &buffer)
            }
            buffer.writeStaticString("]")
        case .object(let members):
            buffer.writeStaticString("{")
            for (index, member) in members.enumerated() {
                if index > 0 { buffer.writeStaticString(",") }
                write(member.key, to: &buffer)
                buffer.writeStaticString(":")
                write(member.value, to: &buffer)
            }
            buffer.writeStaticString("}")
        }
    }

    /// Appends a string with its quotes.
    ///
    /// Control characters are escaped, those of U+0080 to U+009F too, because some terminals obey them; so are format
    /// characters, which can make a text read as another, and the separators that some programs take for line breaks.
    package static func write(_ text: String, to buffer: inout ByteBuffer) {
        buffer.writeStaticString("\"")
        let isPlain = text.utf8.withContiguousStorageIfAvailable { !$0.contains(where: mayNeedEscape) } ?? false
        if !isPlain {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(text.utf8.count + 16)
            for scalar in text.unicodeScalars { append(scalar, to: &bytes) }
            buffer.writeBytes(bytes)
        } else {
            buffer.writeString(text)
        }
        buffer.writeStaticString("\"")
    }

    /// The value's text.
    package static func text(_ value: JSON) -> String {
        var buffer = ByteBuffer()
        write(value, to: &buffer)
        return String(buffer: buffer)
    }

    /// Whether a character that begins with this byte may be one to escape. Letters of Latin, Greek, Cyrillic and Hebrew
    /// begin with 0xC3 to 0xD7, and bytes below 0xC0 continue a character.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F || byte == 0xC2
            || byte >= 0xD8
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar.value {
        case 0x22: bytes += [0x5C, 0x22]
        case 0x5C: bytes += [0x5C, 0x5C]
        case 0x0A: bytes += [0x5C, UInt8(ascii: "n")]
        case 0x0D: bytes += [0x5C, UInt8(ascii: "r")]
        case 0x09: bytes += [0x5C, UInt8(ascii: "t")]
        case _ where isEscaped(scalar):
            for unit in UTF16.encode(scalar) ?? .init() { append(escaped: unit, to: &bytes) }
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x20, scalar.value < 0x7F || scalar.value > 0x9F else { return true }
        guard !scalar.isASCII else { return false }
        switch scalar.properties.generalCategory {
        case .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    private static func append(escaped unit: UInt16, to bytes: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        bytes += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
        for shift in [12, 8, 4, 0] { bytes.append(digits[Int(unit >> UInt16(shift)) & 15]) }
    }
}
