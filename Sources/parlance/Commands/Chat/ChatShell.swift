import CTerminal
import ParlanceChat
import ParlanceControl
import ParlanceTerminal

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs a face of the chat: reads what is typed, talks to the daemon, and hands both to the face in one order.
struct ChatShell: Sendable {
    /// Everything that can happen, in one order.
    enum Input: Sendable {
        case typed([UInt8])
        case signalled(Int32)
        case terminalGone
        case connected(ControlClient)
        case chat(ChatInput)
        /// A timer has run down.
        case timer(ShellTimers.Kind)
    }

    /// Where what is typed is read.
    let descriptor: Int32
    let options: Options

    /// Runs until the user leaves or a signal ends it.
    ///
    /// - Returns: the exit code.
    func run(
        _ session: Session,
        face make: @Sendable (AsyncStream<Input>.Continuation) -> any ChatFace
    ) async -> Int32 {
        let (inputs, sink) = AsyncStream.makeStream(
            of: Input.self,
            bufferingPolicy: .bufferingOldest(ControlLimits.clientEventBuffer)
        )
        let sources = TerminalSources(descriptor) { sink.yield($0) }
        let (signal, code) = await withTaskGroup(of: Void.self, returning: (Int32?, Int32).self) { group in
            group.addTask { await stayConnected(session, sink) }
            var face = make(sink)
            face.begin()
            var end: Int32?
            for await input in inputs {
                if let code = face.take(input) {
                    end = code
                    break
                }
            }
            // The terminal is left at once, whatever the daemon does.
            sources.cancel()
            let exitCode = face.end()
            group.cancelAll()
            return (end, exitCode)
        }
        if let signal, signal > 0 { parlance_terminal_die(signal) }
        return code
    }

    /// Inputs that events leave room for: what is typed, and replies, must not be dropped in a flood of events.
    private static let roomForKeys = ControlLimits.clientEventBuffer / 2
    /// How long to wait before each attempt to reach a daemon that has stopped, in milliseconds.
    private static let retryMilliseconds: Int64 = 500

    /// Keeps a connection with a subscription to everything, and tells when it begins and ends.
    private func stayConnected(_ first: Session, _ sink: AsyncStream<Input>.Continuation) async {
        var (next, absence) = (Optional(first), DaemonAbsence())
        while !Task.isCancelled {
            var failure: ControlFailure?
            if let session = next {
                failure = await follow(session, sink, &absence)
                await session.close()
                next = nil
            } else {
                do { next = try await Session.open(options) } catch { failure = error as? ControlFailure }
                if next != nil { continue }
            }
            if absence.failed(failure, at: LocalClock.system().now) {
                sink.yield(.chat(.disconnected(silentSince: absence.silentSince)))
            }
            await ControlClient.pause(milliseconds: Self.retryMilliseconds)
        }
        await next?.close()
    }

    /// Passes events on until the connection ends, or more of them wait than are kept.
    ///
    /// - Returns: why it has ended, if that is known.
    private func follow(
        _ session: Session,
        _ sink: AsyncStream<Input>.Continuation,
        _ absence: inout DaemonAbsence
    ) async -> ControlFailure? {
        let (end, ending) = AsyncStream.makeStream(of: Void.self)
        let client = session.client
        do {
            // A daemon that hangs never replies: closing the connection ends the wait.
            try await withTaskCancellationHandler {
                try await client.subscribe(
                    deliver: { event in
                        if event is LaggedEvent { return ending.finish() }
                        switch sink.yield(.chat(.event(event))) {
                        case .enqueued(let left) where left >= Self.roomForKeys: break
                        default: ending.finish()
                        }
                    },
                    ended: { ending.finish() }
                )
                // These come only to those who name them. A daemon of an earlier version does not know them.
                try? await client.subscribe(
                    SubscriptionFilter(events: [AnswerEvent.kind]),
                    deliver: { if $0 is AnswerEvent { sink.yield(.chat(.event($0))) } }
                )
            } onCancel: {
                client.abandon()
            }
            _ = absence.answered()
            sink.yield(.connected(client))
        } catch {
            return error as? ControlFailure
        }
        for await _ in end {}
        return client.failure
    }
}
