import Foundation
import Synchronization

/// A thread of its own that works until it is told to end.
final class Worker: Sendable {
    private let isOver = Atomic(false)
    private let failure = Mutex<(any Error)?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    /// Whether the work goes on.
    var goesOn: Bool { !isOver.load(ordering: .relaxed) }

    /// - Parameter work: returns once `goesOn` is false, or earlier if there is nothing left to do.
    func begin(_ work: @escaping @Sendable () throws -> Void) {
        Thread.detachNewThread { [self] in
            do { try work() } catch { failure.withLock { $0 = error } }
            ended.signal()
        }
    }

    /// Ends the work and waits for that.
    ///
    /// - Throws: the error with which it ended.
    func end() throws {
        isOver.store(true, ordering: .relaxed)
        ended.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
