import NIOCore
import ParlanceWire

/// How far a link's peer is trusted, and so how much memory it may use here.
enum LinkStage {
    case unauthenticated
    case unaccepted
    case accepted

    /// How many bytes may be buffered: the link is not read while one more read could exceed them.
    var limit: Int {
        switch self {
        case .unauthenticated: Limits.unauthenticatedBytes
        case .unaccepted: Limits.unacceptedBytes
        case .accepted: Limits.acceptedBytes
        }
    }

    /// The number of buffered bytes at which a link is closed.
    /// A link can reach it only at its end: when the other side has closed, NIO reads what the system still holds, even
    /// though we do not request it.
    var hardLimit: Int {
        switch self {
        case .unauthenticated, .unaccepted: 2 * limit
        case .accepted: limit + Limits.windowBytes
        }
    }

    /// The most bytes of one read: small enough for one more read after the largest handshake message without its last
    /// byte.
    var readSize: Int {
        switch self {
        case .unauthenticated: 512
        case .unaccepted: 4 * 1024
        case .accepted: 64 * 1024
        }
    }

    var allocator: any RecvByteBufferAllocator {
        switch self {
        case .unauthenticated, .unaccepted: FixedSizeRecvByteBufferAllocator(capacity: readSize)
        case .accepted: AdaptiveRecvByteBufferAllocator(minimum: 4 * 1024, initial: 16 * 1024, maximum: readSize)
        }
    }
}
