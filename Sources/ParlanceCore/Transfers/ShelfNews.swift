package import ParlanceWire

/// What the shelf of files reports, in answer to `ShelfWork`.
package enum ShelfNews: Equatable, Sendable {
    case looked(FileID, ShelfContent)
    /// What is there of a file that was begun.
    case begun(FileID, Result<ChunkSet, ShelfTrouble>)
    case kept(FileID, chunk: Int, ChunkOutcome)
    /// `nil`: the file is there as a whole, and durable.
    case finished(FileID, ShelfTrouble?)
    /// The bytes; `nil` if they are not there, or could not be read.
    case read(ReadID, [UInt8]?)
    /// A whole file was taken, was removed, or its bytes turned out to have changed: what is there is told anew.
    case changed(FileID, ShelfContent)
}

/// What the shelf has of a file.
package enum ShelfContent: Equatable, Sendable {
    case nothing
    case part(FileManifest, ChunkSet)
    case whole(FileManifest)
}

/// What has become of a chunk.
package enum ChunkOutcome: Equatable, Sendable {
    case written
    /// It is not the chunk that it was said to be. Nothing was written.
    case wrong
    case failed(ShelfTrouble)
}

/// Why the shelf could not do something.
package enum ShelfTrouble: Error, Equatable, Sendable {
    /// The disk has no room: so many bytes are needed, and so many are free.
    case full(needed: UInt64, free: UInt64)
    /// The bytes on the disk are not those of the file any more.
    case damaged
    /// The file is not there, or was not begun.
    case missing
    /// A call of the system failed with this `errno`.
    case failed(Int32)
}
