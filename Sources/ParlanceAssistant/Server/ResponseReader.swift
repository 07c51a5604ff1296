import FoundationEssentials
import NIOCore
import NIOHTTP1

/// Makes an answer of the body of a good response, part by part.
protocol ResponseReader: Sendable {
    associatedtype Answer: Sendable

    mutating func begin(_ headers: HTTPHeaders)
    mutating func read(_ bytes: ByteBufferView) throws -> ResponseProgress
    /// The answer once the body has ended, `isWhole` if it ended as it should.
    mutating func finish(isWhole: Bool) throws -> Answer
}

/// What a part of a body was.
enum ResponseProgress {
    /// Nothing that shows that the answer goes on.
    case waiting
    /// A part of the answer.
    case alive
    /// The end of the answer, whatever follows.
    case complete
}

/// Reads a body that is one JSON value.
struct JSONReader<Value: Payload>: ResponseReader {
    private var body: [UInt8] = []

    mutating func begin(_ headers: HTTPHeaders) {}

    /// Only the first part starts the time for the rest, so that a trickle of bytes has an end.
    mutating func read(_ bytes: ByteBufferView) throws -> ResponseProgress {
        guard body.count + bytes.count <= ModelServerLimits.bodyBytes else { throw ModelServerError.tooLarge(.body) }
        let isFirst = body.isEmpty && !bytes.isEmpty
        body.append(contentsOf: bytes)
        return isFirst ? .alive : .waiting
    }

    mutating func finish(isWhole: Bool) throws -> Value {
        guard isWhole else { throw ModelServerError.cut(text: "") }
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(body)) else {
            throw ModelServerError.malformed(.body)
        }
        if let error = value.error { throw ModelServerError.reported(message: error.message) }
        return value
    }
}

/// Reads the body of a response with a status that is no success, for its message.
struct FailureReader {
    private let status: Int
    private let headers: HTTPHeaders
    private var body: [UInt8] = []

    /// Throws at once if the body does not matter.
    init(_ head: HTTPResponseHead) throws {
        status = Int(head.status.code)
        headers = head.headers
        if (300..<400).contains(status) {
            throw ModelServerError.redirected(to: headers.first(name: "location").map(ServerText.bounded))
        }
        if status == 429 { throw ModelServerError.busy(retryAfter: retryAfter) }
    }

    /// Whether more of the body is wanted.
    mutating func read(_ bytes: ByteBufferView) -> Bool {
        body.append(contentsOf: bytes.prefix(ModelServerLimits.failureBytes - body.count))
        return body.count < ModelServerLimits.failureBytes
    }

    var error: ModelServerError {
        let payload = try? JSONDecoder().decode(FailurePayload.self, from: Data(body))
        return .status(status, message: payload?.error?.message ?? payload?.message.map(ServerText.bounded))
    }

    /// Only whole seconds count. A date would need the same clock on both machines.
    private var retryAfter: Duration? {
        guard let text = headers.first(name: "retry-after"), text.utf8.count <= 6,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text).map { .seconds($0) }
    }
}
