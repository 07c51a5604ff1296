import Dispatch

#if os(Linux)
import CAvahiCore
import Glibc
#else
import Darwin
#endif

/// An address of this machine on an interface that is up.
struct NetworkAddress: Sendable, Hashable {
    var interface: UInt32
    var name: String
    var isLoopback: Bool
    /// Whether the interface has a carrier, such as a cable that is plugged in. It keeps its addresses without one.
    var isRunning = true
    /// 4 bytes for IPv4, 16 for IPv6.
    var bytes: [UInt8]

    /// Whether an interface that is in both lists has other addresses now; an interface that came or went does not
    /// count.
    static func isRenumbered(_ before: [NetworkAddress], _ after: [NetworkAddress]) -> Bool {
        let old = Dictionary(grouping: before, by: \.interface)
        let new = Dictionary(grouping: after, by: \.interface)
        return old.contains { interface, addresses in new[interface].map { $0 != addresses } ?? false }
    }
}

/// Reports when interfaces or addresses of this machine change; it costs nothing while they do not.
/// Use it on the queue with which it was made. A kernel message only means "look again": the list decides.
final class NetworkMonitor: @unchecked Sendable {
    private let queue: DispatchQueue
    private let changed: @Sendable ([NetworkAddress]) -> Void
    private var source: (any DispatchSourceRead)?
    private var isLookingSoon = false
    private var last: [NetworkAddress] = []

    /// How long changes are collected: an interface that comes up causes several changes at once.
    static let settleTime = DispatchTimeInterval.milliseconds(500)

    init(queue: DispatchQueue, changed: @escaping @Sendable ([NetworkAddress]) -> Void) {
        self.queue = queue
        self.changed = changed
    }

    /// Begins to watch and returns the present addresses; the second value is false if changes cannot be watched.
    func start() -> (addresses: [NetworkAddress], isWatching: Bool) {
        dispatchPrecondition(condition: .onQueue(queue))
        let descriptor = Self.openKernelSocket()
        if descriptor >= 0 {
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [weak self] in self?.kernelSpoke(descriptor) }
            source.setCancelHandler { close(descriptor) }
            self.source = source
            source.resume()
        }
        last = Self.addresses()
        return (last, descriptor >= 0)
    }

    func stop() {
        dispatchPrecondition(condition: .onQueue(queue))
        source?.cancel()
        source = nil
    }

    private func kernelSpoke(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 8_192)
        while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
        guard !isLookingSoon else { return }
        isLookingSoon = true
        queue.asyncAfter(deadline: .now() + Self.settleTime) { [weak self] in self?.look() }
    }

    private func look() {
        dispatchPrecondition(condition: .onQueue(queue))
        isLookingSoon = false
        guard source != nil else { return }
        // Without descriptors left the list cannot be read; that does not mean that all addresses have gone.
        guard let addresses = Self.read(), addresses != last else { return }
        last = addresses
        changed(addresses)
    }

    private static func openKernelSocket() -> Int32 {
        #if os(Linux)
        parlance_open_network_monitor()
        #else
        socket(PF_ROUTE, SOCK_RAW, 0)
        #endif
    }
}

extension NetworkMonitor {
    /// The addresses of all interfaces that are up, in a fixed order.
    static func addresses() -> [NetworkAddress] { read() ?? [] }

    /// The same; `nil` if the system cannot tell.
    private static func read() -> [NetworkAddress]? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var found: Set<NetworkAddress> = []
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            if let address = address(entry.pointee) { found.insert(address) }
        }
        return found.sorted {
            ($0.interface, $0.bytes.count) == ($1.interface, $1.bytes.count)
                ? $0.bytes.lexicographicallyPrecedes($1.bytes)
                : ($0.interface, $0.bytes.count) < ($1.interface, $1.bytes.count)
        }
    }

    /// The interfaces that are up, reach every computer of a network at once, and have multicast switched off, by name. A
    /// tunnel never has it, and is not among them.
    static func interfacesWithoutMulticast() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: Set<String> = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            let flags = Int32(bitPattern: entry.ifa_flags)
            let needed = Int32(IFF_UP) | Int32(IFF_RUNNING) | Int32(IFF_BROADCAST)
            guard flags & (needed | Int32(IFF_MULTICAST)) == needed, let name = entry.ifa_name else { continue }
            found.insert(String(cString: name))
        }
        return found.sorted()
    }

    /// The interfaces that have an address and no link, by name. Loopback and what joins only containers or virtual
    /// machines of this machine are not among them.
    static func interfacesWithoutLink() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: Set<String> = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            if let name = nameWithoutLink(entry) { found.insert(name) }
        }
        return found.filter { !InnerBridge.isNamed($0) }.sorted()
    }

    /// The name of an interface that has an address and no link: it lacks a carrier, or is switched off.
    static func nameWithoutLink(_ entry: ifaddrs) -> String? {
        let flags = Int32(bitPattern: entry.ifa_flags)
        let needed = Int32(IFF_UP) | Int32(IFF_RUNNING)
        // Tunnels, as those of a VPN, do not broadcast.
        guard flags & Int32(IFF_BROADCAST) != 0, flags & needed != needed, let name = entry.ifa_name,
            let address = entry.ifa_addr, [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family))
        else { return nil }
        return String(cString: name)
    }

    static func address(_ entry: ifaddrs) -> NetworkAddress? {
        let flags = Int32(bitPattern: entry.ifa_flags)
        guard flags & Int32(IFF_UP) != 0, let name = entry.ifa_name, let address = entry.ifa_addr else { return nil }
        let bytes: [UInt8]
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { raw($0.pointee.sin_addr) }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { raw($0.pointee.sin6_addr) }
        default: return nil
        }
        return NetworkAddress(
            interface: if_nametoindex(name),
            name: String(cString: name),
            isLoopback: flags & Int32(IFF_LOOPBACK) != 0,
            isRunning: flags & Int32(IFF_RUNNING) != 0,
            bytes: bytes
        )
    }

    private static func raw<Value>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
}
