import ParlanceWire

/// Which chunks of a file are held, wanted or offered (files.md, "Sets of chunks").
package struct ChunkSet: Hashable, Sendable {
    /// Chunks of the file.
    package let total: Int
    /// How many of them are in the set.
    package private(set) var count: Int
    /// 64 chunks a word, the first in the highest bit. Bits behind the last chunk are zero.
    private var words: [UInt64]

    /// The empty set. A number that no file has counts as the nearest that one has.
    package init(total: Int) {
        self.total = min(max(0, total), Limits.chunks)
        count = 0
        words = Array(repeating: 0, count: (self.total + 63) / 64)
    }

    /// The set of all chunks.
    package init(all total: Int) {
        self.init(total: total)
        for index in words.indices { words[index] = .max }
        if !self.total.isMultiple(of: 64) { words[words.count - 1] = ~(UInt64.max >> UInt64(self.total % 64)) }
        count = self.total
    }

    /// Reads a set as it travels.
    ///
    /// - Throws: `wrongLength`, or `malformed` if a bit behind the last chunk is set.
    package init(_ bytes: [UInt8], total: Int) throws(FileFault) {
        self.init(total: total)
        guard bytes.count == byteCount else { throw .wrongLength }
        for (index, byte) in bytes.enumerated() {
            words[index / 8] |= UInt64(byte) << UInt64(56 - 8 * (index % 8))
        }
        if !self.total.isMultiple(of: 64), let last = words.last {
            guard last & (UInt64.max >> UInt64(self.total % 64)) == 0 else { throw .malformed }
        }
        count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    private var byteCount: Int { (total + 7) / 8 }

    /// One bit for each chunk, the first in the highest bit of the first byte.
    package var bytes: [UInt8] {
        Array(
            words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) } }.prefix(
                byteCount
            )
        )
    }

    package var isEmpty: Bool { count == 0 }
    package var isComplete: Bool { count == total }

    /// Whether the chunk is in the set; `false` for one that the file does not have.
    package func contains(_ chunk: Int) -> Bool {
        (0..<total).contains(chunk) && words[chunk / 64] & Self.bit(chunk) != 0
    }

    /// - Returns: whether the chunk is new in the set. A chunk that the file does not have is left out.
    @discardableResult
    package mutating func insert(_ chunk: Int) -> Bool {
        guard (0..<total).contains(chunk), !contains(chunk) else { return false }
        words[chunk / 64] |= Self.bit(chunk)
        count += 1
        return true
    }

    /// - Returns: whether the chunk was in the set.
    @discardableResult
    package mutating func remove(_ chunk: Int) -> Bool {
        guard contains(chunk) else { return false }
        words[chunk / 64] &= ~Self.bit(chunk)
        count -= 1
        return true
    }

    private static func bit(_ chunk: Int) -> UInt64 { 1 << UInt64(63 - chunk % 64) }

    /// The chunks that are not in the set.
    package var missing: ChunkSet { ChunkSet(all: total).subtracting(self) }

    /// What is in both sets. A set of a file with another number of chunks has nothing in common with this one.
    package func intersection(_ other: ChunkSet) -> ChunkSet { combined(with: other) { $0 & $1 } }

    /// What is in this set and not in the other.
    package func subtracting(_ other: ChunkSet) -> ChunkSet {
        other.total == total ? combined(with: other) { $0 & ~$1 } : self
    }

    private func combined(with other: ChunkSet, _ combine: (UInt64, UInt64) -> UInt64) -> ChunkSet {
        var result = ChunkSet(total: total)
        guard other.total == total else { return result }
        for index in words.indices {
            result.words[index] = combine(words[index], other.words[index])
            result.count += result.words[index].nonzeroBitCount
        }
        return result
    }

    /// The chunks in order.
    package var chunks: [Int] {
        var chunks: [Int] = []
        chunks.reserveCapacity(count)
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                chunks.append(index * 64 + rest.leadingZeroBitCount)
                rest &= ~(UInt64(1) << UInt64(63 - rest.leadingZeroBitCount))
            }
        }
        return chunks
    }

    /// The longest runs of chunks, in order.
    package var ranges: [Range<Int>] {
        var ranges: [Range<Int>] = []
        for chunk in chunks {
            if let last = ranges.last, last.upperBound == chunk {
                ranges[ranges.count - 1] = last.lowerBound..<(chunk + 1)
            } else {
                ranges.append(chunk..<(chunk + 1))
            }
        }
        return ranges
    }
}
