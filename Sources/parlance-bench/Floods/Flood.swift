import Foundation
import Synchronization

/// An attacker's many connections to a peer port.
///
/// It has one thread and non-blocking sockets. It replaces refused and closed connections at a bounded rate, so that it
/// tries to keep the wanted number open all the time.
final class Flood: Flooding {
    enum Kind: String, CaseIterable, Sendable {
        /// Connects, sends the first bytes, then stays silent.
        case halfOpen = "half-open"
        /// Sends a valid beginning at one byte a second.
        case drip
        /// Completes handshakes, each as a new identity, and closes each connection afterwards.
        case handshakes
        /// Completes handshakes and keeps the links.
        case links
    }

    /// The numbers of connections and handshakes.
    struct Figures: Sendable {
        var started = 0
        var refused = 0
        var closed = 0
        var heldMost = 0
        /// Completed handshakes.
        var answered = 0
        /// Frames or messages that were handed to the system.
        var sent = 0
    }

    private struct Connection {
        var descriptor: Int32 = -1
        var sent = 0
        var newcomer: Newcomer?
        var isConnected = false
    }

    /// Turns of the thread a second.
    private static let turns = 100
    /// The preamble and the first message of a handshake in open mode; any 32 bytes are a key.
    private static let beginning: [UInt8] =
        Array("PLN".utf8) + [1, 0, 0, 0, 0, 0, 0, 32] + (0..<32).map { UInt8($0 + 1) }

    private let kind: Kind
    private let target: Target
    let connections: Int
    private let startsPerTurn: Int
    private let figures = Mutex(Figures())
    private let worker = Worker()

    init(_ kind: Kind, _ target: Target, connections: Int, startsPerSecond: Int) {
        self.kind = kind
        self.target = target
        self.connections = connections
        startsPerTurn = max(1, startsPerSecond / Self.turns)
    }

    var isAnswered: Bool { kind == .handshakes || kind == .links }

    func start() { worker.begin { self.run() } }

    /// Ends the flood and closes its connections.
    func stop() throws -> Figures {
        try worker.end()
        return figures.withLock { $0 }
    }

    private func run() {
        var connections = [Connection](repeating: Connection(), count: self.connections)
        var free = Array(connections.indices.reversed())
        var turn = 0
        while worker.goesOn {
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
                for place in stride(from: turn % Self.turns, to: connections.count, by: Self.turns) {
                    drip(&connections[place])
                }
            }
            let held = connections.count { $0.isConnected }
            figures.withLock { $0.heldMost = max($0.heldMost, held) }
            turn += 1
        }
        for connection in connections where connection.descriptor >= 0 { close(connection.descriptor) }
    }

    /// Waits one turn for events on the connections and handles them.
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

    /// - Returns: whether the connection stays open.
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
