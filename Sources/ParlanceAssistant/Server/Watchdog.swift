/// Watches that each part of a request keeps its time limit.
actor Watchdog {
    private let limits: ModelTimeLimits
    private let end: ContinuousClock.Instant
    private var phase = ModelServerError.Phase.connecting
    private var deadline: ContinuousClock.Instant

    private init(_ limits: ModelTimeLimits) {
        let now = ContinuousClock.now
        self.limits = limits
        end = now + limits.whole
        deadline = now + limits.connecting
    }

    /// Runs an operation, which says when it enters each phase. The operation is cancelled when a limit has passed.
    static func run<Answer: Sendable>(
        _ limits: ModelTimeLimits,
        _ operation: @escaping @Sendable (Watchdog) async throws -> Answer
    ) async throws -> Answer {
        let watchdog = Watchdog(limits)
        return try await withThrowingTaskGroup(of: Answer.self) { group in
            group.addTask { try await operation(watchdog) }
            group.addTask { try await watchdog.watch() }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw CancellationError() }
            return answer
        }
    }

    /// From now on the limit of this phase counts, with its full length.
    func enter(_ phase: ModelServerError.Phase) {
        self.phase = phase
        deadline = .now + limits.limit(of: phase)
    }

    private func watch() async throws -> Never {
        while true {
            let now = ContinuousClock.now
            if now >= end { throw ModelServerError.timedOut(.whole) }
            if now >= deadline { throw ModelServerError.timedOut(phase) }
            try await Pause.take(now.duration(to: min(deadline, end, now + limits.shortest)))
        }
    }
}
