import ParlanceErrorCode
package import ParlanceWords

/// An error response of JSON-RPC, with our own data beside its number and message.
package struct RPCError: Error, Equatable, Sendable {
    /// JSON-RPC's number, or `ErrorCode.number`.
    package var number: Int
    /// What went wrong and why.
    package var message: Phrase
    /// `data.code`: a stable word.
    package var code: String
    /// `data.advice`: what to do about it.
    package var advice: Phrase
    /// `data.candidates`: the peers and groups that may be meant.
    package var candidates: [ControlError.Candidate]?
    /// `data.reason`: why, for a client that has words of its own.
    package var reason: ErrorReason?

    /// The line is not JSON.
    package static func parseError(_ why: String) -> RPCError {
        RPCError(
            number: -32700,
            message: "Parse error: \(why)",
            code: "parseError",
            advice: "Send one JSON value per line, in UTF-8, as protocol/control.md describes."
        )
    }

    /// The line is JSON, but not a request.
    package static func invalidRequest(_ why: String) -> RPCError {
        RPCError(
            number: -32600,
            message: "Invalid request: \(why)",
            code: "invalidRequest",
            advice: "Send JSON-RPC 2.0 requests: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\"}."
        )
    }

    /// The method is not one of `known`.
    package static func methodNotFound(_ method: String, known: [String]) -> RPCError {
        RPCError(
            number: -32601,
            message: "Method not found: \"\(method.prefix(64))\"",
            code: "methodNotFound",
            advice: "The methods are: \(known.joined(separator: ", "))."
        )
    }

    /// The method does not accept the parameters.
    package static func invalidParams(_ why: String) -> RPCError {
        RPCError(
            number: -32602,
            message: "Invalid params: \(why)",
            code: "invalidParams",
            advice: "protocol/control-reference.md lists each method's parameters."
        )
    }

    /// A defect of this program.
    package static func internalError(_ why: String) -> RPCError {
        RPCError(
            number: -32603,
            message: "Internal error: \(why)",
            code: "internalError",
            advice: "This is a defect; the daemon's log says more."
        )
    }

    /// The node refused the request.
    package init(_ error: ControlError) {
        self.init(
            number: error.code.number,
            message: error.message,
            code: error.code.rawValue,
            advice: error.advice,
            candidates: error.candidates,
            reason: error.reason
        )
    }

    package init(
        number: Int,
        message: Phrase,
        code: String,
        advice: Phrase,
        candidates: [ControlError.Candidate]? = nil,
        reason: ErrorReason? = nil
    ) {
        self.number = number
        self.message = message
        self.code = code
        self.advice = advice
        self.candidates = candidates
        self.reason = reason
    }
}

extension RPCError {
    /// The `error` member of a response.
    package func json(in language: Language = .english) -> JSON {
        var data = [JSON.Member("code", .string(code)), JSON.Member("advice", .string(advice.text(in: language)))]
        if let candidates, let list = try? JSONValueEncoder.encode(candidates) {
            data.append(JSON.Member("candidates", list))
        }
        if let reason, let object = try? JSONValueEncoder.encode(reason) {
            data.append(JSON.Member("reason", object))
        }
        return .object([
            JSON.Member("code", .integer(Int64(number))),
            JSON.Member("message", .string(message.text(in: language))),
            JSON.Member("data", .object(data)),
        ])
    }

    /// Reads the `error` member of a response; missing members get neutral values.
    package init(json: JSON) {
        var number = 0
        if case .integer(let integer) = json["code"] { number = Int(integer) }
        let candidates = json["data"]?["candidates"].flatMap {
            try? JSONValueDecoder.decode([ControlError.Candidate].self, from: $0, name: "candidates", strict: false)
        }
        let reason = json["data"]?["reason"].flatMap {
            try? JSONValueDecoder.decode(ErrorReason.self, from: $0, name: "reason", strict: false)
        }
        self.init(
            number: number,
            message: json["message"]?.text.map { Phrase(verbatim: $0) } ?? "The daemon refused without a reason.",
            code: json["data"]?["code"]?.text ?? "unknown",
            advice: json["data"]?["advice"]?.text.map { Phrase(verbatim: $0) } ?? "",
            candidates: candidates,
            reason: reason
        )
    }
}
