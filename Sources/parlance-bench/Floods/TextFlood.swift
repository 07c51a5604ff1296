import Synchronization

/// A friend's daemon that is given large texts as fast as it takes them.
final class TextFlood: Flooding {
    private static let size = 60_000
    private static let window = 50

    let connections = 1
    let isAnswered = true
    private let socket: String
    private let peer: String
    private let figures = Mutex(Flood.Figures())
    private let worker = Worker()

    init(socket: String, to peer: String) { (self.socket, self.peer) = (socket, peer) }

    func start() { worker.begin { try self.write() } }

    func stop() throws -> Flood.Figures {
        try worker.end()
        return figures.withLock { $0 }
    }

    private func write() throws {
        let writer = try MessageWriter(socket: socket, to: peer)
        figures.withLock { ($0.started, $0.answered, $0.heldMost) = (1, 1, 1) }
        while worker.goesOn {
            var progress = Progress(of: Self.window, "texts")
            _ = try writer.send(Self.window, size: Self.size, window: Self.window, progress: &progress)
            figures.withLock { $0.sent += Self.window }
        }
    }
}
