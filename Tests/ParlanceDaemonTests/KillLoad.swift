import ParlanceControl
import Synchronization

/// Writes numbered messages through a node's socket, many unanswered at a time, and keeps the answers.
///
/// When the daemon is killed the connection breaks; the load then connects again and goes on with the next number, so
/// that no text is written twice. Texts that were not answered may or may not be stored.
final class KillLoad: Sendable {
    /// Unanswered requests at a time.
    private static let window = 8

    struct Record: Sendable {
        /// How many were written in all, answered or not.
        var written = 0
        /// The answers by number.
        var accepted: [Int: SendReply] = [:]
        /// Refusals by a running daemon; there must be none.
        var refused: [String] = []
    }

    let node: LabNode
    let recipient: String
    private let record = Mutex(Record())
    private let isStopped = Mutex(false)

    init(from node: LabNode, to recipient: String) {
        self.node = node
        self.recipient = recipient
    }

    var soFar: Record { record.withLock { $0 } }

    func text(_ number: Int) -> String { "\(node.name) \(number)" }

    func stop() {
        isStopped.withLock { $0 = true }
    }

    private var isOver: Bool { isStopped.withLock { $0 } || Task.isCancelled }

    func run() async throws {
        while !isOver {
            if let client = try? await ControlClient.connect(to: node.socketPath) {
                await write(to: client)
                await client.close()
            } else {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    /// Writes until the connection breaks or the load is over, then waits for the remaining answers.
    private func write(to client: ControlClient) async {
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        var iterator = answers.makeAsyncIterator()
        var unanswered = 0
        var isConnected = true
        while true {
            while isConnected, !isOver, unanswered < Self.window {
                let number = next()
                client.send(SendOperation(who: recipient, text: text(number))) { [self] result in
                    answer.yield(take(result, for: number))
                }
                unanswered += 1
            }
            guard unanswered > 0, let goesOn = await iterator.next() else { return }
            unanswered -= 1
            isConnected = isConnected && goesOn
        }
    }

    private func next() -> Int {
        record.withLock { record in
            record.written += 1
            return record.written
        }
    }

    /// Keeps an answer; returns whether the connection is still usable.
    private func take(_ result: Result<SendReply, ControlFailure>, for number: Int) -> Bool {
        record.withLock { record in
            switch result {
            case .success(let reply):
                record.accepted[number] = reply
                return true
            case .failure(let failure):
                if !["connectionLost", "stopping"].contains(failure.code) {
                    record.refused.append("\(number): \(failure)")
                }
                return false
            }
        }
    }
}
