import Foundation
import Synchronization

/// Writes messages at an even pace until it is told to end.
final class SteadyWriter: Sendable {
    private let socket: String
    private let peer: String
    private let perSecond: Int
    private let sent = Atomic(0)
    private let worker = Worker()

    init(socket: String, to peer: String, perSecond: Int) {
        self.socket = socket
        self.peer = peer
        self.perSecond = perSecond
    }

    func begin() { worker.begin { try self.write() } }

    /// - Returns: how many messages were written.
    func end() throws -> Int {
        try worker.end()
        return sent.load(ordering: .relaxed)
    }

    private func write() throws {
        let connection = try ControlConnection(socket)
        let began = ContinuousClock.now
        var sent = 0
        while worker.goesOn {
            let next = began + .milliseconds(1000 * sent / perSecond)
            let early = Int32((next - .now).milliseconds)
            if early > 0 { poll(nil, 0, early) }
            _ = try connection.reply(to: "send", ["who": peer, "text": "message \(sent) of a busy morning"])
            sent += 1
            self.sent.store(sent, ordering: .relaxed)
        }
    }
}
