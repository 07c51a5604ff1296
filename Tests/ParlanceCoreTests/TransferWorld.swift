import ParlanceCore
import ParlanceRandom
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Nodes in one group, of which the first has a file that a message names. Everything between them is real: the frames
/// travel as bytes, and shelves verify each chunk.
final class TransferWorld: WorldObserver {
    let world: SimulatedWorld
    private(set) var group = ConversationID(value: .zero)
    private(set) var mention = FileMention(file: FileID(value: .zero), name: "film.mp4", size: 0)
    /// Bytes of pieces that each node has sent.
    private(set) var sentBytes: [Int]
    /// The frames of files that each node has sent, without the pieces.
    private(set) var frames: [[WireFrame.OneOf_Kind]]
    private(set) var breaches: [Breach] = []
    private(set) var mostAssembled = 0
    private(set) var violations: [String] = []

    init(_ count: Int = 2, size: Int, seed: UInt64 = 1) throws {
        sentBytes = Array(repeating: 0, count: count)
        frames = Array(repeating: [], count: count)
        world = try SimulatedWorld(names: (0..<count).map { "node\($0)" }, seed: seed)
        world.observer = self
        for node in world.nodes.indices { world.start(node) }
        world.run(for: 5_000)
        for node in 1..<count {
            world.give(.accept(who: "node0"), to: node)
            world.give(.accept(who: "node\(node)"), to: 0)
        }
        world.run(for: 5_000)
        let who = world.nodes.dropFirst().map(\.identity.grouped)
        let made = world.give(
            .createGroup(title: "Crew", who: Array(who), nonce: Array(repeating: 7, count: 16)),
            to: 0
        )
        world.run(for: 10_000)
        guard case .success(.group(let view)) = world.nodes[0].answers[made] else {
            throw EngineBench.Unexpected(what: "no group: \(String(describing: world.nodes[0].answers[made]))")
        }
        group = view.conversation
        mention = try addFile(size: size, seed: seed)
    }

    /// Puts a file on the shelf of the first node, and names it everywhere.
    func addFile(size: Int, seed: UInt64, on node: Int = 0) throws -> FileMention {
        var random = SplitMix(seed: seed)
        var bytes = [UInt8](repeating: 0, count: size)
        for place in stride(from: 0, to: size, by: 8) {
            var word = random.next()
            for offset in place..<min(place + 8, size) {
                bytes[offset] = UInt8(truncatingIfNeeded: word)
                word >>= 8
            }
        }
        let manifest = try world.nodes[node].shelf.take(bytes)
        for node in world.nodes { node.named = [group: (node.named?[group] ?? []).union([manifest.id])] }
        return FileMention(file: manifest.id, name: "film.mp4", size: UInt64(size))
    }

    func fetch(by node: Int) { world.give(.fetch(group, mention), to: node) }

    func isWhole(_ node: Int) -> Bool {
        world.nodes[node].shelf.whole[mention.file] == world.nodes[0].shelf.whole[mention.file]
    }

    /// Whether a node has the file, and says so.
    func isDone(_ node: Int) throws -> Bool { try isWhole(node) && view(of: node)?.record.state == .done }

    func views(of node: Int) throws -> (transfers: [TransferView], uploads: [UploadView]) {
        let asked = world.give(.transfers, to: node)
        world.run(for: 0)
        guard case .success(.transfers(let transfers, let uploads)) = world.nodes[node].answers[asked] else {
            throw EngineBench.Unexpected(what: "no transfers")
        }
        return (transfers, uploads)
    }

    func view(of node: Int) throws -> TransferView? { try view(of: nil, node) }

    /// A transfer of a file, or of the first one.
    private func view(of file: FileMention?, _ node: Int) throws -> TransferView? {
        let file = (file ?? mention).file
        return try views(of: node).transfers.first { $0.record.file == file }
    }

    /// Runs until a part of the file is at a node, and no more than that.
    func runUntilPart(at node: Int) -> Bool {
        world.run(
            until: { (10...).contains(self.world.nodes[node].shelf.count(of: self.mention.file)) },
            within: 20_000
        ) && !isWhole(node)
    }

    /// The most pieces that a node waits for at once until it has a file (the first one), or for so many milliseconds.
    func mostPiecesAsked(of file: FileMention? = nil, by node: Int, within time: Int64) throws -> Int {
        let end = world.now + time
        var most = 0
        while world.now < end, try view(of: file, node)?.record.state != .done {
            world.run(for: min(5, end - world.now))
            most = max(most, world.nodes[node].engine?.census.mostPiecesAsked ?? 0)
        }
        return most
    }

    // Observing.

    func decided(_ effect: Effect, _ node: Int) {
        switch effect {
        case .send(_, let frame):
            switch frame.kind {
            case .filePiece(let piece): sentBytes[node] += piece.bytes.count
            case .fileAsk, .fileHeld, .fileStop, .fileWant: if let kind = frame.kind { frames[node].append(kind) }
            default: break
            }
        case .report(_, .breach(let breach, _)): breaches.append(breach)
        default: break
        }
    }

    func told(_ input: Input, _ node: Int) {
        if case .frameReceived(_, let frame, _) = input, case .filePiece = frame.kind {
            mostAssembled = max(mostAssembled, world.nodes[node].engine?.census.assemblyBytes ?? 0)
        }
    }

    func violated(_ what: String) { violations.append(what) }
    func started(_ node: Int) {}
    func ended(_ node: Int) {}
    func synced(_ batch: PersistBatch, _ node: Int) {}
    func happened(_ what: @autoclosure () -> String, kind: String) {}
}

extension WireFrame.OneOf_Kind {
    var asFileStop: WireFileStop? { if case .fileStop(let frame) = self { frame } else { nil } }
    var asFileHeld: WireFileHeld? { if case .fileHeld(let frame) = self { frame } else { nil } }
    var asFileAsk: WireFileAsk? { if case .fileAsk(let frame) = self { frame } else { nil } }
    var asFileWant: WireFileWant? { if case .fileWant(let frame) = self { frame } else { nil } }
    var asFilePiece: WireFilePiece? { if case .filePiece(let frame) = self { frame } else { nil } }
}
