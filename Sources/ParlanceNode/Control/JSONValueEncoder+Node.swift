package import ParlanceControl
import ParlanceWire

extension JSONValueEncoder {
    /// The JSON of a value that the node makes: its texts, numbers and lists always encode.
    package static func json(of value: some Encodable) -> JSON {
        do {
            return try encode(value)
        } catch {
            broken("a value of the node can be written as JSON")
            return .null
        }
    }
}
