package import ParlanceSodium
import ParlanceWire

/// Seals a file for a stick piece by piece, and checks on the way that its bytes are those of its ID (carry.md, "Sealed
/// files"). It holds no byte of the file.
package struct SealedFileMaking: ~Copyable {
    package let shape: SealedFileShape
    /// With what the sealed file begins.
    package let head: [UInt8]
    private let file: FileID
    private let stream: SecretStream
    private var hasher: FileHasher
    private var done = 0

    /// - Parameter stream: one that was just begun with this key, and its header.
    package init(_ carried: CarriedFile, _ stream: SecretStream, header: [UInt8]) throws(FileFault) {
        let whole = try FileShape(size: carried.size)
        shape = try SealedFileShape(size: carried.size)
        head = carried.key.mark + header
        file = carried.file
        hasher = FileHasher(whole)
        self.stream = stream
    }

    /// How many bytes of the file the next piece takes; `nil` when all are sealed.
    package var wanted: Int? { done < shape.count ? shape.content(of: done) : nil }

    /// Seals the next piece.
    ///
    /// - Throws: `wrongLength` for another number of bytes than `wanted`, `wrongHash` at the end if the bytes are not those
    ///   of the file.
    package mutating func seal(_ bytes: [UInt8]) throws(FileFault) -> [UInt8] {
        guard bytes.count == wanted else { throw .wrongLength }
        try hasher.update(bytes)
        let isLast = done == shape.count - 1
        if isLast {
            guard try hasher.finish().id == file else { throw .wrongHash }
        }
        let padding = [UInt8](repeating: 0, count: shape.length(of: done) - bytes.count)
        done += 1
        return stream.seal(bytes + padding, isLast: isLast)
    }
}
