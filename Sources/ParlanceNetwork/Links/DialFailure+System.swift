import NIOCore
import NIOPosix
package import ParlanceCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

extension DialFailure {
    /// For a connection that could not be established.
    init(connecting error: any Error) {
        switch error {
        case let error as NIOConnectionError:
            guard let first = error.connectionErrors.first else {
                self = .nameNotFound(error.host)
                return
            }
            self.init(connecting: first.error)
        case ChannelError.connectTimeout: self = .timedOut
        case let error as IOError: self.init(errno: error.errnoCode)
        case is SocketAddressError: self = .invalidAddress
        default: self = .system("the connection failed")
        }
    }

    /// For a handshake that was refused here.
    init(handshake error: LinkError) {
        switch error {
        case .certificate(.unexpectedIdentity): self = .otherIdentity
        case .certificate(.ownIdentity): self = .ownIdentity
        case .certificate: self = .certificate(error.message)
        default: self = .handshake(error.message)
        }
    }

    private init(errno code: CInt) {
        switch code {
        case ECONNREFUSED: self = .refused
        case EHOSTUNREACH: self = .noRoute
        case ENETUNREACH: self = .networkUnreachable
        case ETIMEDOUT: self = .timedOut
        case ECONNRESET: self = .reset
        case EADDRNOTAVAIL, EINVAL: self = .unusableAddress
        case EACCES, EPERM: self = .notPermitted
        default: self = .system(String(cString: strerror(code)).lowercased())
        }
    }

    /// The text for people, without a period.
    package var text: String {
        switch self {
        case .refused: "connection refused"
        case .timedOut: "timed out"
        case .noRoute: "no route to host"
        case .networkUnreachable: "network unreachable"
        case .reset: "connection reset"
        case .unusableAddress: "the address cannot be reached from here"
        case .notPermitted: "not permitted by this machine"
        case .invalidAddress: "the address is not valid"
        case .nameNotFound(let name): "the name \(name) was not found"
        case .system(let words): words
        case .stopping: "this node is stopping"
        case .tooManyUnaccepted: "there are too many links to peers that are not accepted"
        case .notTaken: "the other side does not take this node: it is in another workspace or in none, or has no room"
        case .closedInHandshake: "the handshake failed: the other side closed the connection"
        case .handshakeTimedOut: "the handshake failed: timed out"
        case .handshake(let why), .certificate(let why): "the handshake failed: \(why)"
        case .otherIdentity: "somebody else answers at that address"
        case .ownIdentity: "this node itself answers at that address"
        }
    }
}
