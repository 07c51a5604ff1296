import ParlanceControl
import Synchronization

/// How far the own messages of each conversation have been delivered, as the daemon's events say.
final class Deliveries: Sendable {
    private struct State {
        var delivered: [String: (sequence: UInt64, at: ContinuousClock.Instant)] = [:]
        var waiting: Waiting?
        var failure: BenchError?
    }

    private struct Waiting {
        let conversation: String
        let sequence: UInt64
        let continuation: CheckedContinuation<ContinuousClock.Instant, any Error>
    }

    private let state = Mutex(State())

    /// Begins to listen to a daemon's events.
    func follow(_ client: ControlClient) async throws {
        let filter = SubscriptionFilter(events: [.status, .failed])
        try await client.subscribe(filter) { [self] in
            received($0)
        } ended: { [self] in
            fail("the daemon's events ended")
        }
    }

    /// Waits until a message is delivered and returns when the event that says so came; one caller at a time.
    func reached(_ sequence: UInt64, in conversation: String) async throws -> ContinuousClock.Instant {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<ContinuousClock.Instant, any Error>? in
                if let delivered = state.delivered[conversation], delivered.sequence >= sequence {
                    return .success(delivered.at)
                }
                if let failure = state.failure { return .failure(failure) }
                state.waiting = Waiting(conversation: conversation, sequence: sequence, continuation: continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    private func received(_ event: ControlEvent) {
        switch event {
        case .status(let status) where status.status == .delivered || status.status == .read:
            advanced(to: status.sequence, in: status.conversation, at: .now)
        case .failed(let failed): fail("message \(failed.sequence) was refused: \(failed.why)")
        case .lagged: fail("the daemon's events were not read fast enough")
        default: break
        }
    }

    private func advanced(to sequence: UInt64, in conversation: String, at now: ContinuousClock.Instant) {
        let waiting = state.withLock { state -> Waiting? in
            guard sequence > state.delivered[conversation]?.sequence ?? 0 else { return nil }
            state.delivered[conversation] = (sequence, now)
            guard let waiting = state.waiting, waiting.conversation == conversation, waiting.sequence <= sequence else {
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.continuation.resume(returning: now)
    }

    private func fail(_ reason: String) {
        let failure = BenchError(reason)
        let waiting = state.withLock { state in
            if state.failure == nil { state.failure = failure }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.continuation.resume(throwing: failure)
    }
}
