import ParlanceWire

/// Who of several that fetch a file at the same time gets which chunk from those who have the whole file (files.md, "Whom
/// to ask"). Everybody computes the same, and somebody who comes or goes changes only their own chunks (rendezvous
/// hashing; Thaler, Ravishankar, 1998).
struct FileShare {
    private let own: Weight
    private let others: [Weight]

    private struct Weight {
        let peer: PeerID
        let name: UInt64

        init(_ peer: PeerID) {
            self.peer = peer
            name = peer.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }

        /// The least has the chunk.
        func order(of chunk: Int) -> (UInt64, PeerID) {
            var mix = SeededGenerator(seed: name &+ UInt64(chunk) &* 0x9E37_79B9_7F4A_7C15)
            return (mix.next(), peer)
        }
    }

    init(of own: PeerID, among others: [PeerID]) {
        self.own = Weight(own)
        self.others = others.map(Weight.init)
    }

    func chunks(of total: Int) -> ChunkSet {
        var chunks = ChunkSet(total: total)
        for chunk in 0..<chunks.total {
            let order = own.order(of: chunk)
            if others.allSatisfy({ order < $0.order(of: chunk) }) { chunks.insert(chunk) }
        }
        return chunks
    }
}
