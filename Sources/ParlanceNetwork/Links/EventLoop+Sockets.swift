package import NIOCore

extension EventLoop {
    /// Runs work after the loop has looked at its sockets, whatever is queued meanwhile.
    ///
    /// Work that is queued with `execute` by work on the same loop runs before that, so work that always queues more would
    /// keep it from reading. A short delay ends the round of the loop.
    package func executeAfterSockets(_ work: @escaping @Sendable () -> Void) {
        // Long enough that it is not over when the loop comes to its end, and next to nothing beside a drain.
        scheduleTask(in: .microseconds(20), work)
    }
}
