import Glibc
import ParlanceCore
import ParlanceWire

/// A file that is being fetched: its verified chunks, each at its place.
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
        if noted == nil {
            try ShelfFolder.replace(path + ShelfFolder.leaves, manifest.bytes)
            try ShelfFolder.replace(path + ShelfFolder.chunks, chunks.bytes)
        }
        let file = try OpenFile(path, O_RDWR | O_CREAT)
        // The file has its size at once, and takes room only where something is written.
        guard ftruncate(file.descriptor, off_t(clamping: manifest.shape.size)) == 0 else { throw .lastFailure }
        if noted == nil { try ShelfFolder.sync(folder.parts) }
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

    /// Writes a chunk that is verified.
    mutating func write(_ bytes: [UInt8], as chunk: Int) throws(ShelfError) {
        guard !chunks.contains(chunk), let range = manifest.shape.range(of: chunk) else { return }
        try bytes.writing { (bytes) throws(ShelfError) in try file.write(bytes, at: range.lowerBound) }
        chunks.insert(chunk)
        unsynced += bytes.count
        if unsynced >= Limits.unsyncedFileBytes { try note() }
    }

    /// Bytes of chunks that are there.
    func read(_ range: Range<UInt64>) throws(ShelfError) -> [UInt8] {
        guard let first = manifest.shape.chunk(at: range.lowerBound), !range.isEmpty,
            let last = manifest.shape.chunk(at: range.upperBound - 1),
            (first...last).allSatisfy({ chunks.contains($0) })
        else { throw .missing }
        return try [UInt8].reading(Int(range.upperBound - range.lowerBound)) { (buffer) throws(ShelfError) in
            try file.read(into: buffer, at: range.lowerBound)
        }
    }

    /// Notes which chunks are there, once they are on the disk.
    mutating func note() throws(ShelfError) {
        guard unsynced > 0 else { return }
        try file.sync()
        try ShelfFolder.replace(path + ShelfFolder.chunks, chunks.bytes)
        unsynced = 0
    }

    /// Everything is on the disk.
    func sync() throws(ShelfError) { try file.sync() }
}
