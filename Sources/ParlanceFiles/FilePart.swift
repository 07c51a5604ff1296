import FoundationEssentials
import Glibc
import ParlanceCore
import ParlanceWire

/// A file that is being fetched: its verified chunks, each at its place. Of a file of one chunk nothing is noted, since there
/// is no part of it that a restart could go on with; so a small file costs few syncs.
struct FilePart: ~Copyable {
    let manifest: FileManifest
    /// The chunks that are verified and written; after a crash perhaps fewer.
    private(set) var chunks: ChunkSet
    private let file: OpenFile
    private let path: String
    private var unsynced = 0

    /// Continues what an earlier process has fetched, or begins anew.
    init(_ manifest: FileManifest, in folder: ShelfFolder) throws(ShelfError) {
        let path = folder.part(manifest.id)
        let noted = Self.noted(manifest, path)
        let chunks = noted ?? ChunkSet(total: manifest.shape.count)
        let done = chunks.chunks.reduce(0) { $0 + UInt64(manifest.shape.length(of: $1)) }
        try folder.checkRoom(for: manifest.shape.size - done)
        let isNew = noted == nil && manifest.shape.count > 1
        if isNew {
            try ShelfFolder.replace(path + ShelfFolder.leaves, manifest.bytes)
            try ShelfFolder.replace(path + ShelfFolder.chunks, chunks.bytes)
        }
        let file = try OpenFile(path, O_RDWR | O_CREAT)
        // The file has its size at once, and takes room only where something is written.
        guard ftruncate(file.descriptor, off_t(clamping: manifest.shape.size)) == 0 else { throw .lastFailure }
        if isNew { try ShelfFolder.sync(folder.parts) }
        self.manifest = manifest
        self.path = path
        self.chunks = chunks
        self.file = file
    }

    /// What an earlier process had noted of the same file, if the file is there.
    private static func noted(_ manifest: FileManifest, _ path: String) -> ChunkSet? {
        guard access(path, F_OK) == 0,
            let leaves = try? ShelfFolder.read(path + ShelfFolder.leaves, limit: manifest.shape.manifestBytes),
            leaves == manifest.bytes,
            let bytes = try? ShelfFolder.read(path + ShelfFolder.chunks, limit: Limits.chunks)
        else { return nil }
        return try? ChunkSet(bytes, total: manifest.shape.count)
    }

    /// What any process has noted of a file, if it is there in part.
    static func stored(_ id: FileID, in folder: ShelfFolder) -> (manifest: FileManifest, chunks: ChunkSet)? {
        let path = folder.part(id)
        guard let size = try? OpenFile(path, O_RDONLY).size(), let shape = try? FileShape(size: size),
            let leaves = try? ShelfFolder.read(path + ShelfFolder.leaves, limit: shape.manifestBytes),
            let manifest = try? FileManifest(leaves, of: id, shape), let chunks = noted(manifest, path)
        else { return nil }
        return (manifest, chunks)
    }

    /// Writes a verified chunk in contiguous pieces.
    mutating func write(_ pieces: [some ContiguousBytes], as chunk: Int) throws(ShelfError) {
        guard !chunks.contains(chunk) else { return }
        guard let range = manifest.shape.range(of: chunk) else { return broken("a verified chunk is one of the file") }
        var offset = range.lowerBound
        for piece in pieces {
            try piece.writing { (bytes) throws(ShelfError) in
                try file.write(bytes, at: offset)
                offset += UInt64(bytes.count)
            }
        }
        // Messages are synced to the same disk, and would wait while all chunks since the last sync are written.
        file.beginSync(manifest.shape.length(of: chunk), at: range.lowerBound)
        chunks.insert(chunk)
        unsynced += manifest.shape.length(of: chunk)
        guard unsynced >= Limits.unsyncedFileBytes else { return }
        try note()
        // Others write to the disk, too, since this was begun.
        try RoomWatch().check(file)
    }

    /// Bytes of chunks that are there.
    func read(_ range: Range<UInt64>) throws(ShelfError) -> [UInt8] {
        guard Self.has(range, manifest, chunks) else { throw .missing }
        return try [UInt8].reading(Int(range.upperBound - range.lowerBound)) { (buffer) throws(ShelfError) in
            try file.read(into: buffer, at: range.lowerBound)
        }
    }

    /// Whether chunks that are there have all bytes of a range.
    static func has(_ range: Range<UInt64>, _ manifest: FileManifest, _ chunks: ChunkSet) -> Bool {
        guard let first = manifest.shape.chunk(at: range.lowerBound), !range.isEmpty,
            let last = manifest.shape.chunk(at: range.upperBound - 1)
        else { return false }
        return (first...last).allSatisfy { chunks.contains($0) }
    }

    /// Notes which chunks are there, once they are on the disk.
    mutating func note() throws(ShelfError) {
        guard unsynced > 0, manifest.shape.count > 1 else { return }
        try file.sync()
        try ShelfFolder.replace(path + ShelfFolder.chunks, chunks.bytes)
        unsynced = 0
    }

    /// Everything is on the disk.
    func sync() throws(ShelfError) { try file.sync() }
}
