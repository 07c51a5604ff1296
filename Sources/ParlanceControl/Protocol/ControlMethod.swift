/// The methods of the control protocol, by their stable names; they equal the commands of `parlance`.
package enum ControlMethod: String, CaseIterable, Sendable {
    case status
    case identity = "id"
    case passphrase
    case name
    case alias
    case forget
    case peers
    case requests
    case accept
    case decline
    case block
    case unblock
    case verify
    case courier
    case send
    case reply
    case edit
    case delete
    case react
    case info
    case conversations
    case history
    case read
    case outbox
    case outboxRetry = "outbox.retry"
    case outboxCancel = "outbox.cancel"
    case presence
    case typing
    case groupCreate = "group.create"
    case groupShow = "group.show"
    case groupAdd = "group.add"
    case groupRemove = "group.remove"
    case groupAdmin = "group.admin"
    case groupLeave = "group.leave"
    case groupRename = "group.rename"
    case groupTopic = "group.topic"
    case workspaceCreate = "workspace.create"
    case workspaceJoin = "workspace.join"
    case workspaceShow = "workspace.show"
    case workspaceLeave = "workspace.leave"
    case workspaceRotate = "workspace.rotate"
    case doctor
    case subscribe
    case unsubscribe
}

/// What a valid call asks the server for.
package enum ControlCall: Equatable, Sendable {
    /// Something for the node.
    case request(ControlRequest)
    /// Events on this connection.
    case subscribe(SubscriptionFilter)
    case unsubscribe(SubscriptionReference)
}

/// Names one subscription of one connection: the result of `subscribe` and the parameter of `unsubscribe`.
package struct SubscriptionReference: Codable, Equatable, Sendable {
    package var subscription: Int

    package init(subscription: Int) {
        self.subscription = subscription
    }
}

/// A method without parameters takes none, or an empty object.
private struct NoParameters: Decodable {
    private enum CodingKeys: CodingKey {}

    init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: CodingKeys.self)
    }
}

extension ControlCall {
    /// Looks a call's method up and reads its parameters.
    package init(_ call: RPCCall) throws(RPCError) {
        guard let method = ControlMethod(rawValue: call.method) else { throw .methodNotFound(call.method) }
        do {
            self = try Self.read(method, call.params ?? .object([]))
        } catch let error as JSONMismatch {
            throw .invalidParams(error.message)
        } catch {
            throw .invalidParams("they have the wrong form")
        }
    }

    private static func read(_ method: ControlMethod, _ params: JSON) throws -> ControlCall {
        switch method {
        case .subscribe: return .subscribe(try decode(params))
        case .unsubscribe: return .unsubscribe(try decode(params))
        default: return .request(try request(method, params))
        }
    }

    private static func request(_ method: ControlMethod, _ params: JSON) throws -> ControlRequest {
        switch method {
        case .courier: return .courier(try decode(params))
        case .send: return .send(try decode(params))
        case .reply: return .reply(try decode(params))
        case .edit: return .edit(try decode(params))
        case .delete: return .delete(try decode(params))
        case .react: return .react(try decode(params))
        case .info: return .info(try decode(params))
        case .passphrase: return .passphrase(try decode(params))
        case .name: return .name(try decode(params))
        case .alias: return .alias(try decode(params))
        case .forget: return .forget(try decode(params))
        case .accept: return .accept(try decode(params))
        case .decline: return .decline(try decode(params))
        case .block: return .block(try decode(params))
        case .unblock: return .unblock(try decode(params))
        case .verify: return .verify(try decode(params))
        case .history: return .history(try decode(params))
        case .read: return .read(try decode(params))
        case .outboxRetry: return .outboxRetry(try decode(params))
        case .outboxCancel: return .outboxCancel(try decode(params))
        case .presence: return .presence(try decode(params))
        case .typing: return .typing(try decode(params))
        case .groupCreate: return .groupCreate(try decode(params))
        case .groupShow: return .groupShow(try decode(params))
        case .groupAdd: return .groupAdd(try decode(params))
        case .groupRemove: return .groupRemove(try decode(params))
        case .groupAdmin: return .groupAdmin(try decode(params))
        case .groupLeave: return .groupLeave(try decode(params))
        case .groupRename: return .groupRename(try decode(params))
        case .groupTopic: return .groupTopic(try decode(params))
        case .workspaceCreate: return .workspaceCreate(try decode(params))
        case .workspaceJoin: return .workspaceJoin(try decode(params))
        case .workspaceRotate: return .workspaceRotate(try decode(params))
        case .workspaceShow: return try bare(.workspaceShow, params)
        case .workspaceLeave: return try bare(.workspaceLeave, params)
        case .identity: return try bare(.identity, params)
        case .peers: return try bare(.peers, params)
        case .requests: return try bare(.requests, params)
        case .conversations: return try bare(.conversations, params)
        case .outbox: return try bare(.outbox, params)
        case .doctor: return .doctor(try decode(params))
        case .status, .subscribe, .unsubscribe: return try bare(.status, params)
        }
    }

    private static func bare(_ request: ControlRequest, _ params: JSON) throws -> ControlRequest {
        let _: NoParameters = try decode(params)
        return request
    }

    private static func decode<Value: Decodable>(_ params: JSON) throws -> Value {
        try JSONValueDecoder.decode(Value.self, from: params, name: "params", strict: true)
    }
}

extension ControlRequest {
    /// The method that asks this.
    package var method: ControlMethod {
        switch self {
        case .status: .status
        case .identity: .identity
        case .passphrase: .passphrase
        case .name: .name
        case .alias: .alias
        case .forget: .forget
        case .peers: .peers
        case .requests: .requests
        case .accept: .accept
        case .decline: .decline
        case .block: .block
        case .unblock: .unblock
        case .verify: .verify
        case .courier: .courier
        case .send: .send
        case .reply: .reply
        case .edit: .edit
        case .delete: .delete
        case .react: .react
        case .info: .info
        case .conversations: .conversations
        case .history: .history
        case .read: .read
        case .outbox: .outbox
        case .outboxRetry: .outboxRetry
        case .outboxCancel: .outboxCancel
        case .presence: .presence
        case .typing: .typing
        case .groupCreate: .groupCreate
        case .groupShow: .groupShow
        case .groupAdd: .groupAdd
        case .groupRemove: .groupRemove
        case .groupAdmin: .groupAdmin
        case .groupLeave: .groupLeave
        case .groupRename: .groupRename
        case .groupTopic: .groupTopic
        case .workspaceCreate: .workspaceCreate
        case .workspaceJoin: .workspaceJoin
        case .workspaceShow: .workspaceShow
        case .workspaceLeave: .workspaceLeave
        case .workspaceRotate: .workspaceRotate
        case .doctor: .doctor
        }
    }

    /// The parameters as JSON; nil where the method takes none.
    package func parameters() throws -> JSON? {
        switch self {
        case .status, .identity, .peers, .requests, .conversations, .outbox, .workspaceShow, .workspaceLeave:
            nil
        case .workspaceCreate(let request): try JSONValueEncoder.encode(request)
        case .workspaceJoin(let request): try JSONValueEncoder.encode(request)
        case .workspaceRotate(let request): try JSONValueEncoder.encode(request)
        case .passphrase(let request): try JSONValueEncoder.encode(request)
        case .name(let request): try JSONValueEncoder.encode(request)
        case .alias(let request): try JSONValueEncoder.encode(request)
        case .forget(let request), .accept(let request), .decline(let request), .block(let request),
            .unblock(let request), .read(let request), .typing(let request):
            try JSONValueEncoder.encode(request)
        case .verify(let request): try JSONValueEncoder.encode(request)
        case .courier(let request): try JSONValueEncoder.encode(request)
        case .send(let request): try JSONValueEncoder.encode(request)
        case .reply(let request), .edit(let request): try JSONValueEncoder.encode(request)
        case .delete(let request), .info(let request): try JSONValueEncoder.encode(request)
        case .react(let request): try JSONValueEncoder.encode(request)
        case .groupCreate(let request): try JSONValueEncoder.encode(request)
        case .groupShow(let request), .groupLeave(let request): try JSONValueEncoder.encode(request)
        case .groupAdd(let request), .groupRemove(let request): try JSONValueEncoder.encode(request)
        case .groupAdmin(let request): try JSONValueEncoder.encode(request)
        case .groupRename(let request): try JSONValueEncoder.encode(request)
        case .groupTopic(let request): try JSONValueEncoder.encode(request)
        case .history(let request): try JSONValueEncoder.encode(request)
        case .outboxRetry(let request), .outboxCancel(let request): try JSONValueEncoder.encode(request)
        case .presence(let request): try JSONValueEncoder.encode(request)
        case .doctor(let request): try JSONValueEncoder.encode(request)
        }
    }
}
