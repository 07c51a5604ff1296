import ParlanceSodium
import ParlanceWire

/// Opens a sealed file of a stick piece by piece (carry.md, "Sealed files"). It holds no byte of the file.
package struct SealedFileOpening: ~Copyable {
    package let shape: SealedFileShape
    private let file: FileID
    private let stream: SecretStream
    private var hasher: FileHasher
    private var done = 0

    /// Why a sealed file is not taken.
    package enum Fault: Error, Equatable, Sendable {
        /// It is another one, or no sealed file.
        case foreign
        /// It was changed, cut off or continued, or its content is another file.
        case damaged
    }

    /// - Parameters:
    ///   - head: its first `SealedFileShape.headBytes` bytes.
    ///   - byteCount: how many it has in all.
    package init(_ carried: CarriedFile, head: [UInt8], byteCount: UInt64) throws(Fault) {
        guard let shape = try? SealedFileShape(size: carried.size), let whole = try? FileShape(size: carried.size),
            head.count == SealedFileShape.headBytes, Array(head.prefix(Bytes32.count)) == carried.key.mark,
            let stream = SecretStream(readingWith: carried.key.secret, header: Array(head.dropFirst(Bytes32.count)))
        else { throw .foreign }
        guard byteCount == shape.byteCount else { throw .damaged }
        self.shape = shape
        file = carried.file
        self.stream = stream
        hasher = FileHasher(whole)
    }

    /// How many bytes the next piece has; `nil` behind the last one.
    package var wanted: Int? { done < shape.count ? shape.sealedLength(of: done) : nil }

    /// Opens the next piece. What it returns is what its author has sealed; whether that is the file is known at the end.
    ///
    /// - Returns: the bytes of the file in it.
    package mutating func open(_ piece: [UInt8]) throws(Fault) -> ArraySlice<UInt8> {
        guard piece.count == wanted, let opened = stream.open(piece), opened.isLast == (done == shape.count - 1) else {
            throw .damaged
        }
        let bytes = opened.message.prefix(shape.content(of: done))
        do throws(FileFault) {
            try hasher.update(Array(bytes))
            if opened.isLast, try hasher.finish().id != file { throw .wrongHash }
        } catch { throw .damaged }
        done += 1
        return bytes
    }
}
