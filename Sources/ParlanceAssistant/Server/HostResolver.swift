import Glibc
package import NIOCore
import NIOPosix

/// Looks up the addresses of hosts.
package enum HostResolver {
    /// All addresses of a host with the given port, the best one first. It is empty or throws if there are none.
    package typealias Lookup = @Sendable (_ host: String, _ port: Int) async throws -> [SocketAddress]

    /// Asks the system (`getaddrinfo`). The task can be cancelled; the system call then ends on a thread of its own.
    package static let system: Lookup = { host, port in
        let promise = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: [SocketAddress].self)
        return try await withTaskCancellationHandler {
            NIOThreadPool.singleton.submit { state in
                switch state {
                case .active: promise.succeed(addresses(host: host, port: port))
                case .cancelled: promise.fail(CancellationError())
                }
            }
            return try await promise.futureResult.get()
        } onCancel: {
            promise.fail(CancellationError())
        }
    }

    private static func addresses(host: String, port: Int) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        return sequence(first: first, next: { $0?.pointee.ai_next }).compactMap { entry in
            guard let entry, let raw = UnsafeRawPointer(entry.pointee.ai_addr) else { return nil }
            return switch entry.pointee.ai_family {
            case AF_INET: SocketAddress(raw.loadUnaligned(as: sockaddr_in.self))
            case AF_INET6: SocketAddress(raw.loadUnaligned(as: sockaddr_in6.self))
            default: nil
            }
        }
    }
}
