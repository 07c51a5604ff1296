import Foundation

/// Single requests, for which the time of reading JSON does not count.
extension ControlConnection {
    /// Sends a request and waits for its reply; passes other lines to `other`.
    ///
    /// - Returns: the reply's line.
    func reply(
        to method: StaticString,
        _ parameters: [String: Any] = [:],
        other: (DaemonLine) throws -> Void = { _ in }
    ) throws -> Data {
        let id = ask(method, try JSONSerialization.data(withJSONObject: parameters))
        var reply: Data?
        while reply == nil {
            try exchange { line in
                if line.replyID == id { reply = Data(line.bytes) } else { try other(line) }
            }
        }
        return reply ?? Data()
    }

    /// Sends a request, waits for its reply and decodes the result.
    func call<Result: Decodable>(
        _ method: StaticString,
        _ parameters: [String: Any] = [:],
        as type: Result.Type = Result.self
    ) throws -> Result {
        try Self.result(of: reply(to: method, parameters), as: type)
    }

    /// The result in a reply's line.
    static func result<Result: Decodable>(of line: Data, as type: Result.Type = Result.self) throws -> Result {
        let reply = try JSONDecoder().decode(Reply<Result>.self, from: line)
        if let result = reply.result { return result }
        throw BenchError(reply.error?.message ?? "the daemon's reply has no result")
    }

    private struct Reply<Result: Decodable>: Decodable {
        struct Failure: Decodable {
            let message: String
        }

        let result: Result?
        let error: Failure?
    }

    /// A result whose members do not matter.
    struct Anything: Decodable {}
}
