package import FoundationEssentials
import ParlanceRecords
import ParlanceSodium
package import ParlanceWire

/// The leaves of a file, verified: their root is the ID of the file (files.md, "Leaves and root"). Whoever has it can
/// verify each chunk by itself.
package struct FileManifest: Equatable, Sendable {
    package let id: FileID
    package let shape: FileShape
    package let leaves: [Bytes32]

    /// The manifest of a file of which the leaves are known.
    ///
    /// - Throws: `wrongLength` if there are fewer or more leaves than chunks.
    package init(_ shape: FileShape, leaves: [Bytes32]) throws(FileFault) {
        guard leaves.count == shape.count else { throw .wrongLength }
        self.shape = shape
        self.leaves = leaves
        id = FileID(root: shape, leaves: Self.join(leaves))
    }

    /// Reads what somebody says to be the leaves of a file, and verifies them.
    ///
    /// - Parameters:
    ///   - bytes: the leaves one after the other.
    ///   - id: from a signed message.
    /// - Throws: `wrongLength` before anything is hashed, or `wrongHash`.
    package init(_ bytes: [UInt8], of id: FileID, _ shape: FileShape) throws(FileFault) {
        guard bytes.count == shape.manifestBytes else { throw .wrongLength }
        guard FileID(root: shape, leaves: bytes) == id else { throw .wrongHash }
        self.id = id
        self.shape = shape
        leaves = stride(from: 0, to: bytes.count, by: Bytes32.count).compactMap {
            Bytes32(bytes[$0..<($0 + Bytes32.count)])
        }
    }

    /// The leaves one after the other, as they travel.
    package var bytes: [UInt8] { Self.join(leaves) }

    /// Whether these are the bytes of a chunk. Call it before the bytes are written or passed on.
    package func verifies(_ bytes: UnsafeRawBufferPointer, as chunk: Int) -> Bool {
        guard leaves.indices.contains(chunk), bytes.count == shape.length(of: chunk) else { return false }
        var hasher = ChunkHasher(chunk: chunk)
        hasher.update(bytes)
        return hasher.finish(next: 0) == leaves[chunk]
    }

    package func verifies(_ bytes: [UInt8], as chunk: Int) -> Bool {
        bytes.withUnsafeBytes { verifies($0, as: chunk) }
    }

    /// The same for a chunk in pieces that are stored contiguously.
    package func verifies(pieces: [Data], as chunk: Int) -> Bool {
        let count = pieces.reduce(0) { $0 + $1.count }
        guard leaves.indices.contains(chunk), count == shape.length(of: chunk) else { return false }
        var hasher = ChunkHasher(chunk: chunk)
        for piece in pieces { piece.withUnsafeBytes { hasher.update($0) } }
        return hasher.finish(next: 0) == leaves[chunk]
    }

    private static func join(_ leaves: [Bytes32]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(leaves.count * Bytes32.count)
        for leaf in leaves { leaf.withUnsafeBytes { bytes.append(contentsOf: $0) } }
        return bytes
    }
}

extension FileID {
    /// The root over a list of leaves, whether or not it is the right one.
    init(root shape: FileShape, leaves: [UInt8]) {
        let sizes = shape.size.bigEndianBytes + UInt64(shape.chunkSize).bigEndianBytes
        self.init(value: Bytes32(hashing: sizes + leaves, domain: Domain.fileRoot))
    }
}
