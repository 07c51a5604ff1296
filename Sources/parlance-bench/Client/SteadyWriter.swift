import Foundation
import Synchronization

/// Writes messages at an even pace, on a thread of its own, until it is told to end.
final class SteadyWriter: Sendable {
    private struct State {
        var isOver = false
        var sent = 0
        var failure: (any Error)?
    }

    private let socket: String
    private let peer: String
    private let perSecond: Int
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    init(socket: String, to peer: String, perSecond: Int) {
        self.socket = socket
        self.peer = peer
        self.perSecond = perSecond
    }

    func begin() {
        Thread.detachNewThread { [self] in
            do { try write() } catch { state.withLock { $0.failure = error } }
            ended.signal()
        }
    }

    /// - Returns: how many messages were written.
    func end() throws -> Int {
        state.withLock { $0.isOver = true }
        ended.wait()
        let state = state.withLock { ($0.sent, $0.failure) }
        if let failure = state.1 { throw failure }
        return state.0
    }

    private func write() throws {
        let connection = try ControlConnection(socket)
        let began = ContinuousClock.now
        while !state.withLock({ $0.isOver }) {
            let sent = state.withLock { $0.sent }
            let next = began + .milliseconds(1000 * sent / perSecond)
            let early = Int32((next - .now).milliseconds)
            if early > 0 { poll(nil, 0, early) }
            _ = try connection.reply(to: "send", ["who": peer, "text": "message \(sent) of a busy morning"])
            state.withLock { $0.sent += 1 }
        }
    }
}
