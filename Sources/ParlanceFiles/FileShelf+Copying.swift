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
        let source = try OpenFile(self.folder.whole(id), O_RDONLY)
        let place = try OpenFile(folder, O_RDONLY | O_DIRECTORY)
        try ShelfFolder(path: folder).checkRoom(for: try source.size())
        let copy = try DraftCopy(in: place)
        do throws(ShelfError) {
            try Self.copy(source, to: copy.file, id)
        } catch {
            // Good bytes can take its place again.
            if error == .damaged { remove(id) }
            throw error
        }
        try copy.file.sync()
        for number in 1...Limits.copiesOfAName {
            let taken = number == 1 ? name : name.numbered(number)
            guard try copy.appear(as: taken.text) else { continue }
            try place.sync()
            touch(id)
            return taken
        }
        throw .failed(EEXIST)
    }

    private static func copy(_ source: borrowing OpenFile, to copy: borrowing OpenFile, _ id: FileID) throws(ShelfError)
    {
        var offset: UInt64 = 0
        let manifest = try read(source) { (bytes) throws(ShelfError) in
            try copy.write(bytes, at: offset)
            offset += UInt64(bytes.count)
        }
        guard manifest.id == id else { throw .damaged }
    }

    /// The manifest of a file, which is read once.
    static func manifest(of file: borrowing OpenFile) throws(ShelfError) -> FileManifest {
        try read(file) { (_) throws(ShelfError) in }
    }

    /// Reads a file from its beginning to its end.
    private static func read(
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
    package func shrink(to quota: UInt64, keep: (FileID) -> Bool) -> [Entry] {
        let entries = entries()
        var total = entries.reduce(0) { $0 + $1.size }
        var removed: [Entry] = []
        for entry in entries where total > quota && !keep(entry.id) {
            remove(entry.id)
            total -= entry.size
            removed.append(entry)
        }
        return removed
    }
}
