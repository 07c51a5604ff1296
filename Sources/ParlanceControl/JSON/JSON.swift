/// A JSON value (RFC 8259).
///
/// The project has its own reader and writer because Foundation's take 13 µs for one small request and its reply, and
/// the socket has to serve a `send` in 8 µs in total.
package enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number.
    case double(Double)
    case string(String)
    case array([JSON])
    /// The members in their order; the reader refuses duplicate keys.
    case object([Member])

    /// One member of an object.
    package struct Member: Equatable, Sendable {
        package var key: String
        package var value: JSON

        package init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// The value of an object's member; nil if there is none or this is no object.
    package subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The text, if this is a string.
    package var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// What kind of value this is, in words for people.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer: "an integer"
        case .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
