package import ParlanceCore
import ParlanceSodium
import ParlanceWire

/// Nodes, a network and disks in one process, in virtual time, from one seed.
/// The engines, the frames (encoded and decoded) and the rules of the disk are the real ones; only the wire, the timing
/// and the faults are simulated. The same seed gives the same run. The simulators of FoundationDB and TigerBeetle are
/// the model.
package final class SimulatedWorld {
    /// Boxed, because the queue moves it often.
    indirect enum Event {
        case input(Int, life: Int, Input)
        case sync(Int, life: Int, PersistBatch)
        case read(Int, life: Int, ReadID, ReadRequest)
        case readEnvelope(Int, life: Int, ReadID, EnvelopeID)
        case readMention(Int, life: Int, ReadID, ConversationID, FileID)
        case connect(Int, life: Int, DialID, Endpoint, expecting: PeerID?)
        case open(Pipe, end: Int, dial: DialID?)
        case frame(Pipe, to: Int, [UInt8])
        case end(Pipe, end: Int, LinkEnd)
        case wake(Int, life: Int)
        case exit(Int, life: Int)
    }

    package let seed: UInt64
    package internal(set) var nodes: [SimulatedNode] = []
    package internal(set) var now: Int64 = 1_000
    package internal(set) var framesDelivered = 0
    /// Cut the link that carries the frame with this number, instead of delivering the frame.
    package var cutAtFrame: Int?
    /// Links are cut at random: at one in this many frames.
    package var cutOnceIn: Int64? {
        get { network.cutOnceIn }
        set { network.cutOnceIn = newValue }
    }
    /// The error of each node's wall clock, in milliseconds.
    package var skew: [Int64] = []
    package var network: SimulatedNetwork
    /// Whether nodes keep what their engines answered and told; a long run observes it instead.
    package var keepsNews = true
    package weak var observer: (any WorldObserver)?

    var random: SeededGenerator
    var queue = EventQueue<Event>()
    var pipes: [LinkID: Pipe] = [:]
    private var numbers: UInt64 = 0
    private var eventsAtOnce = 0

    package init(names: [String], seed: UInt64) throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        network = SimulatedNetwork(nodes: names.count)
        for (index, name) in names.enumerated() {
            let key = try SigningKey(
                seed: SecretBytes(copying: [UInt8](repeating: UInt8(truncatingIfNeeded: index + 1), count: 32))
            )
            guard let identity = PeerID(key.publicKey) else { preconditionFailure("a public key has 32 bytes") }
            nodes.append(
                SimulatedNode(index, name: name, signer: key, identity: identity, replica: Self.replica(1, of: index))
            )
            skew.append(0)
        }
    }

    /// The name of a node's store: each rolled-back store gets another name.
    static func replica(_ number: Int, of node: Int) -> ReplicaID {
        var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: 0x40 + node), count: ReplicaID.count)
        bytes[0] = UInt8(truncatingIfNeeded: number)
        bytes[1] = UInt8(truncatingIfNeeded: number >> 8)
        guard let replica = ReplicaID(bytes) else { preconditionFailure("a replica has 16 bytes") }
        return replica
    }

    func instant(of node: Int) -> Instant {
        Instant(monotonic: now, wall: 1_700_000_000_000 + now + skew[node])
    }

    /// A number that has not been used in this world.
    func nextNumber() -> UInt64 {
        numbers += 1
        return numbers
    }

    func schedule(_ event: Event, after delay: Int64) {
        queue.add(event, at: now + delay)
    }

    // Running.

    @discardableResult
    package func give(_ command: Command, to index: Int) -> CommandID {
        let id = CommandID(nextNumber())
        schedule(.input(index, life: nodes[index].life, .commandGiven(id, command)), after: 0)
        return id
    }

    /// Gives an engine an input that the world around it would give.
    package func tell(_ input: Input, to index: Int) {
        schedule(.input(index, life: nodes[index].life, input), after: 0)
    }

    /// Runs until the given virtual time has passed.
    package func run(for milliseconds: Int64) {
        _ = run(until: { false }, within: milliseconds)
    }

    /// Runs until the condition holds, or at most for the given time; returns whether it holds.
    @discardableResult
    package func run(until condition: () throws -> Bool, within milliseconds: Int64) rethrows -> Bool {
        let end = now + milliseconds
        while try condition() == false {
            guard let next = queue.nextTime, next <= end, let due = queue.popFirst() else {
                now = end
                return try condition()
            }
            noteProgress(to: due.time)
            play(due.element)
        }
        return true
    }

    /// Checks that time passes: the world must not be busy without end at one moment.
    private func noteProgress(to time: Int64) {
        eventsAtOnce = time > now ? 0 : eventsAtOnce + 1
        now = max(now, time)
        if eventsAtOnce == Self.mostEventsAtOnce { observer?.violated("\(eventsAtOnce) things happen at one moment") }
    }

    private static let mostEventsAtOnce = 200_000

    private func play(_ event: Event) {
        switch event {
        case .input(let index, let life, let input): feed(input, to: index, life)
        case .sync(let index, let life, let batch): sync(batch, on: index, life)
        case .read(let index, let life, let read, let request): answer(read, request, on: index, life)
        case .readEnvelope(let index, let life, let read, let id): answer(read, id, on: index, life)
        case .readMention(let index, let life, let read, let conversation, let file):
            answer(read, conversation, file, on: index, life)
        case .connect(let index, let life, let dial, let endpoint, let expecting):
            connect(index, life, dial, endpoint, expecting)
        case .open(let pipe, let end, let dial): open(pipe, end, dial)
        case .frame(let pipe, let end, let bytes): deliver(bytes, over: pipe, to: end)
        case .end(let pipe, let end, let how): finish(pipe, end, how)
        case .wake(let index, let life): wake(index, life)
        case .exit(let index, let life): exit(index, life)
        }
    }
}
