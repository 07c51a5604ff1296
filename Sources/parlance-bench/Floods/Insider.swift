import Foundation
import ParlanceCore
import ParlanceNetwork
import ParlanceSodium
import ParlanceWire
import Synchronization

/// An identity that the daemon has accepted, and that sends frames as fast as the daemon takes them. If its link is ended,
/// it comes again four times a second.
final class Insider: Flooding {
    enum Kind: String, CaseIterable, Sendable {
        /// A summary that names one conversation as often as a frame may.
        case summaries
        /// Clocks that name as many made-up replicas of its own as a frame may, each time others.
        case clocks
        /// Requests for the bodies of one event, as often as a frame may name it.
        case wants
    }

    /// Entries of one frame: about as many as a frame has room for.
    private static let entries = 2_000
    private static let pause: Int32 = 250

    let identity: LocalIdentity
    private let kind: Kind
    private let target: Target
    private let bob: PeerID
    private let figures = Mutex(Flood.Figures())
    private let floods = Atomic(false)
    private let isStopping = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter bob: the daemon.
    init(_ kind: Kind, _ target: Target, bob: PeerID) throws {
        (self.kind, self.target, self.bob) = (kind, target, bob)
        guard let replica = ReplicaID(RandomBytes.bytes(ReplicaID.count)) else { throw BenchError("no replica") }
        identity = LocalIdentity(signingKey: .generate(), replica: replica, epoch: 1)
    }

    /// Opens the link, on which it is silent until `start`.
    func connect() {
        Thread.detachNewThread { [self] in
            while !isStopping.load(ordering: .relaxed) {
                try? visit()
                figures.withLock { $0.closed += 1 }
                poll(nil, 0, Self.pause)
            }
            ended.signal()
        }
    }

    func start() { floods.store(true, ordering: .relaxed) }

    func stop() -> Flood.Figures {
        isStopping.store(true, ordering: .relaxed)
        ended.wait()
        return figures.withLock { $0 }
    }

    /// One link, until it ends.
    private func visit() throws {
        let descriptor = target.connect(isBlocking: true)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        figures.withLock { $0.started += 1 }
        var codec = try LinkCodec(.initiator(nil), identity: identity, ephemeral: .generate(placement: .heap))
        var output = codec.takeOutput()[...]
        var (isLinked, round) = (false, UInt64(0))
        while !isStopping.load(ordering: .relaxed) {
            if output.isEmpty, isLinked, floods.load(ordering: .relaxed) {
                round += 1
                try codec.seal(FrameSplitter.frame(frame(round)))
                output = codec.takeOutput()[...]
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
            // What the daemon says afterwards does not matter.
            guard !isLinked else { continue }
            codec.receive(bytes[..<count])
            while let event = try codec.next() {
                guard case .opened = event else { continue }
                isLinked = true
                try codec.seal(FrameSplitter.frame(hello))
                figures.withLock { ($0.answered, $0.heldMost) = ($0.answered + 1, 1) }
            }
            output += codec.takeOutput()
        }
    }

    private var hello: [UInt8] {
        var hello = WireHello()
        hello.purpose = .main
        hello.name = "Mallory \(kind.rawValue)"
        hello.frameLimit = UInt32(Limits.frameBytes)
        return Self.encoded(.hello(hello))
    }

    private func frame(_ round: UInt64) -> [UInt8] {
        let conversation = Data(ConversationID(direct: identity.peer, bob).bytes)
        switch kind {
        case .summaries:
            var entry = WireSummary.Entry()
            entry.conversation = conversation
            entry.clockHash = Data(repeating: UInt8(truncatingIfNeeded: round), count: 8)
            var summary = WireSummary()
            summary.entries = Array(repeating: entry, count: Self.entries)
            return Self.encoded(.summary(summary))
        case .clocks:
            var have = WireHave()
            have.conversation = conversation
            have.entries = (0..<Self.entries).map { number in
                var entry = WireClockEntry()
                entry.log.author = Data(identity.peer.bytes)
                let made = round &* UInt64(Self.entries) &+ UInt64(number)
                entry.log.replica = Data(made.bigEndianBytes + made.bigEndianBytes)
                entry.sequence = 1
                entry.head = Data(repeating: 1, count: 32)
                return entry
            }
            return Self.encoded(.have(have))
        case .wants:
            var wanted = WireBodiesWanted()
            wanted.conversation = conversation
            wanted.log.author = Data(bob.bytes)
            wanted.log.replica = Data(repeating: 1, count: ReplicaID.count)
            wanted.sequences = Array(repeating: 1, count: Self.entries)
            return Self.encoded(.bodiesWanted(wanted))
        }
    }

    private static func encoded(_ kind: WireFrame.OneOf_Kind) -> [UInt8] {
        var frame = WireFrame()
        frame.kind = kind
        return frame.encodedBytes()
    }
}
