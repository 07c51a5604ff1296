/// Why a request was refused, for a client that has words of its own, such as those of another language.
package struct ErrorReason: Codable, Equatable, Sendable {
    /// The stable name (protocol/control.md, "Reasons").
    package var name: String
    /// The values for the sentence, by stable names.
    package var values: [String: Value]

    package init(_ name: String, _ values: [String: Value] = [:]) {
        self.name = name
        self.values = values
    }

    package enum Value: Equatable, Sendable {
        case text(String)
        case number(Int)
        case list([String])
    }
}

extension ErrorReason.Value: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try container.decode([String].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .list(let list): try container.encode(list)
        }
    }
}
