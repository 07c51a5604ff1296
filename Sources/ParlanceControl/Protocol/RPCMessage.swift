/// A JSON-RPC request's ID, which its response repeats: a string, a number, or null (in an answer to unreadable input).
package enum RPCID: Hashable, Sendable {
    case integer(Int64)
    case double(Double)
    case string(String)
    case null

    package init?(_ json: JSON) {
        switch json {
        case .integer(let integer): self = .integer(integer)
        case .double(let double): self = .double(double)
        case .string(let string): self = .string(string)
        case .null: self = .null
        case .bool, .array, .object: return nil
        }
    }

    package var json: JSON {
        switch self {
        case .integer(let integer): .integer(integer)
        case .double(let double): .double(double)
        case .string(let string): .string(string)
        case .null: .null
        }
    }
}

/// The contents of one line (JSON-RPC 2.0, sections 4 and 6).
package enum RPCLine: Equatable, Sendable {
    case single(RPCElement)
    /// The elements of a batch, at least one.
    case batch([RPCElement])
}

/// One element of a line.
package enum RPCElement: Equatable, Sendable {
    /// A request; without an ID it is a notification and gets no response at all.
    case call(RPCCall)
    /// Not a request; it gets an error response with whatever ID could be read.
    case invalid(RPCID, RPCError)
}

/// A request in the terms of JSON-RPC, not interpreted yet.
package struct RPCCall: Equatable, Sendable {
    package var id: RPCID?
    package var method: String
    package var params: JSON?

    package init(id: RPCID?, method: String, params: JSON?) {
        self.id = id
        self.method = method
        self.params = params
    }
}

extension RPCLine {
    /// Parses a line. Answer a thrown error with a null ID.
    package static func parse(_ bytes: [UInt8]) throws(RPCError) -> RPCLine {
        let json: JSON
        do {
            json = try JSONParser.parse(bytes)
        } catch {
            throw .parseError("the line is not JSON at byte \(error.offset): \(error.reason)")
        }
        guard case .array(let elements) = json else { return .single(RPCElement(json)) }
        if elements.isEmpty { throw .invalidRequest("a batch holds no request") }
        if elements.count > ControlLimits.batchElements {
            throw .invalidRequest("a batch holds more than \(ControlLimits.batchElements) requests")
        }
        return .batch(elements.map(RPCElement.init))
    }
}

extension RPCElement {
    package init(_ json: JSON) {
        guard case .object(let members) = json else {
            self = .invalid(.null, .invalidRequest("a request must be an object, not \(json.kind)"))
            return
        }
        var call = RPCCall(id: nil, method: "", params: nil)
        var version: JSON?
        var method: JSON?
        for member in members {
            switch member.key {
            case "jsonrpc": version = member.value
            case "method": method = member.value
            case "params": call.params = member.value
            case "id":
                guard let id = RPCID(member.value) else {
                    self = .invalid(.null, .invalidRequest("id must be a string, a number or null"))
                    return
                }
                call.id = id
            default: continue
            }
        }
        if let problem = Self.problem(version: version, method: method, params: call.params) {
            self = .invalid(call.id ?? .null, .invalidRequest(problem))
        } else {
            call.method = method?.text ?? ""
            self = .call(call)
        }
    }

    private static func problem(version: JSON?, method: JSON?, params: JSON?) -> String? {
        guard version?.text == "2.0" else { return "jsonrpc must be \"2.0\"" }
        guard method?.text != nil else { return "method must be a string" }
        switch params {
        case nil, .object, .array: return nil
        default: return "params must be an object"
        }
    }
}
