#if os(Linux)
import Glibc

/// Finds out whether this machine's own firewall drops what comes in.
///
/// The kernel gives a copy of each multicast packet to the machine that sends it, and the copy passes the rules for packets
/// that come in, by the interface of the network and not by loopback. So a node can send a packet to itself and see whether
/// it comes back. It is sent with a hop limit of 0, which keeps it off the network. No privilege is needed.
package enum FirewallProbe {
    /// To whom the packets go, all to the port of mDNS.
    package enum Group: Sendable {
        /// The group of mDNS. Many firewalls let it in as they come.
        case discovery
        /// The group for experiments (RFC 4727). Only a rule for the whole port lets it in, such as Parlance's own, which
        /// lets links in too.
        case experiment

        fileprivate var ipv4: UInt32 { self == .discovery ? 0xe000_00fb : 0xe000_00fe }
        fileprivate var ipv6: String { self == .discovery ? "ff02::fb" : "ff02::114" }
    }

    /// What became of the packets to one group.
    package enum Passage: Equatable, Sendable {
        /// One came back.
        case open
        /// None came back: the firewall drops or refuses them, on their way out or in.
        case dropped
        /// None could be sent.
        case unknown
    }

    /// How long to wait, in milliseconds. The kernel delivers such a packet while it is sent.
    private static let patience: Int32 = 100
    /// The interfaces that are tried at most: one that lets packets in is enough to be found.
    private static let interfaces = 4

    /// The port of mDNS (RFC 6762).
    private static let port: UInt16 = 5_353

    /// Sends a packet to each group over each of the first interfaces, and waits until each group has one back.
    package static func passages(to groups: [Group]) -> [Passage] {
        let addresses = NetworkMonitor.addresses().filter { !$0.isLoopback && $0.isRunning }
        var seen: [UInt32] = []
        for address in addresses where !seen.contains(address.interface) { seen.append(address.interface) }
        var attempts: [Attempt] = []
        defer { for attempt in attempts { close(attempt.socket) } }
        for group in groups {
            for interface in seen.prefix(interfaces) {
                for isIPv6 in [false, true]
                where addresses.contains(where: { $0.interface == interface && ($0.bytes.count == 16) == isIPv6 }) {
                    if let attempt = Attempt(to: group, interface: interface, isIPv6: isIPv6) {
                        attempts.append(attempt)
                    }
                }
            }
        }
        let back = answers(attempts)
        return groups.map { group in
            if back.contains(group) { return .open }
            return attempts.contains { $0.group == group } ? .dropped : .unknown
        }
    }

    /// The groups of which a packet came back in time.
    private static func answers(_ attempts: [Attempt]) -> Set<Group> {
        var back: Set<Group> = []
        let end = milliseconds() + Int64(patience)
        while true {
            let waiting = attempts.filter { !back.contains($0.group) }
            let left = end - milliseconds()
            guard !waiting.isEmpty, left > 0 else { return back }
            var polled = waiting.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), Int32(left)) >= 0 || errno == EINTR else { return back }
            for (attempt, state) in zip(waiting, polled) where state.revents != 0 {
                if attempt.isBack() { back.insert(attempt.group) }
            }
        }
    }

    private static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// One packet on its way, and the socket that waits for it.
    private struct Attempt {
        let socket: Int32
        let group: Group
        private let packet: [UInt8]

        init?(to group: Group, interface: UInt32, isIPv6: Bool) {
            let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            socket = Glibc.socket(isIPv6 ? AF_INET6 : AF_INET, kind, 0)
            guard socket >= 0 else { return nil }
            self.group = group
            // The head of an mDNS question about nothing: whoever else listens here has nothing to do. The first two bytes
            // are a number that receivers do not read (RFC 6762, section 18.1).
            let number = UInt16.random(in: 1 ... .max)
            packet = [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 0, count: 10)
            let isReady = isIPv6 ? joinIPv6(interface) : joinIPv4(interface)
            guard isReady else {
                close(socket)
                return nil
            }
        }

        /// Whether one of the packets that have come is the one that was sent.
        func isBack() -> Bool {
            var bytes = [UInt8](repeating: 0, count: packet.count)
            while true {
                let count = recv(socket, &bytes, bytes.count, Int32(MSG_TRUNC))
                guard count >= 0 else { return false }
                if count == packet.count, bytes == packet { return true }
            }
        }

        /// The socket is bound to the group, so it takes no packets that are for this machine's other programs.
        private func joinIPv4(_ interface: UInt32) -> Bool {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = group.ipv4.bigEndian
            let member = ip_mreqn(
                imr_multiaddr: address.sin_addr,
                imr_address: in_addr(),
                imr_ifindex: Int32(interface)
            )
            let level = Int32(IPPROTO_IP)
            return set(SOL_SOCKET, SO_REUSEADDR, Int32(1)) && bind(&address) && set(level, IP_ADD_MEMBERSHIP, member)
                && set(level, IP_MULTICAST_IF, member) && set(level, IP_MULTICAST_TTL, Int32(0))
                && set(level, IP_MULTICAST_LOOP, Int32(1)) && send(to: &address)
        }

        private func joinIPv6(_ interface: UInt32) -> Bool {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = interface
            guard inet_pton(AF_INET6, group.ipv6, &address.sin6_addr) == 1 else { return false }
            let member = ipv6_mreq(ipv6mr_multiaddr: address.sin6_addr, ipv6mr_interface: interface)
            let level = Int32(IPPROTO_IPV6)
            return set(SOL_SOCKET, SO_REUSEADDR, Int32(1)) && bind(&address) && set(level, IPV6_JOIN_GROUP, member)
                && set(level, IPV6_MULTICAST_IF, Int32(bitPattern: interface))
                && set(level, IPV6_MULTICAST_HOPS, Int32(0)) && set(level, IPV6_MULTICAST_LOOP, Int32(1))
                && send(to: &address)
        }

        private func set<Value>(_ level: Int32, _ option: Int32, _ value: Value) -> Bool {
            withUnsafeBytes(of: value) { setsockopt(socket, level, option, $0.baseAddress, socklen_t($0.count)) == 0 }
        }

        private func bind<Address>(_ address: inout Address) -> Bool {
            withUnsafeBytes(of: &address) { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) {
                    Glibc.bind(socket, $0.baseAddress, socklen_t(bytes.count)) == 0
                }
            }
        }

        /// Sends the packet. A firewall that drops it on its way out makes that fail; then it does not come back either.
        private func send<Address>(to address: inout Address) -> Bool {
            let sent = withUnsafeBytes(of: &address) { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) {
                    sendto(socket, packet, packet.count, 0, $0.baseAddress, socklen_t(bytes.count))
                }
            }
            return sent == packet.count || errno == EPERM
        }
    }
}
#else
/// Only Linux gives a node its own multicast packets as a firewall lets them in.
package enum FirewallProbe {
    package enum Group: Sendable { case discovery, experiment }
    package enum Passage: Equatable, Sendable { case open, dropped, unknown }

    package static func passages(to groups: [Group]) -> [Passage] { groups.map { _ in .unknown } }
}
#endif
