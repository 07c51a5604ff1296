import NIOPosix

/// Threads for what blocks: files that are read and written. They are few, and nobody else waits for them.
struct PageThreads: Sendable {
    private let pool = NIOThreadPool(numberOfThreads: PageLimits.threads)

    /// Starts the threads with the first use.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws -> Value {
        pool.start()
        return try await pool.runIfActive(work)
    }

    func stop() async { try? await pool.shutdownGracefully() }
}
