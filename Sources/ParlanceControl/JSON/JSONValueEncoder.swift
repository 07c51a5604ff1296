package import ParlanceWords

/// Turns `Encodable` values into `JSON`; nil properties are left out.
package enum JSONValueEncoder {
    /// - Parameter language: the language of the phrases in the value.
    package static func encode(_ value: some Encodable, in language: Language = .english) throws -> JSON {
        let box = JSONBox(language: language)
        try value.encode(to: BoxEncoder(box: box))
        return box.json
    }
}

/// A value under construction; a class, because the containers of the `Codable` protocols share it.
private final class JSONBox {
    /// A part of a value: complete, or still under construction.
    enum Part {
        case ready(JSON)
        case box(JSONBox)

        var json: JSON {
            switch self {
            case .ready(let json): json
            case .box(let box): box.json
            }
        }
    }

    private enum Content {
        case value(JSON)
        case object
        case array
    }

    let language: Language
    private var content = Content.value(.null)
    private var keys: [String] = []
    private var parts: [Part] = []

    init(language: Language) {
        self.language = language
    }

    var count: Int { parts.count }

    func set(_ value: JSON) {
        content = .value(value)
    }

    func becomeObject() {
        content = .object
        keys.reserveCapacity(12)
        parts.reserveCapacity(12)
    }

    func becomeArray() {
        content = .array
    }

    func add(_ part: Part, key: String) {
        keys.append(key)
        parts.append(part)
    }

    func add(_ part: Part) {
        parts.append(part)
    }

    var json: JSON {
        switch content {
        case .value(let value): value
        case .object: .object(zip(keys, parts).map { JSON.Member($0, $1.json) })
        case .array: .array(parts.map(\.json))
        }
    }

    /// Any value, encoded at once.
    static func part(_ value: some Encodable, in language: Language) throws -> Part {
        let box = JSONBox(language: language)
        try value.encode(to: BoxEncoder(box: box))
        return .ready(box.json)
    }

    /// An integer; one beyond 64 signed bits becomes a floating-point number and loses digits.
    static func integer(_ value: some BinaryInteger) -> JSON {
        Int64(exactly: value).map(JSON.integer) ?? .double(Double(value))
    }
}

private struct BoxEncoder: Encoder {
    let box: JSONBox
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { box.language.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        box.becomeObject()
        return KeyedEncodingContainer(BoxKeyedContainer<Key>(box: box))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        box.becomeArray()
        return BoxUnkeyedContainer(box: box)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        BoxValueContainer(box: box)
    }
}

private struct BoxKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let box: JSONBox
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { box.add(.ready(.null), key: key.stringValue) }
    func encode(_ value: Bool, forKey key: Key) { box.add(.ready(.bool(value)), key: key.stringValue) }
    func encode(_ value: String, forKey key: Key) { box.add(.ready(.string(value)), key: key.stringValue) }
    func encode(_ value: Double, forKey key: Key) { box.add(.ready(.double(value)), key: key.stringValue) }
    func encode(_ value: Int, forKey key: Key) { box.add(.ready(JSONBox.integer(value)), key: key.stringValue) }
    func encode(_ value: UInt64, forKey key: Key) { box.add(.ready(JSONBox.integer(value)), key: key.stringValue) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        box.add(try JSONBox.part(value, in: box.language), key: key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nested(nil) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: Key?) -> BoxEncoder {
        let inner = JSONBox(language: box.language)
        box.add(.box(inner), key: key?.stringValue ?? "super")
        return BoxEncoder(box: inner)
    }
}

private struct BoxUnkeyedContainer: UnkeyedEncodingContainer {
    let box: JSONBox
    var codingPath: [any CodingKey] { [] }
    var count: Int { box.count }

    func encodeNil() { box.add(.ready(.null)) }
    func encode(_ value: Bool) { box.add(.ready(.bool(value))) }

    func encode(_ value: some Encodable) throws {
        box.add(try JSONBox.part(value, in: box.language))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    func superEncoder() -> any Encoder { nested() }

    private func nested() -> BoxEncoder {
        let inner = JSONBox(language: box.language)
        box.add(.box(inner))
        return BoxEncoder(box: inner)
    }
}

private struct BoxValueContainer: SingleValueEncodingContainer {
    let box: JSONBox
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { box.set(.null) }
    func encode(_ value: Bool) { box.set(.bool(value)) }
    func encode(_ value: String) { box.set(.string(value)) }
    func encode(_ value: Double) { box.set(.double(value)) }
    func encode(_ value: Float) { box.set(.double(Double(value))) }
    func encode(_ value: Int) { set(value) }
    func encode(_ value: Int8) { set(value) }
    func encode(_ value: Int16) { set(value) }
    func encode(_ value: Int32) { set(value) }
    func encode(_ value: Int64) { set(value) }
    func encode(_ value: UInt) { set(value) }
    func encode(_ value: UInt8) { set(value) }
    func encode(_ value: UInt16) { set(value) }
    func encode(_ value: UInt32) { set(value) }
    func encode(_ value: UInt64) { set(value) }

    func encode(_ value: some Encodable) throws {
        try value.encode(to: BoxEncoder(box: box))
    }

    private func set(_ value: some BinaryInteger) {
        box.set(JSONBox.integer(value))
    }
}
