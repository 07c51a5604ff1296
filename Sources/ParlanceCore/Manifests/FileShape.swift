import ParlanceWire

/// How a file of some size is cut into chunks (files.md, "Chunks"). Everything follows from the size.
package struct FileShape: Hashable, Sendable {
    /// Bytes of the file.
    package let size: UInt64
    /// Bytes of each chunk but the last: a power of two.
    package let chunkSize: Int
    /// 0 to `Limits.chunks`; an empty file has none.
    package let count: Int

    /// - Throws: `tooLarge` for more than `Limits.fileBytes`.
    package init(size: UInt64) throws(FileFault) {
        guard size <= Limits.fileBytes else { throw .tooLarge }
        var chunkSize = UInt64(Limits.chunkBytes)
        while chunkSize * UInt64(Limits.chunks) < size { chunkSize *= 2 }
        self.size = size
        self.chunkSize = Int(chunkSize)
        count = Int((size + chunkSize - 1) / chunkSize)
    }

    /// The bytes of the file that a chunk has; `nil` if there is no such chunk.
    package func range(of chunk: Int) -> Range<UInt64>? {
        guard (0..<count).contains(chunk) else { return nil }
        let start = UInt64(chunk) * UInt64(chunkSize)
        return start..<min(start + UInt64(chunkSize), size)
    }

    /// The number of bytes of a chunk; 0 if there is no such chunk.
    package func length(of chunk: Int) -> Int { range(of: chunk).map { Int($0.upperBound - $0.lowerBound) } ?? 0 }

    /// The chunk that contains the byte at this offset; `nil` behind the end.
    package func chunk(at offset: UInt64) -> Int? { offset < size ? Int(offset / UInt64(chunkSize)) : nil }

    /// Bytes of the list of leaves.
    package var manifestBytes: Int { count * Bytes32.count }
}
