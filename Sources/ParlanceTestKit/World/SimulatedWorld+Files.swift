import ParlanceCore
import ParlanceWire

// The shelf of files of each node, and what its store says of them.
extension SimulatedWorld {
    /// Work is done at once, in order; what it reports comes later, in the same order.
    func work(_ work: ShelfWork, on index: Int) {
        let node = nodes[index]
        if let room = node.trouble.room { node.shelf.room = UInt64(max(0, room)) }
        if network.liar == index { node.shelf.lies = true }
        let news = node.shelf.perform(work)
        if node.trouble.room != nil { node.shelf.room = nil }
        guard let news else { return }
        if case .kept(_, _, .wrong) = news { observer?.happened("a chunk is wrong", kind: "file: wrong chunk") }
        var delay = 1 + random.below(node.trouble.slowest)
        if case .read = news {
            // Reading does not wait for what is written.
        } else {
            delay = max(delay, node.shelf.busyUntil - now)
            node.shelf.busyUntil = now + delay
        }
        schedule(.input(index, life: node.life, .shelf(news)), after: delay)
    }

    func answer(_ read: ReadID, _ conversation: ConversationID, _ file: FileID, on index: Int, _ life: Int) {
        let node = nodes[index]
        guard node.life == life, node.isUp, !failsToRead(read, index) else { return }
        let isNamed =
            node.named.map { $0[conversation]?.contains(file) == true } ?? node.disk.names(file, in: conversation)
        feed(.mentionRead(read, isNamed), to: index, life)
    }

    /// The user has put a file on the shelf.
    func put(_ bytes: [UInt8], on index: Int) throws -> FileManifest {
        let manifest = try nodes[index].shelf.take(bytes)
        tell(.shelf(.changed(manifest.id, .whole(manifest))), to: index)
        return manifest
    }
}
