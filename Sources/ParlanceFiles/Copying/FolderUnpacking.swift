import CParlanceSystem
import Glibc
package import ParlanceCore
package import ParlanceWire
package import ParlanceWords

/// Makes a folder of the one file as which it came (files.md, "Folders"). The folder has a hidden name until all files are
/// there, verified and on the disk; if anything is wrong, nothing of it stays.
package enum FolderUnpacking {
    /// - Parameters:
    ///   - source: the file.
    ///   - id: what its bytes have to be.
    ///   - folder: where the folder comes to be. No link is followed in it.
    ///   - progress: is told how many bytes were read.
    ///   - listed: is told what is in it, before anything is written.
    /// - Returns: the name of the folder.
    /// - Throws: `damaged` if the bytes are not those of the file any more; `malformed` if they are, but are no folder, or a
    ///   file in it is not the one that the listing names; `failed(EEXIST)` if the name is taken.
    package static func unpack(
        _ source: String,
        _ id: FileID,
        to folder: UserPath,
        as name: FileDelivery.Name,
        progress: (UInt64) -> Void = { _ in },
        listed: (FolderListing) -> Void = { _ in }
    ) throws(ShelfError) -> UserPath {
        let source = try OpenFile(source, O_RDONLY)
        let place = try OpenFile(folder, O_RDONLY | O_DIRECTORY)
        let room = try place.room(beside: source)
        try room.check(place, for: try source.size())
        let draft = try DraftFolder(in: place)
        try write(source, id, to: draft.folder, room, progress, listed)
        // One call for all of them: a folder can have many small files.
        guard parlance_sync_file_system(place.descriptor) == 0 else { throw .lastFailure }
        for number in 1...Limits.copiesOfAName {
            guard let taken = name.candidate(number) else { break }
            guard try draft.appear(as: taken) else { continue }
            try place.syncNames()
            return taken
        }
        throw .failed(EEXIST)
    }

    private static func write(
        _ source: borrowing OpenFile,
        _ id: FileID,
        to root: borrowing OpenFile,
        _ room: RoomWatch,
        _ progress: (UInt64) -> Void,
        _ listed: (FolderListing) -> Void
    ) throws(ShelfError) {
        var unpacking = Unpacking(size: try source.size(), room)
        var offset: UInt64 = 0
        let manifest = try FileShelf.read(source) { (bytes) throws(ShelfError) in
            try unpacking.take(bytes, root, listed)
            offset += UInt64(bytes.count)
            progress(offset)
        }
        guard manifest.id == id else { throw .damaged }
        // Empty files at the end.
        try unpacking.take(UnsafeRawBufferPointer(start: nil, count: 0), root, listed)
        guard unpacking.isComplete else { throw .malformed }
    }

    /// What was read so far of a folder. What is not a folder is read to its end, too: only then is it known whose fault that is.
    private struct Unpacking: ~Copyable {
        private var writer = FolderWriter()
        private var reader: PackedFolderReader
        private var isFolder = true
        private let room: RoomWatch

        init(size: UInt64, _ room: RoomWatch) {
            reader = PackedFolderReader(size: size)
            self.room = room
        }

        var isComplete: Bool { isFolder && reader.isComplete }

        mutating func take(
            _ bytes: UnsafeRawBufferPointer,
            _ root: borrowing OpenFile,
            _ listed: (FolderListing) -> Void
        ) throws(ShelfError) {
            var rest = bytes
            while isFolder {
                let next: PackedFolderReader.Step?
                do throws(FileFault) {
                    next = try reader.next(&rest)
                } catch {
                    isFolder = false
                    return
                }
                guard let step = next else { return }
                // Many empty files take much more than their bytes.
                if case .listing(let listing) = step {
                    try room.check(root, for: listing.sizeOnDisk)
                    listed(listing)
                }
                do throws(ShelfError) {
                    try writer.take(step, root)
                } catch {
                    guard error == .malformed else { throw error }
                    isFolder = false
                }
            }
        }
    }
}
