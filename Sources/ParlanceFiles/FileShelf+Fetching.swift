import Glibc
package import ParlanceCore
package import ParlanceWire
import Synchronization

// Files that come chunk by chunk from others.
extension FileShelf {
    /// Begins to fetch a file, or continues what an earlier process has fetched of it.
    ///
    /// - Returns: the chunks that are there.
    /// - Throws: `full` before anything is fetched, if the disk has no room for the rest.
    package func begin(_ manifest: FileManifest) throws(ShelfError) -> ChunkSet {
        if has(manifest.id) { return ChunkSet(all: manifest.shape.count) }
        return try parts.withLock { (parts) throws(ShelfError) in
            if let box = parts[manifest.id] { return box.part.chunks }
            let box = Box(try FilePart(manifest, in: folder))
            parts[manifest.id] = box
            return box.part.chunks
        }
    }

    /// Writes a chunk of a file that was begun.
    ///
    /// - Returns: whether it is the right one. Otherwise nothing was written.
    package func write(_ bytes: [UInt8], as chunk: Int, of id: FileID) throws(ShelfError) -> Bool {
        try parts.withLock { (parts) throws(ShelfError) in
            guard let box = parts[id] else { throw .missing }
            return try box.part.write(bytes, as: chunk)
        }
    }

    /// Moves a file of which every chunk is there to the others that are whole. It is durable then.
    package func finish(_ id: FileID) throws(ShelfError) {
        if has(id) { return drop(part: id) }
        let manifest = try parts.withLock { (parts) throws(ShelfError) in
            guard let box = parts[id], box.part.chunks.isComplete else { throw .missing }
            try box.part.sync()
            return box.part.manifest
        }
        try keep(manifest, from: folder.part(id))
        drop(part: id)
    }

    /// Notes what is there of a file, and forgets it until it is begun again: the transfer rests.
    package func rest(_ id: FileID) throws(ShelfError) {
        try parts.withLock { (parts) throws(ShelfError) in
            try parts[id]?.part.note()
            parts[id] = nil
        }
    }

    /// Removes what is there in part.
    package func drop(part id: FileID) {
        parts.withLock { $0[id] = nil }
        for suffix in ["", ShelfFolder.leaves, ShelfFolder.chunks] { unlink(folder.part(id) + suffix) }
    }

    /// Files that are there in part, whether or not they are being fetched.
    package func unfinished() -> [FileID] {
        ShelfFolder.names(in: folder.parts).compactMap { FileID(hex: $0) }
    }
}
