import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire

/// Ada's engine at work on one input: a disk that answers, links that come and go, and time that passes.
struct Bench {
    let stage: Stage
    private(set) var engine: Engine
    private(set) var disk: SimulatedDisk
    private(set) var now: Instant
    /// The links that are up, by index; an index always belongs to the same peer.
    private(set) var links: [(link: LinkID?, peer: Int)]
    private(set) var replica: ReplicaID
    /// The last of Ada's envelopes that each peer was given, to keep or as its recipient: an answer may name it.
    private(set) var given: [Int: Data] = [:]
    /// The keys that Ada last gave out: the key of the day, and the keys for each single peer.
    private(set) var prekeys: [Int: WirePrekeys] = [:]
    /// Ada's files.
    private(set) var shelf: SimulatedShelf
    var diskWaits = false
    var failures = 0
    private var held: [Effect] = []
    private var dials: [DialID] = []
    private var closing: [LinkID] = []
    private var lastLink: UInt64 = 1 << 32
    private var lastCommand: UInt64 = 1 << 32

    init(_ stage: Stage) {
        self.stage = stage
        engine = stage.engine
        disk = stage.disk
        now = stage.now
        replica = stage.replicas[0]
        links = stage.links.map { ($0.link, $0.peer) }
        prekeys = stage.prekeys
        shelf = stage.shelf
        // So that each peer has an index, whether or not it is linked.
        for peer in 1..<stage.identities.count where !links.contains(where: { $0.peer == peer }) {
            links.append((nil, peer))
        }
    }

    mutating func feed(_ input: Input) {
        take(engine.handle(input, at: now))
        settle()
    }

    mutating func received(_ frame: WireFrame, at place: Int) {
        guard let link = links[place].link else { return }
        feed(.frameReceived(link, frame, bytes: 0))
    }

    /// - Parameter tag: of the workspace key with which the link is opened.
    mutating func open(_ place: Int, epoch: UInt64, replica: ReplicaID?, answersDial: Bool, tag: UInt32? = nil) {
        lastLink += 1
        let peer = links[place].peer
        links[place].link = LinkID(lastLink)
        feed(
            .linkOpened(
                LinkOpened(
                    link: LinkID(lastLink),
                    peer: stage.identities[peer],
                    replica: replica ?? stage.replicas[peer],
                    epoch: epoch,
                    dial: answersDial ? dials.popLast() : nil,
                    remote: Endpoint(host: Stage.names[peer], port: 4747),
                    workspaceTag: tag
                )
            )
        )
    }

    mutating func close(_ place: Int, _ end: LinkEnd) {
        guard let link = links[place].link else { return }
        links[place].link = nil
        feed(.linkClosed(link, end))
    }

    mutating func failDial() {
        if let dial = dials.popLast() { feed(.dialFailed(dial, .timedOut)) }
    }

    mutating func give(_ command: Command) {
        lastCommand += 1
        feed(.commandGiven(CommandID(lastCommand), command))
    }

    /// Each with another nonce, as with random ones.
    mutating func createGroup(title: String, who: String) {
        let nonce = withUnsafeBytes(of: (lastCommand, lastCommand)) { Array($0) }
        give(.createGroup(title: title, who: [who], nonce: nonce))
    }

    mutating func pass(_ milliseconds: Int64) {
        let end = now.monotonic + milliseconds
        var turns = 0
        while let due = engine.nextDeadline, due <= end, turns < 64 {
            turns += 1
            move(to: max(due, now.monotonic))
            feed(.deadlinePassed)
        }
        move(to: end)
    }

    private mutating func move(to moment: Int64) {
        now = Instant(monotonic: moment, wall: now.wall + moment - now.monotonic)
    }

    /// The process dies, and another one starts from the disk.
    mutating func restart() {
        held = []
        dials = []
        closing = []
        for place in links.indices { links[place].link = nil }
        _ = disk.beginEpoch()
        engine = Engine(
            snapshot: disk.snapshot,
            signer: stage.signers[0],
            identity: stage.identities[0],
            replica: replica,
            listeningPort: 4747,
            fixed: [],
            entropy: SecretBytes(copying: [UInt8](repeating: 8, count: 32)),
            seed: 8,
            at: now
        )
        settle()
    }

    private mutating func take(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .persist, .read, .readEnvelope, .readMention, .shelf: held.append(effect)
            case .send(let link, let frame):
                note(frame, on: link)
                let count = frame.encodedBytes().count
                promise(count <= Limits.frameBytes, "a frame of \(count) bytes is sent")
            case .dial(let dial, _, _): dials.append(dial)
            case .close(let link): closing.append(link)
            case .adopt(let replica): self.replica = replica
            case .admit, .answer, .notify, .report, .useKeys, .probe: break
            }
        }
    }

    private mutating func note(_ frame: WireFrame, on link: LinkID) {
        guard let peer = links.first(where: { $0.link == link })?.peer else { return }
        switch frame.kind {
        case .deposit(let deposit): given[peer] = Data(deposit.envelope.id.bytes)
        case .handOver(let handOver): given[peer] = Data(handOver.envelope.id.bytes)
        case .prekeys(let keys): prekeys[peer] = keys
        default: break
        }
    }

    /// Lets the disk answer and closed links end, until nothing is left to do.
    mutating func settle() {
        take(engine.flush(at: now))
        var turns = 0
        while (!diskWaits && !held.isEmpty) || !closing.isEmpty {
            turns += 1
            promise(turns < 10_000, "it never comes to rest")
            if !closing.isEmpty {
                let link = closing.removeFirst()
                if let place = links.firstIndex(where: { $0.link == link }) { links[place].link = nil }
                take(engine.handle(.linkClosed(link, .closed), at: now))
            } else {
                answer(held.removeFirst())
            }
            take(engine.flush(at: now))
        }
    }

    private mutating func answer(_ effect: Effect) {
        switch effect {
        case .persist(let batch):
            if failures > 0 {
                failures -= 1
                return take(engine.handle(.persistFailed(batch.id, reason: "no room"), at: now))
            }
            do {
                take(engine.handle(.persisted(batch.id, try disk.persist(batch)), at: now))
            } catch { fatalError("\(error)") }
        case .readEnvelope(let id, let envelope):
            take(engine.handle(.envelopeRead(id, disk.envelopes[envelope]?.bytes), at: now))
        case .read(let id, let request):
            take(engine.handle(.eventsRead(id, disk.read(request)), at: now))
        case .readMention(let id, let conversation, let file):
            let isNamed = conversation == stage.group && stage.files.contains { $0.file == file }
            take(engine.handle(.mentionRead(id, isNamed), at: now))
        case .shelf(let work):
            if let news = shelf.perform(work) { take(engine.handle(.shelf(news), at: now)) }
        default: break
        }
    }

    mutating func finish() {
        diskWaits = false
        failures = 0
        settle()
        promise(engine.isSettled, "something is written for ever")
        let census = engine.census
        promise(census.assemblyBytes <= Limits.assemblyBytes, "chunks of \(census.assemblyBytes) bytes in memory")
        promise(census.mostFilesServed <= Limits.filesAtOnce, "\(census.mostFilesServed) files are served")
        promise(census.mostPiecesOwed <= Limits.piecesOwed, "\(census.mostPiecesOwed) pieces are read")
        promise(census.mostPiecesAsked <= Limits.pieceWindow, "\(census.mostPiecesAsked) pieces are asked for")
    }
}
