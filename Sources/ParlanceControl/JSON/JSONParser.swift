/// Why a text is not JSON.
package struct JSONError: Error, Equatable, Sendable {
    /// The offset of the byte where reading stopped.
    package var offset: Int
    /// What is wrong there, in words for people.
    package var reason: String
}

/// A strict reader of one JSON value (RFC 8259): no comments, no trailing commas, no duplicate keys, valid UTF-8.
///
/// It reads from an array, whose bounds are checked, and recurses at most `ControlLimits.nesting` deep.
package struct JSONParser {
    private let bytes: [UInt8]
    private var index = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads exactly one value, with nothing but white space around it.
    package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSON {
        var parser = JSONParser(bytes)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        if parser.index < bytes.count { throw parser.error("more text after the value") }
        return value
    }

    private func error(_ reason: String) -> JSONError {
        JSONError(offset: index, reason: reason)
    }

    /// The current byte, or 0 at the end; JSON allows no zero byte anywhere.
    private var here: UInt8 {
        index < bytes.count ? bytes[index] : 0
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        skipSpace()
        switch here {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "-"), 0x30...0x39: return try number()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default:
            throw error(index == bytes.count ? "the text ends where a value should stand" : "no value starts like this")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        let end = index + word.utf8CodeUnitCount
        let same = word.withUTF8Buffer { end <= bytes.count && bytes[index..<end].elementsEqual($0) }
        guard same else { throw error("no value starts like this") }
        index = end
        return value
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        try enter(depth)
        if here == UInt8(ascii: "]") {
            index += 1
            return .array([])
        }
        var elements: [JSON] = []
        while true {
            elements.append(try value(depth: depth))
            if try isLast(closing: UInt8(ascii: "]"), "a comma or ] is missing") { return .array(elements) }
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        try enter(depth)
        if here == UInt8(ascii: "}") {
            index += 1
            return .object([])
        }
        var members: [JSON.Member] = []
        members.reserveCapacity(4)
        while true {
            skipSpace()
            guard here == UInt8(ascii: "\"") else { throw error("a key in quotes is missing") }
            let key = try string()
            if members.contains(where: { $0.key == key }) { throw error("a key stands twice in one object") }
            if members.count == ControlLimits.objectMembers {
                throw error("an object has more than \(ControlLimits.objectMembers) members")
            }
            skipSpace()
            guard here == UInt8(ascii: ":") else { throw error("a colon is missing") }
            index += 1
            members.append(JSON.Member(key, try value(depth: depth)))
            if try isLast(closing: UInt8(ascii: "}"), "a comma or } is missing") { return .object(members) }
        }
    }

    /// Steps into an array or object, up to its first element or its end.
    private mutating func enter(_ depth: Int) throws(JSONError) {
        if depth > ControlLimits.nesting { throw error("nested deeper than \(ControlLimits.nesting) levels") }
        index += 1
        skipSpace()
    }

    /// Steps past the comma after an element, or past the end.
    private mutating func isLast(closing: UInt8, _ reason: String) throws(JSONError) -> Bool {
        skipSpace()
        let byte = here
        guard byte == closing || byte == UInt8(ascii: ",") else { throw error(reason) }
        index += 1
        return byte == closing
    }
}

// MARK: - Numbers

extension JSONParser {
    private mutating func number() throws(JSONError) -> JSON {
        let start = index
        var isInteger = true
        if here == UInt8(ascii: "-") { index += 1 }
        if here == UInt8(ascii: "0") {
            index += 1
        } else {
            try digits()
        }
        if here == UInt8(ascii: ".") {
            isInteger = false
            index += 1
            try digits()
        }
        if here | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            index += 1
            if here == UInt8(ascii: "+") || here == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        guard let double = Double(text), double.isFinite else { throw error("a number is too large") }
        return .double(double)
    }

    private mutating func digits() throws(JSONError) {
        let start = index
        while (0x30...0x39).contains(here) { index += 1 }
        if index == start { throw error("a digit is missing in a number") }
    }
}

// MARK: - Strings

extension JSONParser {
    private mutating func string() throws(JSONError) -> String {
        index += 1
        let start = index
        var seen: UInt8 = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                // ASCII is always valid UTF-8, and most strings are ASCII.
                let isASCII = seen < 0x80
                let text = isASCII ? String(decoding: bytes[start..<index], as: UTF8.self) : try text(start..<index)
                index += 1
                return text
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw error("a control character in a string is not escaped")
            default:
                seen |= byte
                index += 1
            }
        }
        throw error("a string has no end")
    }

    private func text(_ range: Range<Int>) throws(JSONError) -> String {
        try text(Array(bytes[range]))
    }

    private func text(_ content: [UInt8]) throws(JSONError) -> String {
        guard let text = String(validating: content, as: UTF8.self) else { throw error("a string is not valid UTF-8") }
        return text
    }

    /// The rest of a string from its first escape on; `start` is where its content starts.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var content = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                let text = try text(content)
                index += 1
                return text
            case UInt8(ascii: "\\"):
                index += 1
                try escape(into: &content)
            case 0..<0x20: throw error("a control character in a string is not escaped")
            default:
                content.append(byte)
                index += 1
            }
        }
        throw error("a string has no end")
    }

    private mutating func escape(into content: inout [UInt8]) throws(JSONError) {
        let byte = here
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            content.append(contentsOf: UTF8.encode(try scalar()) ?? UTF8.encodedReplacementCharacter)
        default:
            index -= 1
            throw error("an unknown escape in a string")
        }
    }

    /// The character of a `\u` escape, or of two that are a surrogate pair.
    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let unit = try hex()
        guard (0xD800...0xDFFF).contains(unit) else {
            guard let scalar = Unicode.Scalar(unit) else { throw error("an escape is no character") }
            return scalar
        }
        guard unit < 0xDC00, here == UInt8(ascii: "\\") else { throw error("half a surrogate pair") }
        index += 1
        guard here == UInt8(ascii: "u") else { throw error("half a surrogate pair") }
        index += 1
        let low = try hex()
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + low - 0xDC00)
        else { throw error("half a surrogate pair") }
        return scalar
    }

    private mutating func hex() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            switch here {
            case 0x30...0x39: value = value << 4 | UInt32(here - 0x30)
            case 0x41...0x46: value = value << 4 | UInt32(here - 0x37)
            case 0x61...0x66: value = value << 4 | UInt32(here - 0x57)
            default: throw error("a \\u escape needs four hexadecimal digits")
            }
            index += 1
        }
        return value
    }
}
