import Glibc
package import ParlanceCore
package import ParlanceWire
import Synchronization

// What is on the shelf, and how much room it takes.
extension FileShelf {
    /// What the files take on the disk.
    package struct Usage: Equatable, Sendable {
        package var wholeFiles = 0
        package var wholeBytes: UInt64 = 0
        package var partFiles = 0
        /// What is written of them so far.
        package var partBytes: UInt64 = 0

        package init() {}
    }

    /// What is there of a file.
    ///
    /// - Throws: `damaged` or `missing` if a file is there without a manifest that fits.
    package func content(of id: FileID) throws(ShelfError) -> ShelfContent {
        if has(id) { return .whole(try manifest(of: id)) }
        if let box = parts.withLock({ $0[id] }) { return .part(box.manifest, box.part.withLock { $0.chunks }) }
        return FilePart.stored(id, in: folder).map { .part($0.manifest, $0.chunks) } ?? .nothing
    }

    /// Reads a whole file without a manifest that fits, and writes its manifest anew.
    ///
    /// - Throws: `damaged` if the bytes are not those of the file any more.
    package func mend(_ id: FileID) throws(ShelfError) -> FileManifest {
        let found = try verify(id)
        try ShelfFolder.replace(folder.whole(id) + ShelfFolder.leaves, found.bytes)
        try ShelfFolder.sync(folder.folder(of: id))
        return found
    }

    /// Reads a whole file.
    ///
    /// - Returns: its manifest.
    /// - Throws: `damaged` if the bytes are not those of the file any more.
    @discardableResult
    package func verify(_ id: FileID) throws(ShelfError) -> FileManifest {
        let found = try Self.manifest(of: OpenFile(folder.whole(id), O_RDONLY))
        guard found.id == id else { throw .damaged }
        return found
    }

    /// Where a file is that is there as a whole.
    package func path(of id: FileID) -> String? { has(id) ? folder.whole(id) : nil }

    /// A file that is there as a whole.
    package func entry(of id: FileID) -> Entry? {
        Self.status(folder.whole(id)).map {
            Entry(id: id, size: UInt64(clamping: $0.st_size), used: Int64($0.st_mtim.tv_sec))
        }
    }

    /// When something was last written of a file that is there in part, in seconds since 1970.
    package func lastWritten(part id: FileID) -> Int64? {
        Self.status(folder.part(id)).map { Int64($0.st_mtim.tv_sec) }
    }

    /// What a file takes on the disk: whole, or as far as it has come; 0 if nothing is here.
    package func bytes(of id: FileID) -> UInt64 {
        if let entry = entry(of: id) { return entry.size }
        // In units of 512 bytes: the places of chunks that are missing take no room.
        return Self.status(folder.part(id)).map { UInt64(clamping: $0.st_blocks) * 512 } ?? 0
    }

    package func usage() -> Usage {
        var usage = Usage()
        for entry in entries() {
            usage.wholeFiles += 1
            usage.wholeBytes += entry.size
        }
        for id in unfinished() {
            guard lastWritten(part: id) != nil else { continue }
            usage.partFiles += 1
            usage.partBytes += bytes(of: id)
        }
        return usage
    }

    /// If all files have more bytes than the quota, removes some that can be fetched again, the ones used longest ago first,
    /// until a 64th of it is free: this takes as long as there are files, so it is done seldom.
    ///
    /// - Parameter keep: files that stay.
    /// - Returns: what was removed, and the bytes of the others.
    package func shrink(to quota: UInt64, keep: (Entry) -> Bool) -> (removed: [Entry], bytes: UInt64) {
        let entries = entries()
        var total = entries.reduce(0) { $0 + $1.size }
        var removed: [Entry] = []
        guard total > quota else { return ([], total) }
        for entry in entries where total > quota - quota / 64 {
            // It may have been used since the list was made.
            guard let now = self.entry(of: entry.id), !keep(now), remove(entry.id) else { continue }
            total -= entry.size
            removed.append(entry)
        }
        return (removed, total)
    }

    /// Removes what somebody was about to put on the shelf and has not touched since a moment, in seconds since 1970.
    package func removeIncoming(before moment: Int64) {
        for name in ShelfFolder.names(in: folder.incoming) {
            guard let status = Self.status(incoming(name)), Int64(status.st_mtim.tv_sec) < moment else { continue }
            unlink(incoming(name))
        }
    }

    /// Removes what somebody was about to put on the shelf.
    package func removeIncoming(_ name: String) {
        guard !name.contains("/") else { return }
        unlink(incoming(name))
    }

    /// Bytes that can still be written.
    package func free() throws(ShelfError) -> UInt64 { try folder.free() }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
