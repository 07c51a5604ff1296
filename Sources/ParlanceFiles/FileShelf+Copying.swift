import Glibc
package import ParlanceCore
package import ParlanceWire

// Copies for people, and the hashes of files.
extension FileShelf {
    /// Copies a file to a folder where people use it. Nothing that is there is replaced: another file of that name gives the
    /// copy a number. No link is followed, and the copy cannot be executed.
    ///
    /// - Returns: the name of the copy.
    /// - Throws: `damaged` if the bytes on the disk are not those of the file any more; then there is no copy.
    package func copy(_ id: FileID, to folder: String, as name: SafeFileName) throws(ShelfError) -> SafeFileName {
        do throws(ShelfError) {
            let taken = try FileDelivery.copy(self.folder.whole(id), id, to: folder, as: .free(name))
            touch(id)
            return SafeFileName(taken)
        } catch {
            // Good bytes can take its place again.
            if error == .damaged { remove(id) }
            throw error
        }
    }

    /// The manifest of a file, which is read once.
    static func manifest(of file: borrowing OpenFile) throws(ShelfError) -> FileManifest {
        try read(file) { (_) throws(ShelfError) in }
    }

    /// Reads a file from its beginning to its end.
    static func read(
        _ file: borrowing OpenFile,
        _ take: (UnsafeRawBufferPointer) throws(ShelfError) -> Void
    ) throws(ShelfError) -> FileManifest {
        do {
            let shape = try FileShape(size: try file.size())
            var hasher = FileHasher(shape)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.fileReadBytes, alignment: 4_096)
            defer { buffer.deallocate() }
            while true {
                let count = try file.read(into: buffer, at: hasher.done)
                guard count > 0 else { break }
                let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(count))
                try hasher.update(bytes)
                try take(bytes)
            }
            return try hasher.finish()
        } catch let fault as FileFault {
            throw fault == .tooLarge ? .tooLarge : .changed
        } catch let error as ShelfError {
            throw error
        } catch {
            throw .failed(EIO)
        }
    }

    /// Removes files that can be fetched again, the ones used longest ago first, until all files have at most so many bytes.
    ///
    /// - Parameter keep: files that stay.
    /// - Returns: what was removed.
    package func shrink(to quota: UInt64, keep: (Entry) -> Bool) -> [Entry] {
        let entries = entries()
        var total = entries.reduce(0) { $0 + $1.size }
        var removed: [Entry] = []
        for entry in entries where total > quota {
            // It may have been used since the list was made.
            guard let now = self.entry(of: entry.id), !keep(now) else { continue }
            remove(entry.id)
            total -= entry.size
            removed.append(entry)
        }
        return removed
    }
}
