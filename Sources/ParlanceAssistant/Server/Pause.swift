import NIOCore
import NIOPosix

/// A wait on an event loop, which ends at once when its task is cancelled.
enum Pause {
    @Sendable static func take(_ duration: Duration) async throws {
        let timer = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(duration)) {}
        do {
            try await withTaskCancellationHandler {
                try await timer.futureResult.get()
            } onCancel: {
                timer.cancel()
            }
        } catch {
            throw CancellationError()
        }
    }
}
