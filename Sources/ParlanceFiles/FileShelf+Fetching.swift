package import FoundationEssentials
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
        if let box = parts.withLock({ $0[manifest.id] }) { return box.part.withLock { $0.chunks } }
        let box = Box(try FilePart(manifest, in: folder))
        // Two callers that begin at once go on with one.
        let taken = parts.withLock { parts in
            let taken = parts[manifest.id] ?? box
            parts[manifest.id] = taken
            return taken
        }
        return taken.part.withLock { $0.chunks }
    }

    /// Writes a chunk of a file that was begun.
    ///
    /// - Returns: whether it is the right one. Otherwise nothing was written.
    package func write(_ bytes: [UInt8], as chunk: Int, of id: FileID) throws(ShelfError) -> Bool {
        guard let box = parts.withLock({ $0[id] }) else { throw .missing }
        guard box.manifest.verifies(bytes, as: chunk) else { return false }
        try use(box) { (part) throws(ShelfError) in try part.write([bytes], as: chunk) }
        return true
    }

    /// The same for a chunk in contiguous pieces, which are not copied.
    package func write(_ pieces: [Data], as chunk: Int, of id: FileID) throws(ShelfError) -> Bool {
        guard let box = parts.withLock({ $0[id] }) else { throw .missing }
        guard box.manifest.verifies(pieces: pieces, as: chunk) else { return false }
        try use(box) { (part) throws(ShelfError) in try part.write(pieces, as: chunk) }
        return true
    }

    /// Moves files of which every chunk is there to the others that are whole. Those that did not fail are durable then.
    /// Several at once cost fewer syncs, as the first one writes what the others would.
    ///
    /// - Parameter files: each once.
    /// - Returns: the files that failed, and why.
    package func finish(_ files: [FileID]) -> [FileID: ShelfError] {
        var faults: [FileID: ShelfError] = [:]
        var moved: [String: [FileID]] = [:]
        var synced: [FileManifest] = []
        for file in files {
            do throws(ShelfError) {
                synced.append(try syncComplete(file))
            } catch {
                faults[file] = error
            }
        }
        for manifest in synced {
            do throws(ShelfError) {
                try place(manifest, from: folder.part(manifest.id))
                moved[folder.folder(of: manifest.id), default: []].append(manifest.id)
            } catch {
                faults[manifest.id] = error
            }
        }
        for (folder, files) in moved {
            do throws(ShelfError) {
                try ShelfFolder.sync(folder)
                for file in files { drop(part: file) }
            } catch {
                for file in files { faults[file] = error }
            }
        }
        return faults
    }

    private func syncComplete(_ file: FileID) throws(ShelfError) -> FileManifest {
        guard let box = parts.withLock({ $0[file] }), box.part.withLock({ $0.chunks.isComplete }) else {
            throw .missing
        }
        try use(box) { (part) throws(ShelfError) in try part.sync() }
        return box.manifest
    }

    /// Notes what is there of a file, and forgets it until it is begun again: the transfer rests.
    package func rest(_ id: FileID) throws(ShelfError) {
        guard let box = parts.withLock({ $0[id] }) else { return }
        try use(box) { (part) throws(ShelfError) in try part.note() }
        parts.withLock { $0[id] = nil }
    }

    /// Notes what is there of every file, before this process ends.
    package func restAll() throws(ShelfError) {
        for id in parts.withLock({ $0.keys.sorted() }) { try rest(id) }
    }

    /// Works on a part. If that fails, nothing is believed but what was noted before: the system may have dropped what it
    /// could not write, and says so only once.
    private func use(_ box: Box, _ work: (inout FilePart) throws(ShelfError) -> Void) throws(ShelfError) {
        do throws(ShelfError) {
            try box.part.withLock { (part) throws(ShelfError) in try work(&part) }
        } catch {
            parts.withLock { if $0[box.manifest.id] === box { $0[box.manifest.id] = nil } }
            throw error
        }
    }

    /// Removes what is there in part.
    package func drop(part id: FileID) {
        parts.withLock { $0[id] = nil }
        // The file last: what is beside it has no use without it, and is removed at the next start.
        for suffix in [ShelfFolder.chunks, ShelfFolder.leaves, ""] { unlink(folder.part(id) + suffix) }
    }

    /// Files that are there in part, whether or not they are being fetched.
    package func unfinished() -> [FileID] {
        ShelfFolder.names(in: folder.parts).compactMap { FileID(hex: $0) }
    }
}
