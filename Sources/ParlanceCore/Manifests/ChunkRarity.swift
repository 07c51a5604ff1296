/// How many others hold each chunk of a file, to ask for the rarest first (files.md, "Sets of chunks"): a chunk that only
/// one node has is lost when that node leaves, and whoever gets it can serve it at once.
package struct ChunkRarity: Equatable, Sendable {
    private var holders: [Int]

    package init(total: Int) {
        holders = Array(repeating: 0, count: ChunkSet(total: total).total)
    }

    /// Another node tells what it holds.
    package mutating func add(_ set: ChunkSet) {
        guard set.total == holders.count else { return }
        for chunk in set.chunks { holders[chunk] += 1 }
    }

    /// The node that told this set has left.
    package mutating func remove(_ set: ChunkSet) {
        guard set.total == holders.count else { return }
        for chunk in set.chunks { holders[chunk] = max(0, holders[chunk] - 1) }
    }

    /// A node whose set was added has one more chunk.
    package mutating func add(_ chunk: Int) {
        if holders.indices.contains(chunk) { holders[chunk] += 1 }
    }

    /// How many nodes hold a chunk.
    package func holders(of chunk: Int) -> Int { holders.indices.contains(chunk) ? holders[chunk] : 0 }

    /// The chunk among these that the fewest hold.
    ///
    /// - Parameter tie: a random number, which chooses among those of the same rarity, so that nodes that start together
    ///   ask for different chunks. The same number makes the same choice.
    package func rarest(of candidates: ChunkSet, tie: UInt64) -> Int? {
        guard candidates.total == holders.count else { return nil }
        return candidates.chunks.min { order($0, tie) < order($1, tie) }
    }

    private func order(_ chunk: Int, _ tie: UInt64) -> (Int, UInt64, Int) {
        var mix = SeededGenerator(seed: tie &+ UInt64(chunk) &* 0x9E37_79B9_7F4A_7C15)
        return (holders[chunk], mix.next(), chunk)
    }
}
