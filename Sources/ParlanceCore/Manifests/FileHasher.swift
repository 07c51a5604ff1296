import ParlanceWire

/// Makes the manifest of a file that is read from its beginning to its end, in pieces of any length. It holds the leaves
/// and no byte of the file.
package struct FileHasher: ~Copyable {
    package let shape: FileShape
    private var leaves: [Bytes32] = []
    private var chunk = ChunkHasher(chunk: 0)
    /// Bytes of the file so far.
    package private(set) var done: UInt64 = 0

    package init(_ shape: FileShape) {
        self.shape = shape
        leaves.reserveCapacity(shape.count)
    }

    /// - Throws: `wrongLength` if the file is longer than its size: it has changed while it was read.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) throws(FileFault) {
        guard UInt64(bytes.count) <= shape.size - done else { throw .wrongLength }
        var rest = bytes
        while !rest.isEmpty, let range = shape.range(of: leaves.count) {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(range.upperBound - done)))
            chunk.update(piece)
            done += UInt64(piece.count)
            if done == range.upperBound { leaves.append(chunk.finish(next: leaves.count + 1)) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
        }
    }

    package mutating func update(_ bytes: [UInt8]) throws(FileFault) {
        // A closure does not keep the type of what it throws.
        let result: Result<Void, FileFault> = bytes.withUnsafeBytes { bytes in
            do throws(FileFault) {
                try update(bytes)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// The manifest, once all bytes were given.
    ///
    /// - Throws: `wrongLength` if the file is shorter than its size.
    package func finish() throws(FileFault) -> FileManifest {
        guard done == shape.size else { throw .wrongLength }
        return try FileManifest(shape, leaves: leaves)
    }
}
