import Foundation
import Synchronization

/// Many connections to a peer port that never become links, as an attacker makes them.
///
/// One thread with non-blocking sockets: what is refused or closed is tried again, at a bounded rate, so that the number
/// of connections wanted is wanted all the time.
final class Flood: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        /// Connected, the first bytes sent, then silence.
        case halfOpen = "half-open"
        /// One byte a second of an honest beginning.
        case drip
        /// Whole handshakes as somebody new each time; closed when done, and anew.
        case handshakes
        /// Whole handshakes, and what is let in stays.
        case links
    }

    /// What came of it.
    struct Figures: Sendable {
        var started = 0
        var refused = 0
        var closed = 0
        var heldMost = 0
        /// Handshakes that were made to their end.
        var answered = 0
    }

    private struct Connection {
        var descriptor: Int32 = -1
        var sent = 0
        var newcomer: Newcomer?
        var isConnected = false
    }

    /// Turns of the thread in a second.
    private static let turns = 100
    /// Preamble, and the first message of a handshake in open mode: 32 bytes are a key, whichever they are.
    private static let beginning: [UInt8] =
        Array("PLN".utf8) + [1, 0, 0, 0, 0, 0, 0, 32] + (0..<32).map { UInt8($0 + 1) }

    private let kind: Kind
    private let target: Target
    private let count: Int
    private let startsPerTurn: Int
    private let figures = Mutex(Figures())
    private let isStopping = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    init(_ kind: Kind, _ target: Target, connections: Int, startsPerSecond: Int) {
        self.kind = kind
        self.target = target
        count = connections
        startsPerTurn = max(1, startsPerSecond / Self.turns)
    }

    func start() {
        Thread.detachNewThread { [self] in
            run()
            ended.signal()
        }
    }

    /// Ends it and closes everything.
    func stop() -> Figures {
        isStopping.store(true, ordering: .relaxed)
        ended.wait()
        return figures.withLock { $0 }
    }

    private func run() {
        var connections = [Connection](repeating: Connection(), count: count)
        var free = Array((0..<count).reversed())
        var turn = 0
        while !isStopping.load(ordering: .relaxed) {
            for _ in 0..<min(startsPerTurn, free.count) {
                guard let place = free.popLast() else { break }
                let descriptor = target.connect(from: place)
                guard descriptor >= 0 else {
                    free.append(place)
                    break
                }
                connections[place].descriptor = descriptor
                figures.withLock { $0.started += 1 }
            }
            look(&connections, &free)
            if kind == .drip {
                for place in stride(from: turn % Self.turns, to: count, by: Self.turns) { drip(&connections[place]) }
            }
            let held = connections.count { $0.isConnected }
            figures.withLock { $0.heldMost = max($0.heldMost, held) }
            turn += 1
        }
        for connection in connections where connection.descriptor >= 0 { close(connection.descriptor) }
    }

    /// Waits a turn for what happens, and sees to it.
    private func look(_ connections: inout [Connection], _ free: inout [Int]) {
        let places = connections.indices.filter { connections[$0].descriptor >= 0 }
        var waiting = places.map { place in
            let events = connections[place].isConnected ? POLLIN : POLLIN | POLLOUT
            return pollfd(fd: connections[place].descriptor, events: Int16(events), revents: 0)
        }
        _ = poll(&waiting, nfds_t(waiting.count), Int32(1_000 / Self.turns))
        for (index, place) in places.enumerated() where waiting[index].revents != 0 {
            if serve(&connections[place], waiting[index].revents) { continue }
            close(connections[place].descriptor)
            connections[place] = Connection()
            free.append(place)
        }
    }

    /// - Returns: whether the connection goes on.
    private func serve(_ connection: inout Connection, _ events: Int16) -> Bool {
        if !connection.isConnected {
            guard events & Int16(POLLOUT) != 0, events & Int16(POLLERR | POLLHUP) == 0 else {
                figures.withLock { $0.refused += 1 }
                return false
            }
            connection.isConnected = true
            switch kind {
            case .halfOpen: send(Self.beginning.prefix(4), on: &connection)
            case .handshakes, .links:
                guard let newcomer = try? Newcomer() else { return false }
                connection.newcomer = newcomer
                send(newcomer.beginning[...], on: &connection)
            case .drip: break
            }
        }
        guard events & Int16(POLLIN | POLLERR | POLLHUP) != 0 else { return true }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = recv(connection.descriptor, &bytes, bytes.count, 0)
        guard count > 0 else {
            if count < 0 && errno == EAGAIN { return true }
            figures.withLock { $0.closed += 1 }
            return false
        }
        guard let newcomer = connection.newcomer, !newcomer.isLinked else { return true }
        guard let next = try? newcomer.receive(bytes[..<count]) else { return false }
        send(next[...], on: &connection)
        guard newcomer.isLinked else { return true }
        figures.withLock { $0.answered += 1 }
        return kind == .links
    }

    private func drip(_ connection: inout Connection) {
        guard connection.isConnected, connection.sent < Self.beginning.count else { return }
        send(Self.beginning[connection.sent..<connection.sent + 1], on: &connection)
    }

    private func send(_ bytes: ArraySlice<UInt8>, on connection: inout Connection) {
        let descriptor = connection.descriptor
        let sent = bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        connection.sent += max(0, sent)
    }
}

/// A port, and the addresses to come from.
struct Target: Sendable {
    /// `IP_BIND_ADDRESS_NO_PORT` of Linux: the port is chosen when the other end is known, so ports do not run out.
    private static let bindAddressWithoutPort: Int32 = 24

    let address: UInt32
    let port: UInt16
    /// The first source address and how many follow it; the system chooses if there is none.
    var sources: (first: UInt32, count: Int)?

    init(_ text: String, sources: String?) throws {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let address = Self.number(parts[0]), let port = UInt16(parts[1]) else {
            throw BenchError("\(text) is no address of IPv4 with a port")
        }
        self.address = address
        self.port = port
        guard let sources else { return }
        let range = sources.split(separator: "+")
        guard range.count == 2, let first = Self.number(range[0]), let count = Int(range[1]), count > 0 else {
            throw BenchError("\(sources) is no range such as 10.78.0.1+1000")
        }
        self.sources = (first, count)
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

    /// Begins to connect and does not wait; -1 if the system gives no more sockets.
    func connect(from place: Int = 0, isBlocking: Bool = false) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return -1 }
        if !isBlocking { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        if let sources {
            var on: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_IP), Self.bindAddressWithoutPort, &on, socklen_t(4))
            var from = Self.socketAddress(sources.first + UInt32(place % sources.count), 0)
            Self.with(&from) { _ = bind(descriptor, $0, $1) }
        }
        var to = Self.socketAddress(address, port)
        Self.with(&to) { _ = Foundation.connect(descriptor, $0, $1) }
        return descriptor
    }

    private static func with(_ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
