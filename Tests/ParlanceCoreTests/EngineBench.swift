import ParlanceCore
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// One engine driven by hand: a test tells it facts, looks at what it decides, and sets the time.
struct EngineBench {
    static let ownReplica = replica(0x41)

    let key: SigningKey
    let identity: PeerID
    private(set) var engine: Engine
    var disk: SimulatedDisk
    static let start = Instant(monotonic: 100_000, wall: 1_700_000_000_000)
    private(set) var now = start
    /// What the engine decided and no test has taken yet, except the effects for the disk.
    private(set) var effects: [Effect] = []
    /// Every batch that the engine gave to the disk.
    private(set) var batches: [PersistBatch] = []
    /// Whether the disk refuses batches, and whether it answers late.
    var diskFails = false
    var diskWaits = false
    /// Whether only writes are answered late.
    var writesWait = false
    /// Whether reads return nothing.
    var readsFail = false
    /// Every read that the engine requested.
    private(set) var reads: [ReadRequest] = []
    /// How many of the next reads fail.
    var failedReads = 0
    /// How many batches are written before the disk refuses.
    var goodBatches = 0
    private var held: [Effect] = []
    private var lastCommand: UInt64 = 0

    static func key(_ number: UInt8) throws -> SigningKey {
        try SigningKey(seed: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }

    static func peer(_ number: UInt8) throws -> PeerID { try #require(PeerID(key(number).publicKey)) }

    static func replica(_ number: UInt8) -> ReplicaID {
        guard let replica = ReplicaID([UInt8](repeating: number, count: 16)) else { fatalError("16 bytes") }
        return replica
    }

    /// - Parameters:
    ///   - peers: what the engine knows of others at its start.
    ///   - envelopes: what it keeps for others at its start.
    init(
        _ number: UInt8 = 1,
        name: String = "Ada",
        peers: [PeerRecord] = [],
        envelopes: [EnvelopeRecord] = [],
        fixed: [Endpoint] = []
    ) throws {
        key = try Self.key(number)
        identity = try #require(PeerID(key.publicKey))
        disk = SimulatedDisk(name: name, identity: identity)
        var snapshot = disk.snapshot
        snapshot.peers = peers
        snapshot.envelopes = envelopes
        engine = Engine(
            snapshot: snapshot,
            signer: key,
            identity: identity,
            replica: Self.ownReplica,
            listeningPort: 4747,
            fixed: fixed,
            entropy: SecretBytes(copying: [UInt8](repeating: 7, count: 32)),
            seed: 7,
            at: now
        )
    }

    /// Restarts the node with what is on the disk; under another replica if one is given.
    ///
    /// - Parameters:
    ///   - peers: what it knows of others, if it is not what is on the disk.
    ///   - offers: the files that the store finds in messages of others.
    mutating func restart(
        as fresh: ReplicaID? = nil,
        peers: [PeerRecord] = [],
        offers: [FileOffer] = [],
        autoFetchBytes: UInt64 = Limits.autoFetchBytes
    ) {
        (held, effects) = ([], [])
        if fresh != nil { disk.renew() }
        var snapshot = disk.snapshot
        if !peers.isEmpty { snapshot.peers = peers }
        snapshot.offers = offers
        engine = Engine(
            snapshot: snapshot,
            signer: key,
            identity: identity,
            replica: fresh ?? Self.ownReplica,
            listeningPort: 4747,
            fixed: [],
            autoFetchBytes: autoFetchBytes,
            entropy: SecretBytes(copying: [UInt8](repeating: 7, count: 32)),
            seed: 8,
            at: now
        )
        settle()
    }

    /// Stops the node, as its program does.
    mutating func stop() {
        sort(engine.stop(at: now))
        settle()
    }

    // Facts.

    mutating func feed(_ input: Input) {
        sort(engine.handle(input, at: now))
        settle()
    }

    @discardableResult
    mutating func give(_ command: Command) -> CommandID {
        lastCommand += 1
        feed(.commandGiven(CommandID(lastCommand), command))
        return CommandID(lastCommand)
    }

    mutating func ask(_ command: Command) throws -> Result<Answer, Refusal> {
        let id = give(command)
        return try #require(takeAnswers()[id])
    }

    mutating func opened(
        _ link: UInt64,
        with remote: RemotePeer,
        dial: DialID? = nil,
        local: NumericAddress? = nil,
        workspaceTag: UInt32? = nil
    ) {
        feed(
            .linkOpened(
                LinkOpened(
                    link: LinkID(link),
                    peer: remote.identity,
                    replica: remote.replica,
                    epoch: remote.epoch,
                    dial: dial,
                    remote: Endpoint(host: remote.host, port: 4747),
                    local: local,
                    workspaceTag: workspaceTag
                )
            )
        )
    }

    mutating func received(_ kind: WireFrame.OneOf_Kind, on link: UInt64) {
        var frame = WireFrame()
        frame.kind = kind
        feed(.frameReceived(LinkID(link), frame, bytes: 0))
    }

    /// Lets time pass; everything that is due on the way happens at its time.
    mutating func pass(_ milliseconds: Int64) {
        let end = now.monotonic + milliseconds
        while let due = engine.nextDeadline, due <= end {
            move(to: max(due, now.monotonic))
            feed(.deadlinePassed)
        }
        move(to: end)
    }

    /// Lets time pass, and the node is late: it sees only then what was due.
    mutating func oversleep(_ milliseconds: Int64) {
        move(to: now.monotonic + milliseconds)
        while let due = engine.nextDeadline, due <= now.monotonic { feed(.deadlinePassed) }
    }

    private mutating func move(to moment: Int64) {
        now = Instant(monotonic: moment, wall: now.wall + moment - now.monotonic)
    }

    /// Sets the wall clock.
    mutating func setClock(forward milliseconds: Int64) {
        now.wall += milliseconds
    }

    // The disk.

    private mutating func sort(_ new: [Effect]) {
        for effect in new {
            switch effect {
            case .persist, .read, .readEnvelope: held.append(effect)
            default: effects.append(effect)
            }
        }
    }

    /// Lets the disk answer until nothing is left to do.
    mutating func settle() {
        sort(engine.flush(at: now))
        while !diskWaits, let next = held.firstIndex(where: { !writesWait || !$0.isWrite }) {
            switch held.remove(at: next) {
            case .persist(let batch):
                batches.append(batch)
                if diskFails && goodBatches == 0 {
                    sort(engine.handle(.persistFailed(batch.id, reason: "no room"), at: now))
                } else {
                    goodBatches = max(0, goodBatches - 1)
                    guard let receipt = try? disk.persist(batch) else { fatalError("a batch contradicts the disk") }
                    sort(engine.handle(.persisted(batch.id, receipt), at: now))
                }
            case .readEnvelope(let id, _) where failedReads > 0, .read(let id, _) where failedReads > 0:
                failedReads -= 1
                sort(engine.handle(.readFailed(id), at: now))
            case .readEnvelope(let id, let envelope):
                sort(engine.handle(.envelopeRead(id, disk.envelopes[envelope]?.bytes), at: now))
            case .read(let id, let request):
                reads.append(request)
                sort(engine.handle(.eventsRead(id, readsFail ? [] : disk.read(request)), at: now))
            default: break
            }
            sort(engine.flush(at: now))
        }
    }

    // What it decided.

    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    /// The directory, if it has changed since the last call.
    mutating func takeDirectory() -> Directory? { engine.takeDirectory() }

    mutating func takeAnswers() -> [CommandID: Result<Answer, Refusal>] {
        var answers: [CommandID: Result<Answer, Refusal>] = [:]
        for case .answer(let id, let answer) in effects { answers[id] = answer }
        effects.removeAll { if case .answer = $0 { true } else { false } }
        return answers
    }

    /// The frames that the engine sent on a link since the last call, in order.
    mutating func takeFrames(on link: UInt64) -> [WireFrame.OneOf_Kind] {
        var frames: [WireFrame.OneOf_Kind] = []
        for case .send(LinkID(link), let frame) in effects { if let kind = frame.kind { frames.append(kind) } }
        effects.removeAll { if case .send(LinkID(link), _) = $0 { true } else { false } }
        return frames
    }

    mutating func takeDials() -> [(dial: DialID, endpoint: Endpoint, expecting: PeerID?)] {
        var dials: [(DialID, Endpoint, PeerID?)] = []
        for case .dial(let dial, let endpoint, let expected) in effects { dials.append((dial, endpoint, expected)) }
        effects.removeAll { if case .dial = $0 { true } else { false } }
        return dials
    }

    var closed: [LinkID] {
        effects.compactMap { if case .close(let link) = $0 { link } else { nil } }
    }

    mutating func view(of peer: PeerID) throws -> PeerView {
        guard case .success(.peer(let view)) = try ask(.find(who: peer.grouped)) else {
            throw Unexpected(what: "the peer is not known")
        }
        return view
    }

    struct Unexpected: Error { var what: String }
}

extension Effect {
    fileprivate var isWrite: Bool { if case .persist = self { true } else { false } }
}

extension DeliveryView.LogDelivery {
    /// In a direct conversation: how far the one recipient has it.
    var delivered: LogPosition { progress.first?.delivered ?? .start }
    var read: LogPosition { progress.first?.read ?? .start }
}
