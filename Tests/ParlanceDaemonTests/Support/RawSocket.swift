import Foundation
import ParlanceWaiting
import Synchronization

/// A blocking socket with time limits, for input that no proper client sends.
final class RawSocket {
    private let descriptor: Int32

    struct Failure: Error, CustomStringConvertible {
        let what: String
        let code: Int32
        var description: String { "\(what): \(String(cString: strerror(code)))" }
    }

    private init(_ family: Int32) throws {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        descriptor = socket(family, stream, 0)
        guard descriptor >= 0 else { throw Failure(what: "socket", code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    static func tcp() throws -> RawSocket { try RawSocket(AF_INET) }

    /// Connects to a port on loopback.
    static func connected(toPort port: UInt16) throws -> RawSocket {
        let socket = try tcp()
        var address = loopback(port)
        try socket.connect(&address)
        return socket
    }

    /// Connects to a Unix socket.
    static func connected(toPath path: String) throws -> RawSocket {
        let socket = try RawSocket(AF_UNIX)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        try socket.connect(&address)
        return socket
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func connect<Address>(_ address: inout Address) throws {
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard result == 0 else { throw Failure(what: "connect", code: errno) }
    }

    func bindToFreePort() throws -> UInt16 {
        for _ in 0..<Self.portRange.count {
            let port = Self.nextPort()
            var address = Self.loopback(port)
            let isBound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isBound { return port }
            guard errno == EADDRINUSE || errno == EACCES else { throw Failure(what: "bind", code: errno) }
        }
        throw Failure(what: "bind", code: EADDRINUSE)
    }

    /// Ports that the system gives to nobody by itself (it chooses from 32,768 on), so that no outgoing connection takes one
    /// between its choice and its use.
    private static let portRange: Range<UInt16> = 10_000..<32_000

    /// Each in turn, from a random one on: tests that run side by side get different ones.
    private static func nextPort() -> UInt16 {
        let turn = turns.wrappingAdd(1, ordering: .relaxed).oldValue
        return portRange.lowerBound + UInt16(turn % UInt64(portRange.count))
    }

    private static let turns = Atomic<UInt64>(.random(in: 0..<22_000))

    /// Listens on the port that was bound, so that nobody else can.
    func listen() throws {
        guard Foundation.listen(descriptor, 1) == 0 else { throw Failure(what: "listen", code: errno) }
    }

    /// Closing it resets the connection.
    func resetWhenClosed() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    /// Sends everything, or as much as the other side accepts before it closes; returns whether everything was sent.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
            #else
            let flags: Int32 = 0
            #endif
            let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads until the other side closes or `enough` holds.
    func receive(
        _ what: String,
        within limit: Duration = .seconds(5),
        until enough: ([UInt8]) -> Bool = { _ in false }
    ) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await eventually(what, within: limit) {
            while !enough(bytes) {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&waiting, 1, 0) > 0 else { return false }
                var piece = [UInt8](repeating: 0, count: 65_536)
                let count = recv(descriptor, &piece, piece.count, 0)
                if count <= 0 { return true }
                bytes += piece[..<count]
            }
            return true
        }
        return bytes
    }

    /// Sends one line and waits for one line.
    func ask(_ line: [UInt8]) async throws -> String {
        send(line)
        let answer = try await receive("the daemon answers a line") { $0.contains(UInt8(ascii: "\n")) }
        return String(decoding: answer, as: UTF8.self)
    }
}
