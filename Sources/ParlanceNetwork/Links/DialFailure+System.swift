import NIOCore
import NIOPosix
package import ParlanceCore
package import ParlanceWords

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

extension DialFailure {
    /// For a connection that could not be established.
    init(connecting error: any Error) {
        switch error {
        case let error as UnusableEndpoint: self = error.failure
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
        // A firewall there that refuses: EHOSTUNREACH over IPv4 (ICMP 3/13), EACCES over IPv6 (ICMPv6 1/1).
        case EHOSTUNREACH, EACCES: self = .noRoute
        case ENETUNREACH: self = .networkUnreachable
        case ETIMEDOUT: self = .timedOut
        case ECONNRESET: self = .reset
        case EADDRNOTAVAIL, EINVAL: self = .unusableAddress
        case EPERM: self = .notPermitted
        default: self = .system(String(cString: strerror(code)).lowercased())
        }
    }

    /// What a peer said about its failure: the text for people if it used our words, otherwise what it said.
    package static func text(toldAs reason: String) -> Phrase {
        let known: [DialFailure] = [
            .refused, .timedOut, .noRoute, .networkUnreachable, .reset, .unusableAddress, .notPermitted,
            .invalidAddress, .needsInterface,
        ]
        return known.map(\.text).first { $0.english == reason } ?? Phrase(verbatim: reason)
    }

    /// The text for people, without a period.
    package var text: Phrase {
        switch self {
        case .refused: Phrase("connection refused")
        case .timedOut: Phrase("timed out")
        case .noRoute: Phrase("no route to host")
        case .networkUnreachable: Phrase("network unreachable")
        case .reset: Phrase("connection reset")
        case .unusableAddress: Phrase("the address cannot be reached from here")
        case .notPermitted: Phrase("not permitted by this machine")
        case .invalidAddress: Phrase("the address is not valid")
        case .needsInterface: Phrase("a link-local address needs its interface")
        case .noInterface(let name): Phrase("this machine has no interface \(name)")
        case .nameNotFound(let name): Phrase("the name \(name) was not found")
        case .system(let words): Phrase(verbatim: words)
        case .stopping: Phrase("this node is stopping")
        case .tooManyUnaccepted: Phrase("there are too many links to peers that are not accepted")
        case .notTaken:
            Phrase("the other side does not take this node: it is in another workspace or in none, or has no room")
        case .closedInHandshake: Phrase("the handshake failed: the other side closed the connection")
        case .handshakeTimedOut: Phrase("the handshake failed: timed out")
        case .handshake(let why), .certificate(let why): Phrase("the handshake failed: \(why)")
        case .otherIdentity: Phrase("somebody else answers at that address")
        case .ownIdentity: Phrase("this node itself answers at that address")
        }
    }
}
