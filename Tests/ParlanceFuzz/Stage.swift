import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire

/// The start of frame fuzzing: Ada's engine and disk in the middle of an office, and what the others sent her next.
/// Bob and Cleo are accepted and in a group with her; Dan has asked and waits for an answer; Eve has said nothing; Fay
/// is blocked. It is the same each time, so that an input that fails fails again.
struct Stage: Sendable {
    static let shared = Stage()
    static let names = ["ada", "bob", "cleo", "dan", "eve", "fay"]

    let engine: Engine
    let disk: SimulatedDisk
    let now: Instant
    let signers: [SigningKey]
    let identities: [PeerID]
    let replicas: [ReplicaID]
    let group: ConversationID
    /// The peers at the other end of the links that are up, in their order.
    let links: [(link: LinkID, peer: Int)]
    /// The keys that Ada gave each peer for its envelopes.
    let prekeys: [Int: WirePrekeys]
    /// The key of the workspace that she may join.
    let workspaceKey = WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: 5, count: 32)))
    /// What makes the charter of the workspace that she may found.
    static let nonce = [UInt8](repeating: 3, count: 16)
    /// An invitation to that workspace.
    var invitation: InvitationKey? {
        let charter = ConversationID(creator: identities[0], charter: Charter.creation("ship", Self.nonce))
        return InvitationSecret(SecretBytes(copying: [UInt8](repeating: 6, count: 16)))
            .flatMap { InvitationKey($0, to: CharterPrefix(of: charter)) }
    }
    /// Ada's files.
    let shelf: SimulatedShelf
    /// A file that Ada has, and one that she fetches from Cleo: messages of the group name both.
    let files: [FileMention]
    /// The manifest and the bytes of the second.
    let fetched: (manifest: FileManifest, bytes: [UInt8])
    /// Later frames, with the peers that sent them.
    let recorded: [(peer: Int, frame: [UInt8])]

    private init() {
        do {
            let world = try SimulatedWorld(names: Self.names, seed: 11)
            let recorder = Recorder(world)
            world.observer = recorder
            Self.prepare(world)
            let group = world.nodes[0].disk.groups.first ?? ConversationID(value: .zero)
            let bytes = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &+ $0 / 256) }
            // So small that its only piece is among the seeds.
            fetched = (try world.nodes[2].shelf.take(Array(bytes.prefix(3_000))), Array(bytes.prefix(3_000)))
            let own = try world.nodes[0].shelf.take(bytes)
            files = [own, fetched.manifest].map { FileMention(file: $0.id, name: "a file", size: $0.shape.size) }
            Self.beginFetching(files[1], in: group, world)
            shelf = world.nodes[0].shelf
            guard let engine = world.nodes[0].engine, engine.census.mostPiecesAsked > 0 else {
                fatalError("Ada is not where she should be")
            }
            self.engine = engine
            self.group = group
            disk = world.nodes[0].disk
            now = Instant(monotonic: world.now, wall: 1_700_000_000_000 + world.now)
            signers = world.nodes.map(\.signer)
            identities = world.nodes.map(\.identity)
            replicas = world.nodes.map(\.replica)
            links = recorder.open.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            prekeys = recorder.prekeys
            recorder.frames = []
            Self.carry(world)
            Self.goOn(world, group)
            recorded = recorder.frames
        } catch { fatalError("\(error)") }
    }

    private static func prepare(_ world: SimulatedWorld) {
        for index in world.nodes.indices { world.start(index) }
        world.run(for: 3_000)
        let id = world.nodes.map(\.identity.text)
        for other in [1, 2] {
            world.give(.accept(who: id[other]), to: 0)
            world.give(.accept(who: id[0]), to: other)
        }
        world.give(.accept(who: id[2]), to: 1)
        world.give(.accept(who: id[1]), to: 2)
        world.give(.block(who: id[5]), to: 0)
        world.give(.send(who: id[0], text: "may I?"), to: 3)
        world.run(for: 3_000)
        world.give(.createGroup(title: "crew", who: [id[1], id[2]], nonce: Array(repeating: 7, count: 16)), to: 0)
        world.run(for: 3_000)
        let group = world.nodes[0].disk.groups.first?.text ?? ""
        for turn in 0..<3 {
            for node in 0...2 {
                world.give(.send(who: group, text: "\(names[node]) \(turn)"), to: node)
                world.give(.send(who: id[(node + 1) % 3], text: "hello \(turn)"), to: node)
            }
            world.run(for: 3_000)
        }
        // New links, on which all are accepted from the start: keys for envelopes go out.
        world.cutAll()
        world.run(for: 9_000)
        for (node, other) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
            world.give(.setCourier(who: id[other], true), to: node)
        }
        world.run(for: 9_000)
    }

    /// Ada has asked Cleo for pieces of a file, and none has come.
    private static func beginFetching(_ file: FileMention, in group: ConversationID, _ world: SimulatedWorld) {
        for node in world.nodes { node.named = [group: [file.file]] }
        world.nodes[2].shelf.stalls = true
        world.give(.fetch(group, file), to: 0)
        world.run(for: 2_000)
    }

    /// Plays what happens next, so that there is something of every kind to start from.
    private static func goOn(_ world: SimulatedWorld, _ group: ConversationID) {
        let id = world.nodes.map(\.identity.text)
        for node in [1, 2] {
            world.give(.send(who: group.text, text: "later"), to: node)
            world.give(.send(who: id[0], text: "to Ada"), to: node)
            world.give(.read(who: group.text), to: node)
            world.give(.typing(who: id[0]), to: node)
            world.give(.setPresence(.busy, text: "at work"), to: node)
            world.run(for: 2_000)
            touch(world, group, by: node)
        }
        world.give(.send(who: id[0], text: "me too"), to: 4)
        world.give(.accept(who: id[3]), to: 0)
        for change in changes(id) {
            world.give(.changeGroup(who: group.text, change), to: 0)
            world.run(for: 2_000)
        }
        world.give(.createGroup(title: "den", who: [id[0], id[2]], nonce: Array(repeating: 8, count: 16)), to: 1)
        world.run(for: 3_000)
        rollBack(world, 1, group)
        world.give(.changeGroup(who: group.text, .remove([id[0]])), to: 1)
        world.run(for: 5_000)
    }

    /// Cleo is away, then Ada: the others carry what is written to them in the meantime.
    private static func carry(_ world: SimulatedWorld) {
        let id = world.nodes.map(\.identity.text)
        world.stop(2)
        world.run(for: 2_000)
        for node in [0, 1] { world.give(.send(who: id[2], text: "when you are back"), to: node) }
        world.run(for: 5_000)
        world.start(2)
        world.run(for: 20_000)
        world.stop(0)
        world.run(for: 2_000)
        world.give(.send(who: id[0], text: "while you slept"), to: 2)
        world.run(for: 5_000)
        world.stop(2)
        world.run(for: 2_000)
        world.start(0)
        world.run(for: 20_000)
        world.start(2)
        world.run(for: 20_000)
    }

    private static func changes(_ id: [String]) -> [GroupChange] {
        [.appoint([id[1]]), .add([id[3]]), .rename("watch"), .topic("quiet"), .remove([id[2]]), .add([id[2]])]
    }

    /// Answers, edits, deletes and reacts to messages that it shows.
    private static func touch(_ world: SimulatedWorld, _ group: ConversationID, by node: Int) {
        let shown = world.nodes[node].disk.history(of: group).filter { $0.note == nil }
        guard let last = shown.last, let own = shown.last(where: { $0.log.author == world.nodes[node].identity }),
            let first = shown.first(where: { $0.log.author == world.nodes[node].identity })
        else { return }
        let message = MessageReference(conversation: group, event: last.reference)
        world.give(.reply(message, text: "yes"), to: node)
        world.give(.react(message, emoji: "👍", removed: false), to: node)
        world.give(.edit(MessageReference(conversation: group, event: own.reference), text: "no"), to: node)
        world.give(.delete(MessageReference(conversation: group, event: first.reference)), to: node)
        world.run(for: 2_000)
    }

    /// A machine that is rolled back without noticing writes two branches of its log.
    private static func rollBack(_ world: SimulatedWorld, _ node: Int, _ group: ConversationID) {
        world.backUp(node)
        world.give(.send(who: group.text, text: "one way"), to: node)
        world.run(for: 2_000)
        world.crash(node)
        world.restore(node, isUnseen: true)
        world.network.part = world.nodes.indices.map { $0 == node ? 1 : 0 }
        world.start(node)
        world.give(.send(who: group.text, text: "another way"), to: node)
        world.give(.send(who: group.text, text: "and on"), to: node)
        world.run(for: 2_000)
        world.network.heal()
        world.run(for: 40_000)
    }
}

/// Records the frames that Ada receives.
private final class Recorder: WorldObserver {
    private let world: SimulatedWorld
    private(set) var open: [LinkID: Int] = [:]
    var frames: [(peer: Int, frame: [UInt8])] = []
    private(set) var prekeys: [Int: WirePrekeys] = [:]

    init(_ world: SimulatedWorld) {
        self.world = world
    }

    func told(_ input: Input, _ node: Int) {
        guard node == 0 else { return }
        switch input {
        case .linkOpened(let opened):
            open[opened.link] = world.nodes.firstIndex { $0.identity == opened.peer }
        case .linkClosed(let link, _): open[link] = nil
        case .frameReceived(let link, let frame, _):
            if let peer = open[link] { frames.append((peer, frame.encodedBytes())) }
        default: break
        }
    }

    func decided(_ effect: Effect, _ node: Int) {
        guard node == 0, case .send(let link, let frame) = effect, case .prekeys(let keys) = frame.kind,
            let peer = open[link]
        else { return }
        prekeys[peer] = keys
    }

    func violated(_ what: String) { fatalError(what) }
    func started(_ node: Int) {}
    func ended(_ node: Int) {}
    func synced(_ batch: PersistBatch, _ node: Int) {}
    func happened(_ what: @autoclosure () -> String, kind: String) {}
}
