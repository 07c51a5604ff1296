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

/// A port that this node was to have and did not get.
package enum MissedPort: Equatable, Sendable {
    /// Links are taken at another port. A reserved one only root may have.
    case replaced(UInt16, by: UInt16, isReserved: Bool)
    /// No links are taken at an address that came after the start; with the system's reason.
    case refused(UInt16, at: String, String)
}

extension LinkService {
    /// Where links are taken.
    struct Listening {
        /// The addresses that were given, none for all, and the port.
        var hosts: [String] = []
        var port: UInt16 = 0
        /// The sockets that listen, by their addresses.
        var sockets: [String: any Channel] = [:]
        /// The addresses for which a socket is about to listen.
        var opening: Set<String> = []
        /// What was not taken in place of a port, and at addresses that came later.
        var replaced: MissedPort?
        var refused: [String: MissedPort] = [:]
    }

    /// Connections that may wait to be accepted.
    private static let backlog: Int32 = 256
    /// How many ports to try before giving up; a port that is free in one family may be in use in the other.
    private static let attempts = 8

    /// Starts to listen and returns the port: the requested one if it is free, otherwise the first free one of those that
    /// firewalls let in (`portsTried`), otherwise any.
    ///
    /// An address that this machine does not have now is taken as soon as it comes: a cable may be out, or the Wi-Fi not
    /// up yet. Call `addressesChanged` for that.
    ///
    /// - Parameter addresses: numeric ones, all on the same port; empty means every address of IPv6 and IPv4.
    package func start(
        addresses: [String] = [],
        port: UInt16 = preferredPort
    ) async throws(LinkListenError) -> UInt16 {
        let usual = (0..<Limits.portsTried).map { Int(Self.preferredPort) + $0 }.filter { $0 != Int(port) }
        var ports = [Int(port)] + usual + Array(repeating: 0, count: Self.attempts)
        let hosts = ListenPlaces(addresses).hosts
        var denial: CInt?
        while true {
            do {
                let used = try await listen(hosts, port: ports.removeFirst())
                state.withLock { state in
                    state.listening.replaced = denial.map { .replaced(port, by: used, isReserved: $0 == EACCES) }
                }
                return used
            } catch let error as IOError where Self.isTaken(error) && !ports.isEmpty {
                denial = denial ?? error.errnoCode
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

    /// Ports that this node was to have and did not get.
    package var missedPorts: [MissedPort] {
        state.withLock { state in
            [state.listening.replaced].compactMap { $0 }
                + state.listening.refused.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Listens at the addresses that came since the last call. A link-local one that comes back has another number for its
    /// interface, so it needs another socket.
    package func addressesChanged() {
        for (host, address) in state.withLock({ $0.openWhatCame() }) {
            bootstrap(for: address, waits: true).bind(to: address).whenComplete { self.opened(host, $0) }
        }
    }

    private func opened(_ host: String, _ result: Result<any Channel, any Error>) {
        let superfluous = state.withLock { state -> (any Channel)? in
            state.listening.opening.remove(host)
            state.listening.refused[host] = nil
            switch result {
            case .success(let channel):
                return state.isStopping ? channel : exchange(&state.listening.sockets[host], with: channel)
            case .failure(let error as IOError) where !Self.isAbsent(error):
                let reason = String(cString: strerror(error.errnoCode))
                state.listening.refused[host] = .refused(state.listening.port, at: host, reason)
            case .failure: break
            }
            return nil
        }
        superfluous?.close(promise: nil)
        // Meanwhile it may have gone and come back.
        if case .success = result { addressesChanged() }
    }

    /// Whether a port is in use, or only root may have it.
    private static func isTaken(_ error: IOError) -> Bool { [EADDRINUSE, EACCES].contains(error.errnoCode) }

    private func listen(_ hosts: [String], port: Int) async throws -> UInt16 {
        var bound: [String: any Channel] = [:]
        var port = port
        var mayCome = false
        do {
            for host in hosts.isEmpty ? ["::", "0.0.0.0"] : hosts {
                guard let address = try? SocketAddress(ipAddress: host, port: port) else {
                    // The interface of a link-local address is not there.
                    if ZonedAddress(host) != nil { mayCome = true }
                    continue
                }
                do {
                    let channel = try await bootstrap(for: address, waits: !hosts.isEmpty).bind(to: address).get()
                    bound[host] = channel
                    port = channel.localAddress?.port ?? port
                } catch let error as IOError where Self.isAbsent(error) {
                    if error.errnoCode != EAFNOSUPPORT { mayCome = true }
                }
            }
        } catch {
            for channel in bound.values { try? await channel.close() }
            throw error
        }
        guard !bound.isEmpty || mayCome && !hosts.isEmpty else { throw Self.nowhere(hosts) }
        // Without a socket nobody has chosen a free one.
        let actual = UInt16(exactly: port).flatMap { $0 == 0 ? nil : $0 } ?? Self.preferredPort
        let sockets = bound
        state.withLock { state in
            (state.listening.hosts, state.listening.port, state.listening.sockets) = (hosts, actual, sockets)
        }
        return actual
    }

    private static func nowhere(_ hosts: [String]) -> LinkListenError {
        guard !hosts.isEmpty else {
            return LinkListenError(
                message: "This machine has no IP network to listen on.",
                advice: "Set one up, then start again."
            )
        }
        return LinkListenError(
            message: "This computer has none of the addresses to listen on: \(hosts.joined(separator: ", ")).",
            advice: "Give one that it has, or none for all: parlance config set listen --default"
        )
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

extension LinkService.State {
    /// The addresses at which this machine can listen now and no socket does, each noted as being opened.
    fileprivate mutating func openWhatCame() -> [(host: String, address: SocketAddress)] {
        guard !isStopping else { return [] }
        return listening.hosts.compactMap { host in
            guard let address = try? SocketAddress(ipAddress: host, port: Int(listening.port)) else { return nil }
            if let present = listening.sockets[host] {
                guard ZonedAddress(host)?.zone != nil, present.localAddress != address else { return nil }
            }
            return listening.opening.insert(host).inserted ? (host, address) : nil
        }
    }
}

/// The descriptor that the system would give next; `nil` if there is none. 0 if that cannot be found out, as in a root
/// folder without devices: then only the system knows when there are no more.
private func lowestFreeDescriptor() -> Int? {
    let lowest = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard lowest >= 0 else { return errno == EMFILE || errno == ENFILE ? nil : 0 }
    close(lowest)
    return Int(lowest)
}
