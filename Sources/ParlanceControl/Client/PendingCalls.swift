import NIOCore
import ParlanceWords
import Synchronization

/// A client's unanswered calls, its subscriptions, and the bytes that wait to be written.
final class PendingCalls: Sendable {
    typealias Reply = @Sendable (Result<JSON, ControlFailure>) -> Void

    /// Receives the events of a subscription.
    struct Sink: Sendable {
        let deliver: @Sendable (any ControlEvent) -> Void
        let ended: @Sendable () -> Void
    }

    private struct State {
        var channel: (any Channel)?
        var replies: [Int64: Reply] = [:]
        var lastID: Int64 = 0
        var output = ByteBuffer()
        var isWriteUnderWay = false
        var sinks: [Int: Sink] = [:]
        /// The language that was asked for: what a greeting says again.
        var language = Language.english
        /// The options that the commands in the daemon's texts get.
        var options = ""
        /// Whether a greeting is under way, or was answered a moment ago.
        var isWatching = false
        /// Whether something has come from the daemon since the last greeting.
        var isHeard = false
        var watch: Scheduled<Void>?
        /// Why no more calls are possible.
        var failure: ControlFailure?
    }

    private let state = Mutex(State())

    /// Why no more calls are possible; `nil` while they are.
    var failure: ControlFailure? { state.withLock { $0.failure } }

    /// The socket that is connected to.
    private let path: String

    init(path: String) {
        self.path = path
    }

    func opened(_ channel: any Channel) {
        state.withLock { if $0.failure == nil { $0.channel = channel } }
    }

    /// Asks the daemon for texts in a language, with the greeting before the first request.
    func speak(_ language: Language, options: String) {
        state.withLock { ($0.language, $0.options) = (language, options) }
    }

    /// Queues a request and makes sure that it is written soon.
    func send(method: String, params: JSON?, reply: @escaping Reply) {
        let (channel, failure) = state.withLock { state -> ((any Channel)?, ControlFailure?) in
            if let failure = state.failure { return (nil, failure) }
            if !state.isWatching, let loop = state.channel?.eventLoop { greet(&state, on: loop) }
            state.lastID += 1
            state.replies[state.lastID] = reply
            Self.write(method: method, params: params, id: state.lastID, to: &state.output)
            defer { state.isWriteUnderWay = true }
            return (state.isWriteUnderWay ? nil : state.channel, nil)
        }
        if let failure { return reply(.failure(failure)) }
        channel?.eventLoop.execute { [self] in
            channel?.writeAndFlush(takeOutput(), promise: nil)
        }
    }

    /// Queues a greeting, and looks a while later whether anything has come: a daemon that hangs takes connections and
    /// requests, and answers none. A greeting is answered at once, however long the other requests take.
    private func greet(_ state: inout State, on loop: any EventLoop) {
        (state.isWatching, state.isHeard) = (true, false)
        state.lastID += 1
        let options = state.options.isEmpty ? nil : state.options
        let params = try? LanguageOperation(language: state.language.rawValue, options: options).params()
        Self.write(method: LanguageOperation.method, params: params, id: state.lastID, to: &state.output)
        state.watch = loop.scheduleTask(in: .milliseconds(ControlLimits.daemonSilentMilliseconds)) { [weak self] in
            self?.look()
        }
    }

    /// Ends the connection to a daemon that hangs. Greets again while somebody waits for replies or events, else with the
    /// next request.
    private func look() {
        let (isSilent, channel) = state.withLock { state -> (Bool, (any Channel)?) in
            state.isWatching = false
            guard state.isHeard, !(state.replies.isEmpty && state.sinks.isEmpty), let channel = state.channel else {
                return (!state.isHeard, nil)
            }
            greet(&state, on: channel.eventLoop)
            defer { state.isWriteUnderWay = true }
            return (false, state.isWriteUnderWay ? nil : channel)
        }
        if isSilent { return fail(.daemonSilent(path)) }
        channel?.writeAndFlush(takeOutput(), promise: nil)
    }

    private func takeOutput() -> ByteBuffer {
        state.withLock { state in
            state.isWriteUnderWay = false
            let output = state.output
            state.output = ByteBuffer()
            return output
        }
    }

    private static func write(method: String, params: JSON?, id: Int64, to buffer: inout ByteBuffer) {
        buffer.writeStaticString("{\"jsonrpc\":\"2.0\",\"id\":")
        buffer.writeString(String(id))
        buffer.writeStaticString(",\"method\":")
        JSONWriter.write(method, to: &buffer)
        if let params {
            buffer.writeStaticString(",\"params\":")
            JSONWriter.write(params, to: &buffer)
        }
        buffer.writeStaticString("}\n")
    }
}

// MARK: - Incoming lines, on the event loop

extension PendingCalls {
    /// Handles the result of a `subscribe` call, before the next line is read.
    func subscribed(_ sink: Sink, _ result: Result<JSON, ControlFailure>) -> Result<Void, ControlFailure> {
        result.flatMap { json in
            guard case .integer(let number) = json["subscription"] else {
                return .failure(.badReply(Phrase("a subscription without a number")))
            }
            state.withLock { $0.sinks[Int(number)] = sink }
            return .success(())
        }
    }

    /// Handles one line from the daemon.
    func received(_ line: [UInt8]) {
        state.withLock { $0.isHeard = true }
        guard let json = try? JSONParser.parse(line) else { return fail(.badReply(Phrase("it is not JSON"))) }
        if case .string("event") = json["method"] { return receivedEvent(json["params"] ?? .null) }
        guard case .integer(let id) = json["id"] else {
            // An error without an ID is about the connection.
            return fail(
                json["error"].map { ControlFailure(RPCError(json: $0)) }
                    ?? .badReply(Phrase("a response without an ID"))
            )
        }
        guard let reply = state.withLock({ $0.replies.removeValue(forKey: id) }) else { return }
        if let error = json["error"] {
            reply(.failure(ControlFailure(RPCError(json: error))))
        } else {
            reply(.success(json["result"] ?? .null))
        }
    }

    private func receivedEvent(_ params: JSON) {
        // Ignore kinds of events that this version does not know, as protocol/control.md asks of clients.
        guard case .integer(let number) = params["subscription"],
            let kind = params["type"]?.text,
            let event = try? ControlEvents.read(kind, params["data"] ?? .null),
            let sink = state.withLock({ $0.sinks[Int(number)] })
        else { return }
        sink.deliver(event)
        if event is LaggedEvent {
            state.withLock { $0.sinks[Int(number)] = nil }
            sink.ended()
        }
    }

    /// Ends all calls and subscriptions; the first failure is the one reported.
    func fail(_ failure: ControlFailure) {
        let (replies, sinks, channel) = state.withLock { state in
            if state.failure == nil { state.failure = failure }
            defer {
                state.replies = [:]
                state.sinks = [:]
                state.channel = nil
                state.watch?.cancel()
            }
            return (state.replies.sorted { $0.key < $1.key }, state.sinks.values, state.channel)
        }
        for reply in replies { reply.value(.failure(failure)) }
        for sink in sinks { sink.ended() }
        channel?.close(promise: nil)
    }
}
