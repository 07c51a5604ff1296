package import FoundationEssentials
package import ParlanceWire

/// What the shelf of files has to do. Work on one file is done in order; each item but the last three is answered with
/// `ShelfNews`.
package enum ShelfWork: Equatable, Sendable {
    /// Say what is there of a file; report `looked`.
    case look(FileID)
    /// Begin to fetch a file, or go on with what is there of it; report `begun`.
    case begin(FileManifest)
    /// Verify a chunk, which came in these pieces, and write it; report `kept`.
    case keep(FileID, chunk: Int, pieces: [Data])
    /// Every chunk is there: make it a whole file; report `finished`.
    case finish(FileID)
    /// Read bytes of chunks that are there; report `read`.
    case read(ReadID, FileID, Range<UInt64>)
    /// Nothing is fetched of it for now: note what is there, and free what it takes in memory.
    case rest(FileID)
    /// Remove what is there in part.
    case drop(FileID)
}
