import ParlanceSodium
package import ParlanceWire

/// Makes the leaf of one chunk after another, from pieces of any length (files.md, "Leaves and root").
package struct ChunkHasher: ~Copyable {
    private var stream = Blake2bStream(Domain.fileLeaf)

    /// Starts with the leaf of `chunk`.
    package init(chunk: Int) {
        begin(chunk)
    }

    private mutating func begin(_ chunk: Int) {
        UInt64(clamping: chunk).bigEndianBytes.withUnsafeBytes { stream.update($0) }
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        stream.update(bytes)
    }

    /// The leaf of the chunk, once all its bytes were given. The next bytes are those of chunk `next`.
    package mutating func finish(next: Int) -> Bytes32 {
        let leaf = Bytes32(filling: { stream.finish(into: $0) })
        begin(next)
        return leaf
    }
}
