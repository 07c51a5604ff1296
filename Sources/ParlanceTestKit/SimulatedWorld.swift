package import ParlanceCore
package import ParlanceSodium
package import ParlanceWire

/// A few nodes, a network and disks in one process, in virtual time, from one seed.
///
/// The engines, the frames and the rules of the disk are the real ones; only the wire, the moments and the faults are
/// made here. The same seed gives the same run.
package final class SimulatedWorld {
    package final class Node {
        package let name: String
        package let signer: SigningKey
        package let identity: PeerID
        package let replica: ReplicaID
        package fileprivate(set) var disk: SimulatedDisk
        package fileprivate(set) var engine: Engine?
        package fileprivate(set) var answers: [CommandID: Result<Answer, CommandError>] = [:]
        package fileprivate(set) var notices: [Notice] = []
        fileprivate var life = 0

        fileprivate init(name: String, signer: SigningKey, identity: PeerID, replica: ReplicaID) {
            self.name = name
            self.signer = signer
            self.identity = identity
            self.replica = replica
            disk = SimulatedDisk(name: name)
        }

        package var endpoint: Endpoint { Endpoint(host: name, port: 4747) }
    }

    private enum Event {
        case input(Int, life: Int, Input)
        case write(Int, life: Int, PersistBatch)
        case connect(Int, life: Int, DialID, Endpoint, expecting: PeerID?)
        case frame(Pipe, to: Int, WireFrame)
        case end(Pipe, LinkEnd)
        case wake(Int, life: Int)
    }

    private final class Pipe {
        let ends: [(node: Int, link: LinkID)]
        var isUp = true
        /// When the last frame towards each end arrives: frames stay in order.
        var busyUntil: [Int64] = [0, 0]
        init(_ a: (Int, LinkID), _ b: (Int, LinkID)) { ends = [a, b] }
    }

    package let seed: UInt64
    package private(set) var nodes: [Node] = []
    package private(set) var now: Int64 = 1_000
    package private(set) var framesDelivered = 0
    /// Cut the link that carries the frame of this number, instead of delivering it.
    package var cutAtFrame: Int?
    /// Cut links at random: once in so many frames.
    package var cutOnceIn: Int64?
    /// How far each node's wall clock is off, in milliseconds.
    package var skew: [Int64] = []
    /// Links that are refused at present, as pairs of node numbers.
    package var partitioned = false
    private var cutOff: Set<[Int]> = []

    private var random: SeededGenerator
    private var queue: [(time: Int64, order: UInt64, event: Event)] = []
    private var order: UInt64 = 0
    private var numbers: UInt64 = 0
    private var pipes: [LinkID: Pipe] = [:]

    package init(names: [String], seed: UInt64) throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        for (index, name) in names.enumerated() {
            let key = try SigningKey(seed: SecretBytes(copying: [UInt8](repeating: UInt8(index + 1), count: 32)))
            guard let identity = PeerID(key.publicKey),
                let replica = ReplicaID([UInt8](repeating: UInt8(0x40 + index), count: 16))
            else { preconditionFailure("keys have 32 bytes and replicas 16") }
            nodes.append(Node(name: name, signer: key, identity: identity, replica: replica))
            skew.append(0)
        }
    }

    private func instant(of node: Int) -> Instant {
        Instant(monotonic: now, wall: 1_700_000_000_000 + now + skew[node])
    }

    // Steering.

    /// Starts a node; it knows the addresses of the others.
    package func start(_ index: Int) {
        let node = nodes[index]
        node.life += 1
        _ = node.disk.beginEpoch()
        let others = nodes.indices.filter { $0 != index }.map { nodes[$0].endpoint }
        node.engine = Engine(
            snapshot: node.disk.snapshot,
            signer: node.signer,
            identity: node.identity,
            replica: node.replica,
            listeningPort: 4747,
            fixed: others,
            seed: random.next(),
            at: instant(of: index)
        )
        schedule(.wake(index, life: node.life), after: 0)
    }

    /// The process dies: what was not on the disk is gone, links end without goodbye.
    package func crash(_ index: Int) {
        nodes[index].engine = nil
        nodes[index].life += 1
        for pipe in pipes.values where pipe.isUp && pipe.ends.contains(where: { $0.node == index }) {
            cut(pipe)
        }
    }

    /// Cuts two sides from each other; two empty sides heal the cut.
    package func partition(_ a: [Int], _ b: [Int]) {
        cutOff = Set(a.flatMap { left in b.flatMap { right in [[left, right], [right, left]] } })
        for link in pipes.keys.sorted() {
            guard let pipe = pipes[link], pipe.isUp, cutOff.contains(pipe.ends.map(\.node)) else { continue }
            cut(pipe)
        }
    }

    /// Cuts every link that is up.
    package func cutAll() {
        for link in pipes.keys.sorted() { if let pipe = pipes[link], pipe.isUp { cut(pipe) } }
    }

    @discardableResult
    package func give(_ command: Command, to index: Int) -> CommandID {
        numbers += 1
        let id = CommandID(numbers)
        schedule(.input(index, life: nodes[index].life, .commandGiven(id, command)), after: 0)
        return id
    }

    /// Runs until so much virtual time has passed.
    package func run(for milliseconds: Int64) {
        let end = now + milliseconds
        while let next = queue.first, next.time <= end {
            queue.removeFirst()
            now = max(now, next.time)
            play(next.event)
        }
        now = end
    }

    /// Runs until the condition holds, at most so long; says whether it does.
    package func run(until condition: () -> Bool, within milliseconds: Int64) -> Bool {
        let end = now + milliseconds
        while !condition() {
            guard let next = queue.first, next.time <= end else { return condition() }
            queue.removeFirst()
            now = max(now, next.time)
            play(next.event)
        }
        return true
    }

    // The machine.

    private func schedule(_ event: Event, after delay: Int64) {
        order += 1
        let time = now + delay
        let place = queue.firstIndex { $0.time > time } ?? queue.endIndex
        queue.insert((time, order, event), at: place)
    }

    private func play(_ event: Event) {
        switch event {
        case .input(let index, let life, let input): feed(input, to: index, life)
        case .write(let index, let life, let batch):
            guard nodes[index].life == life else { return }
            feed(.persisted(batch.id, nodes[index].disk.persist(batch)), to: index, life)
        case .connect(let index, let life, let dial, let endpoint, let expecting):
            connect(index, life, dial, endpoint, expecting)
        case .frame(let pipe, let end, let frame): deliver(frame, over: pipe, to: end)
        case .end(let pipe, let how): end(pipe, how)
        case .wake(let index, let life):
            if let due = nodes[index].engine?.nextDeadline, due <= now {
                feed(.deadlinePassed, to: index, life)
            } else {
                settle(index)
            }
        }
    }

    private func feed(_ input: Input, to index: Int, _ life: Int) {
        guard nodes[index].life == life, nodes[index].engine != nil else { return }
        let effects = nodes[index].engine?.handle(input, at: instant(of: index)) ?? []
        carryOut(effects, of: index)
        settle(index)
    }

    private func settle(_ index: Int) {
        let effects = nodes[index].engine?.flush(at: instant(of: index)) ?? []
        carryOut(effects, of: index)
        if let due = nodes[index].engine?.nextDeadline {
            schedule(.wake(index, life: nodes[index].life), after: max(0, due - now))
        }
    }

    private func carryOut(_ effects: [Effect], of index: Int) {
        let node = nodes[index]
        for effect in effects {
            switch effect {
            case .persist(let batch): schedule(.write(index, life: node.life, batch), after: 1 + random.below(8))
            case .read(let read, let request):
                let events = node.disk.read(request)
                schedule(.input(index, life: node.life, .eventsRead(read, events)), after: random.below(4))
            case .send(let link, let frame): send(frame, on: link, from: index)
            case .dial(let dial, let endpoint, let expecting):
                schedule(
                    .connect(index, life: node.life, dial, endpoint, expecting: expecting),
                    after: 1 + random.below(5)
                )
            case .close(let link):
                if let pipe = pipes[link] { schedule(.end(pipe, .closed), after: 2) }
            case .admit, .report: break
            case .answer(let command, let result): node.answers[command] = result
            case .notify(let notice): node.notices.append(notice)
            }
        }
    }

    // The network.

    private func connect(_ from: Int, _ life: Int, _ dial: DialID, _ endpoint: Endpoint, _ expecting: PeerID?) {
        guard nodes[from].life == life else { return }
        let target = nodes.firstIndex { $0.endpoint == endpoint } ?? from
        guard !partitioned, !cutOff.contains([from, target]),
            let to = nodes.firstIndex(where: { $0.endpoint == endpoint }), nodes[to].engine != nil,
            expecting == nil || expecting == nodes[to].identity
        else { return feed(.dialFailed(dial, reason: "no answer"), to: from, life) }
        numbers += 2
        let (a, b) = (LinkID(numbers - 1), LinkID(numbers))
        let pipe = Pipe((from, a), (to, b))
        pipes[a] = pipe
        pipes[b] = pipe
        let opened = LinkOpened(
            link: a,
            peer: nodes[to].identity,
            replica: nodes[to].replica,
            epoch: nodes[to].disk.epoch,
            dial: dial,
            remote: nodes[to].endpoint
        )
        let accepted = LinkOpened(
            link: b,
            peer: nodes[from].identity,
            replica: nodes[from].replica,
            epoch: nodes[from].disk.epoch,
            dial: nil,
            remote: nodes[from].endpoint
        )
        feed(.linkOpened(opened), to: from, life)
        feed(.linkOpened(accepted), to: to, nodes[to].life)
    }

    private func send(_ frame: WireFrame, on link: LinkID, from index: Int) {
        guard let pipe = pipes[link], pipe.isUp, let end = pipe.ends.firstIndex(where: { $0.link != link }) else {
            return
        }
        let arrival = max(pipe.busyUntil[end], now + 1 + random.below(10))
        pipe.busyUntil[end] = arrival
        schedule(.frame(pipe, to: end, frame), after: arrival - now)
    }

    private func deliver(_ frame: WireFrame, over pipe: Pipe, to end: Int) {
        guard pipe.isUp else { return }
        framesDelivered += 1
        if framesDelivered == cutAtFrame { return cut(pipe) }
        if let cutOnceIn, random.below(cutOnceIn) == 0 { return cut(pipe) }
        let (node, link) = pipe.ends[end]
        // Through bytes and back, as on a real wire.
        guard let bytes = WireFrame(decoding: frame.encodedBytes()) else { return cut(pipe) }
        feed(.frameReceived(link, bytes, bytes: 0), to: node, nodes[node].life)
    }

    private func cut(_ pipe: Pipe) { end(pipe, .cutOff) }

    private func end(_ pipe: Pipe, _ how: LinkEnd) {
        guard pipe.isUp else { return }
        pipe.isUp = false
        for (node, link) in pipe.ends {
            pipes[link] = nil
            schedule(.input(node, life: nodes[node].life, .linkClosed(link, how)), after: 0)
        }
    }
}
