extension ControlEvent {
    /// What the event carries: the `data` member of an `event` notification.
    package func json() throws -> JSON {
        switch self {
        case .message(let event), .note(let event), .changed(let event): try JSONValueEncoder.encode(event)
        case .withdrawn(let event): try JSONValueEncoder.encode(event)
        case .group(let event): try JSONValueEncoder.encode(event)
        case .status(let event): try JSONValueEncoder.encode(event)
        case .reached(let event): try JSONValueEncoder.encode(event)
        case .failed(let event): try JSONValueEncoder.encode(event)
        case .peer(let event): try JSONValueEncoder.encode(event)
        case .presence(let event): try JSONValueEncoder.encode(event)
        case .typing(let event): try JSONValueEncoder.encode(event)
        case .request(let event): try JSONValueEncoder.encode(event)
        case .discovery(let event): try JSONValueEncoder.encode(event)
        case .stopping(let event): try JSONValueEncoder.encode(event)
        case .lagged(let event): try JSONValueEncoder.encode(event)
        }
    }

    /// Reads an event of a kind.
    package init(_ kind: Kind, _ json: JSON) throws {
        func decode<Value: Decodable>() throws -> Value {
            try JSONValueDecoder.decode(Value.self, from: json, name: "data", strict: false)
        }
        switch kind {
        case .message: self = .message(try decode())
        case .note: self = .note(try decode())
        case .changed: self = .changed(try decode())
        case .withdrawn: self = .withdrawn(try decode())
        case .group: self = .group(try decode())
        case .status: self = .status(try decode())
        case .reached: self = .reached(try decode())
        case .failed: self = .failed(try decode())
        case .peer: self = .peer(try decode())
        case .presence: self = .presence(try decode())
        case .typing: self = .typing(try decode())
        case .request: self = .request(try decode())
        case .discovery: self = .discovery(try decode())
        case .stopping: self = .stopping(try decode())
        case .lagged: self = .lagged(try decode())
        }
    }

    /// About how much memory the event takes while it waits for a slow subscriber, in bytes.
    var cost: Int {
        switch self {
        case .message(let message), .note(let message), .changed(let message): message.cost
        case .group(let group): ControlLimits.eventCostBytes + group.members.count * ControlLimits.personCostBytes
        default: ControlLimits.eventCostBytes
        }
    }
}

extension MessageInfo {
    /// About how much memory the message takes, and about how long it is as JSON, in bytes.
    package var cost: Int {
        let reacting = reactions?.reduce(0) { $0 + 1 + $1.people.count } ?? 0
        let people = reacting + (mentions?.count ?? 0) + (note?.people.count ?? 0) + (reach?.readBy.count ?? 0)
        let quoted = answers?.text.utf8.count ?? 0
        return ControlLimits.eventCostBytes + text.utf8.count + quoted + people * ControlLimits.personCostBytes
    }
}
