import Glibc
package import ParlanceCore
package import ParlanceWire
import Synchronization

/// The files that messages name, on the disk of this node, by the hashes of their contents (files.md, "Content"). The same
/// file is there once, however many messages name it.
///
/// A file is on the shelf as a whole, or in part while it is fetched. Every chunk is verified before it is written, and
/// every file again when it is copied to a place where people use it. Calls block on the disk: make them on a thread that may.
package final class FileShelf: Sendable {
    /// A file that is there as a whole.
    package struct Entry: Equatable, Sendable {
        package var id: FileID
        /// Bytes.
        package var size: UInt64
        /// When it was last taken, copied or touched, in seconds since 1970.
        package var used: Int64
    }

    /// A file that is being fetched. Each has a lock of its own, so that the disk work of one does not hold up another.
    final class Box: Sendable {
        let manifest: FileManifest
        let part: Mutex<FilePart>

        init(_ part: consuming sending FilePart) {
            manifest = part.manifest
            self.part = Mutex(part)
        }
    }

    let folder: ShelfFolder
    /// The files that are being fetched by this process.
    let parts = Mutex<[FileID: Box]>([:])

    /// Opens the shelf, and creates it if it is not there. What somebody was about to put on it at the last end is removed.
    package init(at path: String) throws(ShelfError) {
        folder = ShelfFolder(path: path)
        try folder.prepare()
        for name in ShelfFolder.names(in: folder.incoming) { unlink(folder.incoming + "/" + name) }
        removeRests(in: folder.parts)
        for group in ShelfFolder.names(in: folder.whole) { removeRests(in: folder.whole + "/" + group) }
    }

    /// Removes what stands beside files that are not there: an end in the middle of something left it.
    private func removeRests(in folder: String) {
        let names = ShelfFolder.names(in: folder)
        let files = Set(names)
        for name in names where FileID(hex: name) == nil && !files.contains(String(name.prefix { $0 != "." })) {
            unlink(folder + "/" + name)
        }
        for name in names where name.hasSuffix(ShelfFolder.new) { unlink(folder + "/" + name) }
    }

    /// Where to write a file before it is taken. The name is the caller's, without "/".
    package func incoming(_ name: String) -> String { folder.incoming + "/" + name }

    // Files that are whole.

    /// Puts a file on the shelf that was written to `incoming`.
    ///
    /// - Parameter limit: the most bytes that it may have.
    /// - Returns: its ID and the manifest, once it is durable.
    package func take(_ name: String, limit: UInt64 = Limits.fileBytes) throws(ShelfError) -> FileManifest {
        let manifest = try look(at: name, limit: limit)
        try put(name, manifest)
        return manifest
    }

    /// The first half of `take`, which reads the whole file: its manifest, once its bytes are durable.
    package func look(at name: String, limit: UInt64 = Limits.fileBytes) throws(ShelfError) -> FileManifest {
        guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else { throw .notAFile }
        try folder.checkRoom(for: 0)
        // A pipe must not hold this up.
        let file = try OpenFile(incoming(name), O_RDONLY | O_NONBLOCK)
        guard try file.size() <= limit else { throw .tooLarge }
        let manifest = try Self.manifest(of: file)
        try file.sync()
        return manifest
    }

    /// The second half of `take`, which changes the shelf: moves the file to its place.
    package func put(_ name: String, _ manifest: FileManifest) throws(ShelfError) {
        // One that is there already is replaced: its bytes may have changed on the disk, and these have not.
        try place(manifest, from: incoming(name))
        try ShelfFolder.sync(folder.folder(of: manifest.id))
        touch(manifest.id)
        drop(part: manifest.id)
    }

    /// Moves a file to its place. It is durable once the folder is synced. The manifest comes first: where a file is, there is
    /// its manifest.
    func place(_ manifest: FileManifest, from path: String) throws(ShelfError) {
        let place = folder.whole(manifest.id)
        try folder.makeFolder(of: manifest.id)
        // That of a small file is quickly written anew if a loss of power damages it (`mend`).
        try ShelfFolder.replace(place + ShelfFolder.leaves, manifest.bytes, isSynced: manifest.shape.count > 1)
        guard chmod(path, 0o600) == 0 else { throw .lastFailure }
        try ShelfFolder.move(path, to: place)
    }

    package func has(_ id: FileID) -> Bool { access(folder.whole(id), F_OK) == 0 }

    /// The manifest of a file that is there as a whole.
    package func manifest(of id: FileID) throws(ShelfError) -> FileManifest {
        let file = try OpenFile(folder.whole(id), O_RDONLY)
        guard let shape = try? FileShape(size: try file.size()) else { throw .damaged }
        let leaves = try ShelfFolder.read(folder.whole(id) + ShelfFolder.leaves, limit: shape.manifestBytes)
        guard let manifest = try? FileManifest(leaves, of: id, shape) else { throw .damaged }
        return manifest
    }

    /// All files that are whole, the one used longest ago first.
    package func entries() -> [Entry] {
        var entries: [Entry] = []
        for group in ShelfFolder.names(in: folder.whole) {
            for name in ShelfFolder.names(in: folder.whole + "/" + group) {
                guard let id = FileID(hex: name) else { continue }
                var status = stat()
                guard lstat(folder.whole(id), &status) == 0 else { continue }
                entries.append(
                    Entry(id: id, size: UInt64(clamping: status.st_size), used: Int64(status.st_mtim.tv_sec))
                )
            }
        }
        return entries.sorted { ($0.used, $0.id.hex) < ($1.used, $1.id.hex) }
    }

    /// Notes that a file was used now.
    package func touch(_ id: FileID) { utimensat(AT_FDCWD, folder.whole(id), nil, AT_SYMLINK_NOFOLLOW) }

    /// Removes a file, and what is there of it in part.
    ///
    /// - Returns: whether the file is gone.
    @discardableResult
    package func remove(_ id: FileID) -> Bool {
        drop(part: id)
        // Without its leaves it would be read as one that is damaged.
        guard unlink(folder.whole(id)) == 0 || errno == ENOENT else { return false }
        unlink(folder.whole(id) + ShelfFolder.leaves)
        return true
    }

    /// Removes a file if it was not used since a moment, in seconds since 1970: somebody may have just begun to use it.
    ///
    /// - Returns: whether it is removed.
    package func remove(_ id: FileID, unusedSince moment: Int64) -> Bool {
        guard let entry = entry(of: id), entry.used < moment else { return false }
        return remove(id)
    }

    // Serving.

    /// Bytes of a chunk that is here. Whoever gets them verifies them.
    package func read(_ id: FileID, _ range: Range<UInt64>) throws(ShelfError) -> [UInt8] {
        let count = range.upperBound - range.lowerBound
        guard count <= UInt64(Limits.fileReadBytes) else { throw .tooLarge }
        if let box = parts.withLock({ $0[id] }) {
            return try box.part.withLock { (part) throws(ShelfError) in try part.read(range) }
        }
        if !has(id) {
            guard let (manifest, chunks) = FilePart.stored(id, in: folder), FilePart.has(range, manifest, chunks) else {
                throw .missing
            }
        }
        let file = try OpenFile(has(id) ? folder.whole(id) : folder.part(id), O_RDONLY)
        let bytes = try [UInt8].reading(Int(count)) { (buffer) throws(ShelfError) in
            try file.read(into: buffer, at: range.lowerBound)
        }
        guard bytes.count == Int(count) else { throw .damaged }
        return bytes
    }
}
