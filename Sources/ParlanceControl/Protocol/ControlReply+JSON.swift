extension ControlReply {
    /// The `result` member of a response.
    package func json() throws -> JSON {
        switch self {
        case .status(let reply): try JSONValueEncoder.encode(reply)
        case .identity(let reply): try JSONValueEncoder.encode(reply)
        case .name(let reply): try JSONValueEncoder.encode(reply)
        case .peer(let reply): try JSONValueEncoder.encode(reply)
        case .peers(let reply): try JSONValueEncoder.encode(reply)
        case .requests(let reply): try JSONValueEncoder.encode(reply)
        case .verification(let reply): try JSONValueEncoder.encode(reply)
        case .sent(let reply): try JSONValueEncoder.encode(reply)
        case .conversations(let reply): try JSONValueEncoder.encode(reply)
        case .history(let reply): try JSONValueEncoder.encode(reply)
        case .read(let reply): try JSONValueEncoder.encode(reply)
        case .outbox(let reply): try JSONValueEncoder.encode(reply)
        case .message(let reply): try JSONValueEncoder.encode(reply)
        case .presence(let reply): try JSONValueEncoder.encode(reply)
        case .life(let reply): try JSONValueEncoder.encode(reply)
        case .group(let reply): try JSONValueEncoder.encode(reply)
        case .workspace(let reply): try JSONValueEncoder.encode(reply)
        case .findings(let reply): try JSONValueEncoder.encode(reply)
        case .done: .object([])
        }
    }

    /// Reads the `result` that a method answers with.
    package init(_ json: JSON, to method: ControlMethod) throws {
        func decode<Value: Decodable>() throws -> Value {
            try JSONValueDecoder.decode(Value.self, from: json, name: "result", strict: false)
        }
        switch method {
        case .status: self = .status(try decode())
        case .identity: self = .identity(try decode())
        case .name: self = .name(try decode())
        case .courier, .alias, .accept, .decline, .block, .unblock: self = .peer(try decode())
        case .requests: self = .requests(try decode())
        case .verify: self = .verification(try decode())
        case .peers: self = .peers(try decode())
        case .send, .reply: self = .sent(try decode())
        case .conversations: self = .conversations(try decode())
        case .history: self = .history(try decode())
        case .read: self = .read(try decode())
        case .outbox: self = .outbox(try decode())
        case .outboxRetry, .outboxCancel, .edit, .delete, .react: self = .message(try decode())
        case .info: self = .life(try decode())
        case .groupCreate, .groupShow, .groupAdd, .groupRemove, .groupAdmin, .groupLeave, .groupRename, .groupTopic:
            self = .group(try decode())
        case .workspaceCreate, .workspaceJoin, .workspaceShow, .workspaceLeave, .workspaceRotate:
            self = .workspace(try decode())
        case .presence: self = .presence(try decode())
        case .doctor: self = .findings(try decode())
        case .forget, .typing, .passphrase, .subscribe, .unsubscribe: self = .done
        }
    }
}
