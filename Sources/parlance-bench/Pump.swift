import ParlanceControl
import Synchronization

/// Sends messages so that a given number of requests is always under way: each answer lets the next one go.
final class Pump: Sendable {
    private struct State {
        var next = 0
        var answered = 0
        var last: SendReply?
        var finished: CheckedContinuation<SendReply, any Error>?
    }

    private let client: ControlClient
    private let sending: SendingOptions
    private let state = Mutex(State())

    init(client: ControlClient, sending: SendingOptions) {
        self.client = client
        self.sending = sending
    }

    /// Returns the message with the greatest sequence number once every request is answered.
    func run(window: Int) async throws -> SendReply {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.finished = continuation }
            for _ in 0..<min(window, sending.count) { sendNext() }
        }
    }

    private func sendNext() {
        let number = state.withLock { state -> Int? in
            guard state.next < sending.count, state.finished != nil else { return nil }
            defer { state.next += 1 }
            return state.next
        }
        guard let number else { return }
        let operation = SendOperation(who: sending.to, text: sending.text(number))
        client.send(operation) { [self] in answered($0) }
    }

    private func answered(_ result: Result<SendReply, ControlFailure>) {
        let reply: SendReply
        switch result {
        case .success(let sent): reply = sent
        case .failure(let failure): return finish(.failure(failure))
        }
        let last = state.withLock { state -> SendReply? in
            state.answered += 1
            if reply.sequence > state.last?.sequence ?? 0 { state.last = reply }
            return state.answered == sending.count ? state.last : nil
        }
        if let last { finish(.success(last)) } else { sendNext() }
    }

    private func finish(_ result: Result<SendReply, any Error>) {
        let continuation = state.withLock { state in
            defer { state.finished = nil }
            return state.finished
        }
        continuation?.resume(with: result)
    }
}
