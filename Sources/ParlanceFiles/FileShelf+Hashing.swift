import Glibc
import ParlanceCore
import ParlanceWire

// The hashes of files.
extension FileShelf {
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
}
