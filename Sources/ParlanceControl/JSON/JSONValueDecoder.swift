/// Why a JSON value does not have the expected type, in words for people: `params.limit must be an integer`.
package struct JSONMismatch: Error, Equatable, Sendable {
    package var message: String
}

/// An enumeration whose values are words, so that an error can list them.
package protocol JSONWord: RawRepresentable<String>, CaseIterable {}

extension JSONWord {
    fileprivate static var words: String {
        allCases.map(\.rawValue).joined(separator: ", ")
    }
}

/// Turns `JSON` into `Decodable` values.
package enum JSONValueDecoder {
    /// Reads a value; `name` is what errors call it, and `strict` refuses members that the type does not know.
    package static func decode<Value: Decodable>(
        _ type: Value.Type,
        from json: JSON,
        name: String,
        strict: Bool
    ) throws -> Value {
        try ValueDecoder(json: json, name: name, strict: strict).decode(type)
    }
}

private struct ValueDecoder: Decoder {
    let json: JSON
    let name: String
    let strict: Bool
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try Value(from: self)
        } catch let error as DecodingError {
            if let words = type as? any JSONWord.Type {
                throw JSONMismatch(message: "\(name) must be one of: \(words.words)")
            }
            if case .dataCorrupted(let context) = error {
                throw JSONMismatch(message: "\(name) is \(context.debugDescription)")
            }
            throw JSONMismatch(message: "\(name) has the wrong form")
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = json else { throw mismatch("an object") }
        if strict, let stranger = members.first(where: { Key(stringValue: $0.key) == nil }) {
            throw JSONMismatch(message: "\(name).\(stranger.key) is not known here")
        }
        return KeyedDecodingContainer(KeyedValues<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = json else { throw mismatch("an array") }
        return ValueList(decoder: self, elements: elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        SingleValue(decoder: self)
    }

    func mismatch(_ expected: String) -> JSONMismatch {
        JSONMismatch(message: "\(name) must be \(expected), not \(json.kind)")
    }

    func text() throws -> String {
        guard case .string(let text) = json else { throw mismatch("a string") }
        return text
    }

    func bool() throws -> Bool {
        guard case .bool(let bool) = json else { throw mismatch("true or false") }
        return bool
    }

    func double() throws -> Double {
        switch json {
        case .integer(let integer): return Double(integer)
        case .double(let double): return double
        default: throw mismatch("a number")
        }
    }

    func integer<Value: BinaryInteger>() throws -> Value {
        guard case .integer(let integer) = json else { throw mismatch("an integer") }
        guard let value = Value(exactly: integer) else { throw JSONMismatch(message: "\(name) is out of range") }
        return value
    }
}

private struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        guard case .object(let members) = decoder.json else { return [] }
        return members.compactMap { Key(stringValue: $0.key) }
    }

    func contains(_ key: Key) -> Bool {
        decoder.json[key.stringValue] != nil
    }

    func decodeNil(forKey key: Key) -> Bool {
        (decoder.json[key.stringValue] ?? .null) == .null
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        if case .string(let text) = decoder.json[key.stringValue] { return text }
        return try inner(key).text()
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try inner(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try inner(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try inner(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key) }

    private func inner(_ key: Key) throws -> ValueDecoder {
        let name = "\(decoder.name).\(key.stringValue)"
        guard let value = decoder.json[key.stringValue] else { throw JSONMismatch(message: "\(name) is missing") }
        return ValueDecoder(json: value, name: name, strict: decoder.strict)
    }
}

private struct ValueList: UnkeyedDecodingContainer {
    let decoder: ValueDecoder
    let elements: [JSON]
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() -> Bool {
        guard !isAtEnd, elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next().decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next() }

    private mutating func next() throws -> ValueDecoder {
        let name = "\(decoder.name)[\(currentIndex)]"
        guard !isAtEnd else { throw JSONMismatch(message: "\(name) is missing") }
        defer { currentIndex += 1 }
        return ValueDecoder(json: elements[currentIndex], name: name, strict: decoder.strict)
    }
}

private struct SingleValue: SingleValueDecodingContainer {
    let decoder: ValueDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { decoder.json == .null }
    func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }
    func decode(_ type: String.Type) throws -> String { try decoder.text() }
    func decode(_ type: Double.Type) throws -> Double { try decoder.double() }
    func decode(_ type: Float.Type) throws -> Float { Float(try decoder.double()) }
    func decode(_ type: Int.Type) throws -> Int { try decoder.integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer() }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}
