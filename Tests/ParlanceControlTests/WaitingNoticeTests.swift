import Foundation
import ParlanceWaiting
import Synchronization
import Testing

@testable import parlance

/// What is said while nobody has a file.
@Suite struct WaitingNoticeTests {
    private final class Told: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    @Test func itIsSaidOnceIfTheWaitLasts() async throws {
        let told = Told()
        let notice = WaitingNotice(after: 1) { told.add() }
        notice.waits()
        notice.waits()
        try await eventually("it is said", last: "\(told.value)") { told.value == 1 }
        notice.waits()
        // Somebody was there meanwhile.
        notice.ends()
        notice.waits()
        try await eventually("it is said again", last: "\(told.value)") { told.value == 2 }
    }

    @Test func aSourceInTimeSilencesIt() async throws {
        let (told, other) = (Told(), Told())
        let notice = WaitingNotice(after: 200) { told.add() }
        let later = WaitingNotice(after: 400) { other.add() }
        notice.waits()
        notice.ends()
        later.waits()
        try await eventually("the later one is said", last: "\(other.value)") { other.value == 1 }
        #expect(told.value == 0)
        #expect(WaitingNotice.patience == 2_000)
    }
}
