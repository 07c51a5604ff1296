import NIOCore

#if canImport(Glibc)
import Glibc
#endif

/// How far the other machine has acknowledged what was sent on a connection.
struct SendProgress {
    /// Whether it has acknowledged everything that was sent to it.
    var isComplete: Bool
    /// How long ago its last acknowledgement of anything came.
    var silence: TimeAmount
}

extension Channel {
    /// What the system knows of a TCP connection (`TCP_INFO` of tcp(7)); `nil` where it cannot tell.
    ///
    /// A machine whose program is only slow, or whose buffers are full, acknowledges nevertheless.
    var sendProgress: EventLoopFuture<SendProgress>? {
        #if os(Linux)
        (self as? any SocketOptionProvider)?.getTCPInfo().map { info in
            SendProgress(
                isComplete: info.tcpi_unacked == 0,
                silence: .milliseconds(Int64(info.tcpi_last_ack_recv))
            )
        }
        #else
        nil
        #endif
    }
}
