import Foundation
import ParlanceCore
import ParlanceNetwork
import ParlanceRecords
import ParlanceWire
import Synchronization

/// An identity that the daemon has accepted, with as many copies as it has links to, which send frames as fast as the
/// daemon takes them. If a link is ended, its copy comes again four times a second.
final class Insider: Flooding {
    enum Kind: String, CaseIterable, Sendable {
        /// A summary that names one conversation as often as a frame may.
        case summaries
        /// Clocks that name as many made-up replicas of its own as a frame may, each time others.
        case clocks
        /// Requests for as many bodies as a frame may name, of what the daemon's user has written to it.
        case wants
    }

    /// Entries of one frame: about as many as a frame has room for.
    private static let entries = 2_000
    private static let pause: Int32 = 250

    let connections = Limits.linksPerPeer
    let isAnswered = true
    let peer: PeerID
    private let copies: [LocalIdentity]
    private let kind: Kind
    private let target: Target
    private let bob: LogID
    private let figures = Mutex(Flood.Figures())
    private let floods = Atomic(false)
    private let held = Atomic(0)
    private let workers: [Worker]

    /// - Parameter bob: the log of the daemon's user.
    init(_ kind: Kind, _ target: Target, bob: LogID) throws {
        (self.kind, self.target, self.bob) = (kind, target, bob)
        copies = try Newcomer.copies(connections)
        workers = copies.map { _ in Worker() }
        peer = copies[0].peer
    }

    /// Opens the links, on which it is silent until `start`.
    func connect() {
        for (worker, copy) in zip(workers, copies) {
            worker.begin { [self] in
                while worker.goesOn {
                    // Whatever ended the link: it comes again.
                    try? visit(as: copy, worker)
                    figures.withLock { $0.closed += worker.goesOn ? 1 : 0 }
                    poll(nil, 0, Self.pause)
                }
            }
        }
    }

    func start() { floods.store(true, ordering: .relaxed) }

    func stop() throws -> Flood.Figures {
        for worker in workers { try worker.end() }
        return figures.withLock { $0 }
    }

    /// One link, until it ends.
    private func visit(as copy: LocalIdentity, _ worker: Worker) throws {
        let descriptor = target.connect(isBlocking: true)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        figures.withLock { $0.started += 1 }
        let end = try Newcomer(copy)
        defer { if end.isLinked { held.subtract(1, ordering: .relaxed) } }
        var output = end.beginning[...]
        var round = UInt64(0)
        while worker.goesOn {
            if output.isEmpty, end.isLinked, floods.load(ordering: .relaxed) {
                round += 1
                output = try end.seal(frame(round))[...]
                figures.withLock { $0.sent += 1 }
            }
            let events = output.isEmpty ? POLLIN : POLLIN | POLLOUT
            var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            guard poll(&waiting, 1, 10) >= 0 else { return }
            if waiting.revents & Int16(POLLOUT) != 0 {
                let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
                let count = output.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
                guard count > 0 else { return }
                output = output.dropFirst(count)
            }
            guard waiting.revents & Int16(POLLIN | POLLERR | POLLHUP) != 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { return }
            let wasLinked = end.isLinked
            output += try end.receive(bytes[..<count])
            guard end.isLinked, !wasLinked else { continue }
            output += try end.seal(.hello(hello))
            let links = held.add(1, ordering: .relaxed).newValue
            figures.withLock { ($0.answered, $0.heldMost) = ($0.answered + 1, max($0.heldMost, links)) }
        }
    }

    private var hello: WireHello {
        var hello = WireHello()
        hello.purpose = .main
        hello.name = "Mallory \(kind.rawValue)"
        hello.frameLimit = UInt32(Limits.frameBytes)
        return hello
    }

    private func frame(_ round: UInt64) -> WireFrame.OneOf_Kind {
        let conversation = Data(ConversationID(direct: peer, bob.author).bytes)
        switch kind {
        case .summaries:
            var entry = WireSummary.Entry()
            entry.conversation = conversation
            entry.clockHash = Data(repeating: UInt8(truncatingIfNeeded: round), count: 8)
            var summary = WireSummary()
            summary.entries = Array(repeating: entry, count: Self.entries)
            return .summary(summary)
        case .clocks:
            var have = WireHave()
            have.conversation = conversation
            have.entries = (0..<Self.entries).map { number in
                var entry = WireClockEntry()
                entry.log.author = Data(peer.bytes)
                let made = round &* UInt64(Self.entries) &+ UInt64(number)
                entry.log.replica = Data(made.bigEndianBytes + made.bigEndianBytes)
                entry.sequence = 1
                entry.head = Data(repeating: 1, count: 32)
                return entry
            }
            return .have(have)
        case .wants:
            var wanted = WireBodiesWanted()
            wanted.conversation = conversation
            wanted.log = bob.wire
            wanted.sequences = (1...UInt64(Limits.bodiesPerRequest)).map { $0 }
            return .bodiesWanted(wanted)
        }
    }
}
