import Foundation
import Synchronization

/// An attacker between two nodes: a proxy on loopback that gets each unit of a link (the preamble, a handshake message,
/// a record) and decides what is forwarded instead. It uses threads and blocking sockets, so that it is easy to trust.
final class Wire: Sendable {
    enum Direction: Sendable, CaseIterable {
        case toResponder, toInitiator
    }

    typealias Tamper = @Sendable (Direction, Int, [UInt8]) -> [UInt8]

    let port: UInt16
    private let target: UInt16
    private let tamper: Tamper
    private let listener: Int32
    private let seen = Mutex<[Direction: [UInt8]]>([:])

    struct Failure: Error { let what: String }

    init(to target: UInt16, tamper: @escaping Tamper = { $2 }) throws {
        self.target = target
        self.tamper = tamper
        (listener, port) = try Self.listen()
        Thread.detachNewThread { [self] in serve() }
    }

    private static func listen() throws -> (Int32, UInt16) {
        let descriptor = makeSocket()
        var address = loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && Foundation.listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw Failure(what: "bind: \(String(cString: strerror(errno)))") }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Everything that was sent so far, before any change.
    func captured(_ direction: Direction) -> [UInt8] { seen.withLock { $0[direction] ?? [] } }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func makeSocket() -> Int32 { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// Connects to a port of loopback; the caller closes.
    static func connect(to port: UInt16) throws -> Int32 {
        let descriptor = makeSocket()
        var address = loopback(port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw Failure(what: "connect: \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    private func serve() {
        while true {
            let inner = accept(listener, nil, nil)
            guard inner >= 0 else { break }
            guard let outer = try? Self.connect(to: target) else {
                close(inner)
                continue
            }
            let open = Open(inner: inner, outer: outer)
            Thread.detachNewThread { [self] in pass(inner, outer, .toResponder, open) }
            Thread.detachNewThread { [self] in pass(outer, inner, .toInitiator, open) }
        }
        close(listener)
    }

    /// Both sockets of a connection; closed when both threads are done with them.
    private final class Open: Sendable {
        private let inner: Int32
        private let outer: Int32

        init(inner: Int32, outer: Int32) {
            self.inner = inner
            self.outer = outer
        }

        deinit {
            close(inner)
            close(outer)
        }
    }

    private func pass(_ from: Int32, _ to: Int32, _ direction: Direction, _ open: Open) {
        var unit = 0
        while let bytes = nextUnit(from, isPreamble: direction == .toResponder && unit == 0) {
            seen.withLock { $0[direction, default: []] += bytes }
            guard Self.sendAll(tamper(direction, unit, bytes), on: to) else { break }
            unit += 1
        }
        // When one direction ends, nothing more arrives from it; the other direction goes on.
        shutdown(to, Int32(SHUT_WR))
        withExtendedLifetime(open) {}
    }

    private func nextUnit(_ from: Int32, isPreamble: Bool) -> [UInt8]? {
        if isPreamble { return Self.receive(9, from) }
        guard let length = Self.receive(2, from) else { return nil }
        return Self.receive(Int(length[0]) << 8 | Int(length[1]), from).map { length + $0 }
    }

    static func receive(_ count: Int, _ from: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let received = bytes.withUnsafeMutableBytes {
                recv(from, $0.baseAddress?.advanced(by: done), count - done, 0)
            }
            guard received > 0 else { return nil }
            done += received
        }
        return bytes
    }

    static func sendAll(_ bytes: [UInt8], on to: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let sent = bytes.withUnsafeBytes {
                send(to, $0.baseAddress?.advanced(by: done), bytes.count - done, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            done += sent
        }
        return true
    }
}
