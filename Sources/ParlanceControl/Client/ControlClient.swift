import CParlanceSystem
package import NIOCore
import NIOPosix
import ParlanceErrorCode
package import ParlanceWords

/// A connection to a daemon's control socket.
package final class ControlClient: Sendable {
    private let channel: any Channel
    private let calls: PendingCalls

    private init(channel: any Channel, calls: PendingCalls) {
        self.channel = channel
        self.calls = calls
    }

    /// Connects; throws `ControlFailure.noDaemon` if nobody serves the socket.
    ///
    /// Refuses a socket that another user serves: anybody could have put it at the expected path.
    ///
    /// - Parameter ofAnyUser: whether root wants the node of another user.
    package static func connect(
        to path: String,
        ofAnyUser: Bool = false,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws -> ControlClient {
        let calls = PendingCalls(path: path)
        let bootstrap = ClientBootstrap(group: group).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(ClientConnection(calls: calls))
            }
        }
        let channel: any Channel
        do {
            channel = try await reach(path, bootstrap)
        } catch let error as IOError where error.errnoCode == EACCES {
            throw ControlFailure(
                code: "notPermitted",
                message: "This user may not use the socket \(path).",
                advice: "A daemon serves the user that runs it: give the command as that user."
            )
        } catch let error as IOError where [ENOENT, ENOTDIR, ECONNREFUSED].contains(error.errnoCode) {
            throw ControlFailure.noDaemon(path)
        } catch let error as IOError where error.errnoCode == EAGAIN {
            throw ControlFailure.daemonSilent(path)
        } catch let error as CancellationError {
            throw error
        } catch {
            let reason = (error as? IOError).map { Phrase(verbatim: String(cString: strerror($0.errnoCode))) }
            throw ControlFailure(
                code: ErrorCode.socketFailed.rawValue,
                message: "The socket \(path) cannot be used: \(reason ?? Phrase(verbatim: "\(error)")).",
                advice: "Check the path, and whether the machine has room for more open files and connections."
            )
        }
        let uid: Int?
        do {
            uid = try await channel.eventLoop.submit {
                try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
                    parlance_peer_uid($0)
                }
            }.get()
        } catch { throw calls.failure ?? .connectionLost }
        if let refusal = refusal(of: uid, own: Int(SocketFile.ownUser), ofAnyUser: ofAnyUser, path) {
            channel.close(promise: nil)
            throw refusal == .connectionLost ? calls.failure ?? refusal : refusal
        }
        calls.opened(channel)
        return ControlClient(channel: channel, calls: calls)
    }

    /// Why a connection must not be used; `nil` if it may be.
    ///
    /// - Parameter uid: the user at its other end; `nil` or below 0 if the system does not say: a daemon that has just died
    ///   is nobody's.
    static func refusal(of uid: Int?, own: Int, ofAnyUser: Bool, _ path: String) -> ControlFailure? {
        guard let uid, uid >= 0 else { return .connectionLost }
        return uid == own || own == 0 && ofAnyUser ? nil : .servedByAnother(path, isRoot: own == 0)
    }

    /// Milliseconds between two attempts to get into the queue of a daemon.
    private static let queuePauseMilliseconds: Int64 = 100

    /// Connects. The system queues only so many connections for a program that takes none (`EAGAIN`): a crowd passes, so a
    /// full queue is waited for as long as an answer is. Then the daemon is as silent as one that takes connections.
    private static func reach(_ path: String, _ bootstrap: ClientBootstrap) async throws -> any Channel {
        var attempts = ControlLimits.daemonSilentMilliseconds / queuePauseMilliseconds
        while true {
            do {
                return try await bootstrap.connect(unixDomainSocketPath: path).get()
            } catch let error as IOError where error.errnoCode == EAGAIN && attempts > 0 {
                attempts -= 1
                await pause(milliseconds: queuePauseMilliseconds)
                try Task.checkCancellation()
            }
        }
    }

    /// Why the connection is of no more use; `nil` while it is of use.
    package var failure: ControlFailure? { calls.failure }

    /// Calls a method and waits for its reply.
    package func call<Operation: ControlOperation>(_ operation: Operation) async throws -> Operation.Reply {
        try await withCheckedThrowingContinuation { continuation in
            send(operation) { continuation.resume(with: $0.mapError { $0 as any Error }) }
        }
    }

    /// Asks the daemon for texts in a language, and with the options of the running command, from the first request on. One
    /// that does not know the language speaks English.
    package func speak(_ language: Language) { calls.speak(language, options: CommandOptions.current) }

    /// Calls a method by its name and waits for its raw result.
    package func call(method: String, params: JSON? = nil) async throws -> JSON {
        try await withCheckedThrowingContinuation { continuation in
            calls.send(method: method, params: params) { continuation.resume(with: $0.mapError { $0 as any Error }) }
        }
    }

    /// Calls without waiting; `reply` is called once, on the client's event loop, and must return at once.
    ///
    /// Requests go out in the order of the calls, many in one write. Keep the number of unanswered ones bounded.
    package func send<Operation: ControlOperation>(
        _ operation: Operation,
        reply: @escaping @Sendable (Result<Operation.Reply, ControlFailure>) -> Void
    ) {
        do {
            calls.send(method: Operation.method, params: try operation.params()) { result in
                reply(result.flatMap { Operation.reply(from: $0) })
            }
        } catch {
            reply(.failure(.badReply(Phrase("the request cannot be written as JSON"))))
        }
    }

    /// Subscribes; `deliver` is called for each event on the client's event loop and must return at once.
    ///
    /// `ended` is called once, when no more events will come: with nil after `lagged` or `stopping` and a close.
    package func subscribe(
        _ filter: SubscriptionFilter = SubscriptionFilter(),
        deliver: @escaping @Sendable (any ControlEvent) -> Void,
        ended: @escaping @Sendable () -> Void = {}
    ) async throws {
        let params = try filter.params()
        let sink = PendingCalls.Sink(deliver: deliver, ended: ended)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // The sink is registered before the loop reads the next line, so no event is missed.
            calls.send(method: SubscriptionFilter.method, params: params) { [calls] result in
                continuation.resume(with: calls.subscribed(sink, result).mapError { $0 as any Error })
            }
        }
    }

    /// The events that pass the filter; the stream ends with the subscription or the connection.
    ///
    /// A reader that falls behind by `ControlLimits.clientEventBuffer` events gets `lagged` as the last one.
    package func events(
        _ filter: SubscriptionFilter = SubscriptionFilter()
    ) async throws -> AsyncStream<any ControlEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: (any ControlEvent).self,
            bufferingPolicy: .bufferingOldest(ControlLimits.clientEventBuffer)
        )
        try await subscribe(
            filter,
            deliver: { [channel] event in
                if case .dropped = continuation.yield(event) {
                    continuation.finish()
                    channel.close(promise: nil)
                }
            },
            ended: { continuation.finish() }
        )
        return stream
    }

    /// Waits until an event is the last that is needed, the stream ends or the time is over.
    package func wait(
        in events: AsyncStream<any ControlEvent>,
        within milliseconds: Int64,
        until isLast: @escaping @Sendable (any ControlEvent) -> Bool
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in events where isLast(event) { return }
            }
            group.addTask { await self.pause(milliseconds: milliseconds) }
            await group.next()
            group.cancelAll()
        }
    }

    private func pause(milliseconds: Int64) async {
        await Self.pause(milliseconds: milliseconds, on: channel.eventLoop)
    }

    /// Waits, also between two connections.
    package static func pause(milliseconds: Int64) async {
        await pause(milliseconds: milliseconds, on: MultiThreadedEventLoopGroup.singleton.any())
    }

    /// Waits on an event loop; a cancellation ends the wait.
    private static func pause(milliseconds: Int64, on loop: any EventLoop) async {
        let promise = loop.makePromise(of: Void.self)
        let timer = loop.scheduleTask(in: .milliseconds(milliseconds)) { promise.succeed() }
        await withTaskCancellationHandler {
            try? await promise.futureResult.get()
        } onCancel: {
            timer.cancel()
            promise.succeed()
        }
    }

    /// Begins to close the connection; calls without a reply fail.
    package func abandon() {
        channel.close(promise: nil)
    }

    /// Closes the connection; calls without a reply fail.
    package func close() async {
        try? await channel.close().get()
    }
}
