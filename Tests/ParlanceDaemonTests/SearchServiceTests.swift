import ParlanceWaiting
import Synchronization
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// When the index for searching goes on.
@Suite struct SearchServiceTests {
    private final class Work: Sendable {
        let steps = Atomic<Int>(0)
        let due = Atomic<Int>(0)
    }

    /// Runs the service until `condition` holds.
    private static func run(_ work: Work, events: Int, until condition: @escaping @Sendable () -> Bool) async throws {
        let service = SearchService(
            takeEvents: { events },
            step: {
                work.steps.add(1, ordering: .relaxed)
                return work.due.subtract(1, ordering: .relaxed).newValue > 0
            },
            interval: 40,
            pause: 1
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            try await eventually("the steps are done", within: .seconds(600)) { condition() }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test func whatIsDueIsDoneStepByStep() async throws {
        let work = Work()
        work.due.store(30, ordering: .relaxed)
        try await Self.run(work, events: 0) { work.due.load(ordering: .relaxed) <= 0 }
        #expect(work.steps.load(ordering: .relaxed) >= 30)
    }

    /// A node that is busy does not follow a step with the next one, but goes on.
    @Test func busyNodeDoesAStepAtEachLook() async throws {
        let work = Work()
        work.due.store(1000, ordering: .relaxed)
        let clock = ContinuousClock()
        let began = clock.now
        try await Self.run(work, events: 1_000_000) { work.steps.load(ordering: .relaxed) >= 4 }
        #expect(clock.now - began >= .milliseconds(3 * 40))
    }
}
