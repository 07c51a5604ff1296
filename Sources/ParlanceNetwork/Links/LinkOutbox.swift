import ParlanceWire
import Synchronization

/// What waits to be sent on one link: written from any thread, taken on the link's event loop.
///
/// It holds the encoded frame stream, so its size is exact and many frames become few records. Frames are encoded by
/// the thread that sends them.
final class LinkOutbox: Sendable {
    /// The engine keeps at most a window of events unacknowledged and little else, so a link that holds twice that and
    /// its buffers is not being read by its peer.
    static let capacity = 2 * (Limits.acceptedBytes + Limits.windowBytes)

    /// Bytes of room made ahead at most.
    private static let kept = 128 * 1024

    /// What the sender is to do.
    enum Appended {
        case nothing
        /// Have the event loop take what waits.
        case schedule
        /// Close the link: its peer does not take what it is sent.
        case overflow
    }

    private struct Content {
        var stream: [UInt8] = []
        /// Bytes taken and not yet handed to the system.
        var unsent = 0
        var isScheduled = false
        var isClosed = false
    }

    private let content = Mutex(Content())

    func append(_ frame: WireFrame) -> Appended {
        let bytes = FrameSplitter.frame(frame.encodedBytes())
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

    /// Takes all that waits; tell `sent` when it has left.
    func take() -> [UInt8] {
        content.withLock { content in
            content.isScheduled = false
            content.unsent += content.stream.count
            // The next burst is likely to be as large: growing by doubling would copy it several times.
            var next: [UInt8] = []
            next.reserveCapacity(min(content.stream.count, Self.kept))
            return exchange(&content.stream, with: next)
        }
    }

    func sent(_ count: Int) {
        content.withLock { $0.unsent -= count }
    }

    /// Takes nothing more.
    func close() {
        content.withLock { $0 = Content(isClosed: true) }
    }
}
