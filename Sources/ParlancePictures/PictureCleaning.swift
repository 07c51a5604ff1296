/// What is to be done so that a picture tells nothing but what it shows (files.md, "Pictures").
package enum PictureCleaning: Equatable, Sendable {
    /// There is nothing to remove.
    case clean(PictureType)
    /// The picture is these pieces, one after the other.
    case removed(PictureType, [Piece])
    /// The file stays as it is, with whatever it tells.
    case unchanged(Reason)

    package enum Piece: Equatable, Sendable {
        /// These bytes of the original.
        case copy(Range<Int>)
        case bytes([UInt8])
    }

    package enum Reason: Equatable, Sendable {
        /// It is none of the types that are known here.
        case noPicture
        /// What a file of this type tells cannot be removed here.
        case notRemovable(PictureType)
        /// It breaks the rules of its type, so nobody knows what its bytes are.
        case damaged(PictureType)
        /// It has more than `mostBytes`.
        case tooLarge(PictureType)
    }

    /// Bytes of a picture that is looked through: it is whole in memory, and pictures of cameras have a tenth of it.
    package static let mostBytes = 64 * 1024 * 1024

    /// Looks through the whole of a file.
    package init(_ bytes: [UInt8]) {
        guard let type = PictureType(bytes) else {
            self = .unchanged(.noPicture)
            return
        }
        let clean: ([UInt8]) -> PieceList?
        switch type {
        case .jpeg: clean = JPEGCleaner.clean
        case .png: clean = PNGCleaner.clean
        case .gif: clean = GIFCleaner.clean
        case .webp: clean = WebPCleaner.clean
        case .heic, .avif, .tiff, .jpegXL, .video:
            self = .unchanged(.notRemovable(type))
            return
        }
        guard bytes.count <= Self.mostBytes else {
            self = .unchanged(.tooLarge(type))
            return
        }
        guard let list = clean(bytes) else {
            self = .unchanged(.damaged(type))
            return
        }
        self = list.pieces == [.copy(bytes.indices)] ? .clean(type) : .removed(type, list.pieces)
    }

    /// The picture without what was to be removed.
    ///
    /// - Parameter bytes: the same as before.
    package func applied(to bytes: [UInt8]) -> [UInt8] {
        guard case .removed(_, let pieces) = self else { return bytes }
        return pieces.flatMap { piece -> [UInt8] in
            switch piece {
            case .copy(let range): Array(bytes[range.clamped(to: bytes.indices)])
            case .bytes(let bytes): bytes
            }
        }
    }
}
