import Foundation
import Synchronization

/// A friend's daemon that is given large texts as fast as it takes them.
final class TextFlood: Flooding {
    private static let size = 60_000
    private static let window = 50

    private let socket: String
    private let peer: String
    private let state = Mutex((figures: Flood.Figures(), failure: (any Error)?.none))
    private let isStopping = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    init(socket: String, to peer: String) { (self.socket, self.peer) = (socket, peer) }

    func start() {
        Thread.detachNewThread { [self] in
            do { try write() } catch { state.withLock { $0.failure = error } }
            ended.signal()
        }
    }

    func stop() throws -> Flood.Figures {
        isStopping.store(true, ordering: .relaxed)
        ended.wait()
        let state = state.withLock { $0 }
        if let failure = state.failure { throw failure }
        return state.figures
    }

    private func write() throws {
        let writer = try MessageWriter(socket: socket, to: peer)
        state.withLock { ($0.figures.started, $0.figures.answered, $0.figures.heldMost) = (1, 1, 1) }
        while !isStopping.load(ordering: .relaxed) {
            var progress = Progress(of: Self.window, "texts")
            _ = try writer.send(Self.window, size: Self.size, window: Self.window, progress: &progress)
            state.withLock { $0.figures.sent += Self.window }
        }
    }
}
