import NIOCore
import NIOPosix
import ParlanceCore
import ParlanceWire
package import ParlanceWords
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Why this node cannot accept links, and what to do.
package struct LinkListenError: Error, Equatable, Sendable {
    package let message: Phrase
    package let advice: Phrase
}

extension LinkService {
    /// Connections that may wait to be accepted.
    private static let backlog: Int32 = 256
    /// How many ports to try before giving up; a port that is free in one family may be in use in the other.
    private static let attempts = 8

    /// Starts to listen and returns the port: the requested one if it is free, otherwise the first free one of those that
    /// firewalls let in (`portsTried`), otherwise any.
    ///
    /// An address that this machine does not have now is taken as soon as it comes, where the system allows that: a cable
    /// may be out, or the Wi-Fi not up yet.
    ///
    /// - Parameter addresses: numeric ones, all on the same port; empty means every address of IPv6 and IPv4.
    package func start(
        addresses: [String] = [],
        port: UInt16 = preferredPort
    ) async throws(LinkListenError) -> UInt16 {
        let usual = (0..<Limits.portsTried).map { Int(Self.preferredPort) + $0 }.filter { $0 != Int(port) }
        var ports = [Int(port)] + usual + Array(repeating: 0, count: Self.attempts)
        let hosts = ListenPlaces(addresses).hosts
        while true {
            do {
                return try await listen(hosts, port: ports.removeFirst())
            } catch let error as IOError where Self.isTaken(error) && !ports.isEmpty {
                continue
            } catch let error as LinkListenError {
                throw error
            } catch {
                let reason = DialFailure(connecting: error).text
                throw LinkListenError(
                    message: hosts.isEmpty
                        ? "Port \(port) cannot be listened on: \(reason)."
                        : "Port \(port) cannot be listened on at \(hosts.joined(separator: ", ")): \(reason).",
                    advice: "Check the addresses and the port of the configuration."
                )
            }
        }
    }

    /// Whether a port is in use, or only root may have it.
    private static func isTaken(_ error: IOError) -> Bool { [EADDRINUSE, EACCES].contains(error.errnoCode) }

    private func listen(_ addresses: [String], port: Int) async throws -> UInt16 {
        var bound: [any Channel] = []
        var port = port
        do {
            for host in addresses.isEmpty ? ["::", "0.0.0.0"] : addresses {
                // The interface of a link-local address is not there.
                guard let address = try? SocketAddress(ipAddress: host, port: port) else { continue }
                do {
                    let channel = try await bootstrap(for: address, waits: !addresses.isEmpty).bind(to: address).get()
                    bound.append(channel)
                    port = channel.localAddress?.port ?? port
                } catch let error as IOError where Self.isAbsent(error) {
                    continue
                }
            }
        } catch {
            for channel in bound { try? await channel.close() }
            throw error
        }
        guard !bound.isEmpty, let actual = UInt16(exactly: port) else {
            guard addresses.isEmpty else {
                let names = addresses.joined(separator: ", ")
                throw LinkListenError(
                    message: "This computer has none of the addresses to listen on: \(names).",
                    advice: "Give one that it has, or none for all: parlance config set listen --default"
                )
            }
            throw LinkListenError(
                message: "This machine has no IP network to listen on.",
                advice: "Set one up, then start again."
            )
        }
        let listeners = bound
        state.withLock { $0.listeners += listeners }
        return actual
    }

    /// Whether a bind failed because the machine has IPv4 or IPv6 switched off, or not this address.
    private static func isAbsent(_ error: IOError) -> Bool {
        [EAFNOSUPPORT, EADDRNOTAVAIL, ENODEV].contains(error.errnoCode)
    }

    /// - Parameter waits: whether the address may come later (IP_FREEBIND of ip(7)).
    private func bootstrap(for address: SocketAddress, waits: Bool) -> ServerBootstrap {
        var bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: LinkStage.unauthenticated.allocator)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.accept(channel) }
            }
        #if os(Linux)
        if waits {
            typealias Option = ChannelOptions.Types.SocketOption
            let option =
                if case .v6 = address {
                    Option(level: .ipv6, name: NIOBSDSocket.Option(rawValue: IPV6_FREEBIND))
                } else {
                    Option(level: .ip, name: NIOBSDSocket.Option(rawValue: IP_FREEBIND))
                }
            bootstrap = bootstrap.serverChannelOption(option, value: 1)
        }
        #endif
        guard case .v6 = address else { return bootstrap }
        let onlyIPv6 = ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only)
        return bootstrap.serverChannelOption(onlyIPv6, value: 1)
    }

    /// Accepts a connection if its address may have one more; otherwise closes it by throwing. If there is no place, the
    /// oldest connection that has not said who it is ends for it.
    private func accept(_ channel: any Channel) throws {
        guard hasRoomForLink() else { throw TooManyLinks() }
        let second = Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000_000)
        let group = AddressGroup(channel.remoteAddress, local: channel.localAddress)
        let (start, evicted) = state.withLock { state in
            let start = state.isStopping ? nil : state.quota.startUnauthenticated(group, second: second)
            if let place = start?.place, place.counted { state.halfOpen[place.number] = channel }
            return (start, start?.evicted.flatMap { state.halfOpen.removeValue(forKey: $0.number) })
        }
        evicted?.close(promise: nil)
        guard let place = start?.place else { throw TooManyLinks() }
        do {
            let handler = try LinkHandler(service: self, origin: .accepted(place))
            try channel.pipeline.syncOperations.addHandler(handler)
        } catch {
            endUnauthenticated(place)
            throw error
        }
    }

    /// Whether enough files can still be opened besides the links. The system gives the lowest free descriptor, so all
    /// below it are in use.
    func hasRoomForLink() -> Bool {
        lowestFreeDescriptor().map { $0 < firstKeptDescriptor } ?? false
    }

    /// An address has the most connections that may be unauthenticated, or the process can open only few more files.
    private struct TooManyLinks: Error {}
}

/// The descriptor that the system would give next; `nil` if there is none. 0 if that cannot be found out, as in a root
/// folder without devices: then only the system knows when there are no more.
private func lowestFreeDescriptor() -> Int? {
    let lowest = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard lowest >= 0 else { return errno == EMFILE || errno == ENFILE ? nil : 0 }
    close(lowest)
    return Int(lowest)
}
