package import NIOCore
import ParlanceErrorCode
package import ParlanceWords

/// Answers requests that come one by one, without a connection of their own, as over HTTP.
package struct RequestAnswerer: Sendable {
    /// Takes what a face tells of its user.
    package typealias Face = @Sendable (ClientReport?) -> Void

    private let methods: ControlMethods

    package init(_ node: any NodeControl) {
        methods = node.methods
    }

    /// Performs a request, or those of a batch one after another.
    ///
    /// - Parameters:
    ///   - line: as on the control socket, without the line feed.
    ///   - face: takes `idle` and `shows`; without one they are refused.
    /// - Returns: the response, or those of the batch; `nil` if nothing asks for one.
    package func answer(_ line: [UInt8], in language: Language, face: Face?) async -> ByteBuffer? {
        let elements: [RPCElement]
        let isBatch: Bool
        do throws(RPCError) {
            switch try RPCLine.parse(line) {
            case .single(let element): (elements, isBatch) = ([element], false)
            case .batch(let several): (elements, isBatch) = (several, true)
            }
        } catch {
            var buffer = ByteBuffer()
            RPCResponse.write(.null, .failure(error), in: language, to: &buffer)
            return buffer
        }
        // The caller's own thread encodes: the node's thread only hands its answer over.
        var buffer = ByteBuffer()
        for element in elements {
            let isFull = buffer.readableBytes > ControlLimits.batchReplyBytes
            let answer = isFull ? .failure(Self.tooMuch) : await perform(element, face)
            guard let id = element.answeredID else { continue }
            if isBatch { buffer.writeStaticString(buffer.readableBytes == 0 ? "[" : ",") }
            let result = answer.flatMap { RPCResponse.result($0, in: language) }
            RPCResponse.write(id, result, in: language, to: &buffer)
        }
        guard buffer.readableBytes > 0 else { return nil }
        if isBatch { buffer.writeStaticString("]") }
        return buffer
    }

    /// Performs one operation.
    package func call<Operation: ControlOperation>(
        _ operation: Operation
    ) async throws(ControlError) -> Operation.Reply {
        let answer: ControlMethods.Answer = await withCheckedContinuation { continuation in
            do {
                let call = RPCCall(id: nil, method: Operation.method, params: try operation.params())
                try methods.read(call)({ continuation.resume(returning: $0) })
            } catch { continuation.resume(returning: .failure(Self.defect)) }
        }
        guard let reply = try answer.get() as? Operation.Reply else { throw Self.defect }
        return reply
    }

    private static let defect = ControlError(
        .internalError,
        "The node gave an answer that does not fit the request.",
        advice: "This is a defect of Parlance: please report it with the daemon's log."
    )

    private static let tooMuch = RPCError(
        ControlError(
            .busy,
            "The answers of this batch take too many bytes.",
            advice: "Nothing was done for this request. Send it again, with fewer in one batch."
        )
    )

    private typealias Answer = Result<any Encodable & Sendable, RPCError>

    private func perform(_ element: RPCElement, _ face: Face?) async -> Answer {
        switch element {
        case .invalid(_, let error): .failure(error)
        case .call(let call):
            await withCheckedContinuation { continuation in
                do throws(RPCError) {
                    try perform(call, face) { continuation.resume(returning: $0.mapError { RPCError($0) }) }
                } catch { continuation.resume(returning: .failure(error)) }
            }
        }
    }

    private func perform(
        _ call: RPCCall,
        _ face: Face?,
        _ reply: @escaping @Sendable (ControlMethods.Answer) -> Void
    ) throws(RPCError) {
        switch call.method {
        case IdleOperation.method: try report(.idle(try IdleOperation(params: call.params)), face)
        case ShowsOperation.method: try report(.shows(try ShowsOperation.checked(call.params)), face)
        default: return try methods.read(call)(reply)
        }
        reply(.success(DoneReply()))
    }

    private func report(_ report: ClientReport, _ face: Face?) throws(RPCError) {
        guard let face else { throw .invalidRequest("nobody knows which face reports this") }
        face(report)
    }
}

extension RPCElement {
    /// The ID of the response; `nil` for a notification.
    fileprivate var answeredID: RPCID? {
        switch self {
        case .call(let call): call.id
        case .invalid(let id, _): id
        }
    }
}

extension ShowsOperation {
    /// Reads the parameters of a call, and refuses what cannot be an ID.
    static func checked(_ params: JSON?) throws(RPCError) -> ShowsOperation {
        let shown = try ShowsOperation(params: params)
        guard shown.conversation?.utf8.count ?? 0 <= ControlLimits.conversationIDBytes else {
            throw .invalidParams("conversation is not an ID")
        }
        return shown
    }
}
