import NIOCore
import NIOPosix

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Why an attempt to reach a peer failed, in words for people.
enum DialFailure {
    static let stopping = "this node is stopping"
    static let handshakeTimedOut = "the handshake failed: timed out"
    static let closedDuringHandshake = "the handshake failed: the other side closed the connection"
    static let tooManyUnaccepted = "there are too many links to peers that are not accepted"

    /// For a connection that did not come about.
    static func reason(connecting error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first { return reason(connecting: first.error) }
            return "the name \(error.host) was not found"
        case ChannelError.connectTimeout:
            return "timed out"
        case let error as IOError:
            return reason(errno: error.errnoCode)
        case is SocketAddressError:
            return "the address is not valid"
        default:
            return "the connection failed"
        }
    }

    /// For a handshake that was refused here.
    static func reason(handshake error: LinkError) -> String {
        switch error {
        case .certificate(.unexpectedIdentity), .certificate(.ownIdentity): error.message
        default: "the handshake failed: \(error.message)"
        }
    }

    private static func reason(errno code: CInt) -> String {
        switch code {
        case ECONNREFUSED: "connection refused"
        case EHOSTUNREACH: "no route to host"
        case ENETUNREACH: "network unreachable"
        case ETIMEDOUT: "timed out"
        case ECONNRESET: "connection reset"
        case EADDRNOTAVAIL, EINVAL: "the address cannot be reached from here"
        case EACCES, EPERM: "not permitted by this machine"
        default: String(cString: strerror(code)).lowercased()
        }
    }
}
