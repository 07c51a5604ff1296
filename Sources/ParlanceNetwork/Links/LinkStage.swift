import NIOCore
import ParlanceWire

/// How far a link's peer is trusted, and so how much memory it may take here.
enum LinkStage {
    case unauthenticated
    case unaccepted
    case accepted

    /// Bytes that may be buffered: the link is not read while one more read could exceed them.
    var limit: Int {
        switch self {
        case .unauthenticated: Limits.unauthenticatedBytes
        case .unaccepted: Limits.unacceptedBytes
        case .accepted: Limits.acceptedBytes
        }
    }

    /// Bytes after which a link is given up.
    ///
    /// It can come to that only at its end: NIO reads what the system still holds when the other side has closed, also
    /// while we do not ask for more.
    var hardLimit: Int {
        switch self {
        case .unauthenticated, .unaccepted: 2 * limit
        case .accepted: limit + Limits.windowBytes
        }
    }

    /// The largest number of bytes of one read: small enough for one more beside the largest handshake message but for its
    /// last byte.
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
