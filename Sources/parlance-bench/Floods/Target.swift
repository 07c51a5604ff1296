import Foundation

/// The attacked port, and the source addresses.
struct Target: Sendable {
    /// `IP_BIND_ADDRESS_NO_PORT` of Linux: the system chooses the port when it knows the other end, so ports do
    /// not run out.
    private static let bindAddressWithoutPort: Int32 = 24

    let address: UInt32
    let port: UInt16
    /// The first source address and their number; `nil` lets the system choose.
    var sources: (first: UInt32, count: Int)?

    init(_ text: String, sources: String?) throws {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let address = Self.number(parts[0]), let port = UInt16(parts[1]) else {
            throw BenchError("\(text) is not an IPv4 address with a port")
        }
        self.address = address
        self.port = port
        guard let sources else { return }
        let range = sources.split(separator: "+")
        guard range.count == 2, let first = Self.number(range[0]), let count = Int(range[1]), count > 0 else {
            throw BenchError("\(sources) is not a range such as 10.78.0.1+1000")
        }
        self.sources = (first, count)
    }

    /// The same port; the system chooses the source address.
    var fromAnywhere: Target {
        var target = self
        target.sources = nil
        return target
    }

    private static func number(_ text: Substring) -> UInt32? {
        var address = in_addr()
        return inet_pton(AF_INET, String(text), &address) == 1 ? UInt32(bigEndian: address.s_addr) : nil
    }

    private static func socketAddress(_ address: UInt32, _ port: UInt16) -> sockaddr_in {
        var result = sockaddr_in()
        result.sin_family = sa_family_t(AF_INET)
        result.sin_port = port.bigEndian
        result.sin_addr.s_addr = address.bigEndian
        return result
    }

    /// Begins to connect without waiting; returns -1 if the system gives no more sockets, or has no such address. The
    /// socket of a connection that was refused at once reports it as any other does.
    func connect(from place: Int = 0, isBlocking: Bool = false) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return -1 }
        if !isBlocking { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        if let sources {
            var on: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_IP), Self.bindAddressWithoutPort, &on, socklen_t(4))
            var from = Self.socketAddress(sources.first + UInt32(place % sources.count), 0)
            guard Self.with(&from, { bind(descriptor, $0, $1) }) == 0 else {
                close(descriptor)
                return -1
            }
        }
        var to = Self.socketAddress(address, port)
        let result = Self.with(&to) { Foundation.connect(descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS || errno == ECONNREFUSED else {
            close(descriptor)
            return -1
        }
        return descriptor
    }

    private static func with(
        _ address: inout sockaddr_in,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
