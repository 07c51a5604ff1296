import Glibc
import ParlanceCore
import ParlancePictures
import ParlanceWire

/// A file of the user that is sent, as it is sent: which of its bytes, and what stands in place of others.
///
/// Only a picture is ever in memory as a whole, and only while it is looked through.
struct SourceFile {
    /// What became of what a picture tells besides what it shows.
    enum Cleaning: Equatable {
        /// It tells nothing, it is no picture, or nothing was to be removed.
        case none
        case removed
        case impossible(PictureCleaning.Reason)
    }

    /// Bytes of what is sent.
    let size: UInt64
    let cleaning: Cleaning
    let pixels: OutgoingFacts.Pixels?
    private let pieces: [PictureCleaning.Piece]
    private let stamp: Stamp

    /// Looks at a file that is open for reading.
    init(_ file: borrowing OpenFile, keepMetadata: Bool) throws(ShelfError) {
        let stamp = try Stamp(file)
        self.stamp = stamp
        guard stamp.size <= Limits.fileBytes else { throw .tooLarge }
        let beginning = try Self.beginning(file, stamp, PictureFacts.prefixBytes)
        pixels = PictureFacts(beginning).map { OutgoingFacts.Pixels(width: $0.width, height: $0.height) }
        let whole = [PictureCleaning.Piece.copy(0..<Int(clamping: stamp.size))]
        var (pieces, cleaning) = (whole, Cleaning.none)
        if !keepMetadata, let type = PictureType(beginning) {
            switch try Self.cleaning(file, stamp, type) {
            case .clean, .unchanged(.noPicture): break
            case .removed(_, let kept): (pieces, cleaning) = (kept, .removed)
            case .unchanged(let reason): cleaning = .impossible(reason)
            }
        }
        (self.pieces, self.cleaning) = (pieces, cleaning)
        size = pieces.reduce(0) { $0 + UInt64($1.count) }
    }

    private static func cleaning(
        _ file: borrowing OpenFile,
        _ stamp: Stamp,
        _ type: PictureType
    ) throws(ShelfError) -> PictureCleaning {
        guard type.isCleanable else { return .unchanged(.notRemovable(type)) }
        guard stamp.size <= UInt64(PictureCleaning.mostBytes) else { return .unchanged(.tooLarge(type)) }
        return PictureCleaning(try beginning(file, stamp, PictureCleaning.mostBytes))
    }

    private static func beginning(
        _ file: borrowing OpenFile,
        _ stamp: Stamp,
        _ limit: Int
    ) throws(ShelfError) -> [UInt8] {
        let count = min(limit, Int(clamping: stamp.size))
        var done = 0
        let bytes = try [UInt8].reading(count) { (buffer) throws(ShelfError) in
            done = try file.read(into: buffer, at: 0)
            return done
        }
        guard done == count else { throw .changed }
        return bytes
    }

    /// Writes what is sent, from `offset` on.
    ///
    /// - Parameter room: watches the disk of the copy.
    /// - Returns: the manifest of what was written.
    /// - Throws: `changed` if the file is not what it was when it was looked at.
    func write(
        _ file: borrowing OpenFile,
        to copy: borrowing OpenFile,
        at offset: UInt64,
        _ room: inout RoomWatch,
        progress: (UInt64) -> Void
    ) throws(ShelfError) -> FileManifest {
        guard try Stamp(file) == stamp, let shape = try? FileShape(size: size) else { throw .changed }
        var hasher = FileHasher(shape)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.fileReadBytes, alignment: 4_096)
        defer { buffer.deallocate() }
        for piece in pieces {
            switch piece {
            case .bytes(let bytes):
                try bytes.writing { (bytes) throws(ShelfError) in
                    try Self.put(bytes, to: copy, at: offset, &hasher)
                }
            case .copy(let range):
                var start = range.lowerBound
                while start < range.upperBound {
                    let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(range.upperBound - start))
                    guard try file.read(into: part, at: UInt64(start)) == part.count else { throw .changed }
                    try Self.put(UnsafeRawBufferPointer(part), to: copy, at: offset, &hasher)
                    try room.wrote(part.count, to: copy)
                    start += part.count
                    progress(hasher.done)
                }
            }
        }
        // Files of the system itself, such as those of /proc, have no size, and bytes nevertheless.
        let behind = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(1))
        guard try file.read(into: behind, at: stamp.size) == 0 else { throw .changed }
        guard try Stamp(file) == stamp, let manifest = try? hasher.finish() else { throw .changed }
        return manifest
    }

    private static func put(
        _ bytes: UnsafeRawBufferPointer,
        to copy: borrowing OpenFile,
        at offset: UInt64,
        _ hasher: inout FileHasher
    ) throws(ShelfError) {
        try copy.write(bytes, at: offset + hasher.done)
        do throws(FileFault) { try hasher.update(bytes) } catch { throw .changed }
    }

    /// What tells that a file was changed while it was read.
    private struct Stamp: Equatable {
        let size: UInt64
        private let seconds: Int
        private let nanoseconds: Int

        init(_ file: borrowing OpenFile) throws(ShelfError) {
            size = try file.size()
            var status = stat()
            guard fstat(file.descriptor, &status) == 0 else { throw .lastFailure }
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }
}

extension PictureCleaning.Piece {
    fileprivate var count: Int {
        switch self {
        case .copy(let range): range.count
        case .bytes(let bytes): bytes.count
        }
    }
}
