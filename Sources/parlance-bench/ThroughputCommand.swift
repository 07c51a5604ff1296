import ArgumentParser
import ParlanceControl
import Synchronization

/// Keeps a window of unanswered requests full and measures until `delivered` covers the last message.
struct ThroughputCommand: Measurement {
    static let configuration = CommandConfiguration(
        commandName: "throughput",
        abstract: "Pipelined messages: how many a second, from the first request until the last is delivered."
    )

    @OptionGroup var sending: SendingOptions

    @Option(help: "Requests without an answer at any moment.")
    var window = 1000

    func measure() async throws {
        let client = try await ControlClient.connect(to: sending.socket)
        let deliveries = Deliveries()
        try await deliveries.follow(client)
        let pump = Pump(client: client, sending: sending)
        let clock = ContinuousClock()
        let began = clock.now
        let last = try await pump.run(window: window)
        let accepted = clock.now
        let delivered = try await deliveries.reached(last.sequence, in: last.conversation)
        await client.close()
        let count = Double(sending.count)
        Report([
            "messages_per_second": count / (delivered - began).seconds,
            "accepted_per_second": count / (accepted - began).seconds,
            "seconds": (delivered - began).seconds,
        ]).print()
    }
}

/// Sends messages so that a given number of requests is always under way: each answer lets the next one go.
private final class Pump: Sendable {
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
        let request = SendRequest(who: sending.to, text: sending.text(number))
        client.send(.send(request)) { [self] in answered($0) }
    }

    private func answered(_ result: Result<ControlReply, ControlFailure>) {
        let reply: SendReply
        switch result {
        case .success(.sent(let sent)): reply = sent
        case .success: return finish(.failure(BenchError("the daemon's reply to send is of another kind")))
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
