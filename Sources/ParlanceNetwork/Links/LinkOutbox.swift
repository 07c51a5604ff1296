import ParlanceWire
import Synchronization

/// What waits to be sent on one link: written from any thread, taken on the link's event loop.
/// It contains the encoded frame stream, so its size is exact and many frames become few records. The thread that sends
/// a frame encodes it.
final class LinkOutbox: Sendable {
    /// The engine keeps at most a window of events unacknowledged and little else, so if a link holds twice that and
    /// its buffers, its peer is not reading.
    static let capacity = 2 * (Limits.acceptedBytes + Limits.windowBytes)

    /// The most bytes that are reserved ahead.
    private static let kept = 128 * 1024

    /// What the sender must do.
    enum Appended {
        case nothing
        /// Let the event loop take what waits.
        case schedule
        /// Close the link: its peer does not read what is sent to it.
        case overflow
    }

    private struct Content {
        var stream: [UInt8] = []
        /// Bytes that were taken and have not been handed to the system yet.
        var unsent = 0
        var isScheduled = false
        var isClosed = false
    }

    private let content = Mutex(Content())

    /// - Parameter frame: an encoded frame.
    func append(_ frame: [UInt8]) -> Appended {
        let bytes = FrameSplitter.frame(frame)
        return content.withLock { content in
            guard !content.isClosed else { return .nothing }
            guard content.stream.count + content.unsent + bytes.count <= Self.capacity else {
                content = Content(isClosed: true)
                return .overflow
            }
            content.stream += bytes
            defer { content.isScheduled = true }
            return content.isScheduled ? .nothing : .schedule
        }
    }

    /// Takes everything that waits; call `sent` when it has left.
    func take() -> [UInt8] {
        content.withLock { content in
            content.isScheduled = false
            content.unsent += content.stream.count
            // The next burst is probably as large: growing by doubling would copy it several times.
            var next: [UInt8] = []
            next.reserveCapacity(min(content.stream.count, Self.kept))
            return exchange(&content.stream, with: next)
        }
    }

    func sent(_ count: Int) {
        content.withLock { $0.unsent -= count }
    }

    /// Accepts nothing more.
    func close() {
        content.withLock { $0 = Content(isClosed: true) }
    }
}
