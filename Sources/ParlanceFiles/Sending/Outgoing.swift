import Glibc
import ParlanceWire
package import ParlanceWords

/// Makes the copy of a file or folder of the user that the shelf takes: the user can change or remove the original at once.
package enum Outgoing {
    /// Copies a file or folder to `place`, where nothing is. Links are followed up to what the user named, and not within a
    /// folder. Nothing but ordinary files and folders is ever opened.
    ///
    /// - Parameters:
    ///   - limit: the most bytes.
    ///   - keepMetadata: whether pictures stay as they are.
    ///   - progress: is told how many bytes of how many were written.
    /// - Throws: why it cannot be sent; then there is no copy.
    package static func copy(
        _ path: UserPath,
        to place: String,
        limit: UInt64 = Limits.fileBytes,
        keepMetadata: Bool,
        progress: (UInt64, UInt64) -> Void
    ) throws(SourceError) -> OutgoingFacts {
        do throws(SourceError) {
            if try isFolder(path) {
                let packing = try FolderPacking(path, keepMetadata: keepMetadata)
                return try packing.write(to: place, limit: limit, progress: progress)
            }
            return try file(path, to: place, limit: limit, keepMetadata: keepMetadata, progress: progress)
        } catch {
            unlink(place)
            throw error
        }
    }

    /// Whether the user named a folder.
    ///
    /// - Throws: `notAFile` for a device, a pipe or a socket, before it is opened: opening it may do something.
    package static func isFolder(_ path: UserPath) throws(SourceError) -> Bool {
        var status = stat()
        guard stat(path.system, &status) == 0 else { throw SourceError(path.shown, .lastFailure) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return true
        case S_IFREG: return false
        default: throw SourceError(path.shown, .notAFile)
        }
    }

    private static func file(
        _ path: UserPath,
        to place: String,
        limit: UInt64,
        keepMetadata: Bool,
        progress: (UInt64, UInt64) -> Void
    ) throws(SourceError) -> OutgoingFacts {
        do throws(ShelfError) {
            let file = try OpenFile(following: path)
            let source = try SourceFile(file, keepMetadata: keepMetadata)
            guard source.size <= limit else { throw .tooLarge }
            let copy = try create(place, source.size)
            var room = RoomWatch()
            _ = try source.write(file, to: copy, at: 0, &room) { progress($0, source.size) }
            return facts(of: source, path.shown)
        } catch {
            throw SourceError(path.shown, error)
        }
    }

    /// Copies what a descriptor gives until its end, such as standard input; pictures are cleaned as others are.
    ///
    /// - Parameters:
    ///   - limit: the most bytes.
    ///   - progress: is told how many bytes were written.
    /// - Throws: `tooLarge` behind the limit.
    package static func copy(
        descriptor: Int32,
        name: String,
        to place: String,
        limit: UInt64,
        keepMetadata: Bool,
        progress: (UInt64) -> Void
    ) throws(SourceError) -> OutgoingFacts {
        let unclean = Self.unclean(place)
        defer { unlink(unclean) }
        do throws(ShelfError) {
            try drain(descriptor, to: try create(unclean, 0), limit: limit, progress)
            let file = try OpenFile(unclean, O_RDONLY)
            let source = try SourceFile(file, keepMetadata: keepMetadata)
            if source.cleaning == .removed {
                let copy = try create(place, source.size)
                var room = RoomWatch()
                _ = try source.write(file, to: copy, at: 0, &room) { _ in }
            } else {
                try ShelfFolder.move(unclean, to: place)
            }
            return facts(of: source, name)
        } catch {
            unlink(place)
            throw SourceError(name, error)
        }
    }

    /// The files that can be left of a copy that was not finished.
    package static func places(of place: String) -> [String] { [place, unclean(place)] }

    /// Where the bytes of a descriptor are until pictures are cleaned.
    private static func unclean(_ place: String) -> String { place + ".raw" }

    private static func drain(
        _ descriptor: Int32,
        to copy: borrowing OpenFile,
        limit: UInt64,
        _ progress: (UInt64) -> Void
    ) throws(ShelfError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.fileReadBytes, alignment: 4_096)
        defer { buffer.deallocate() }
        var done: UInt64 = 0
        var room = RoomWatch()
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .lastFailure }
            guard count > 0 else { return }
            guard UInt64(count) <= limit - done else { throw .tooLarge }
            try copy.write(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)), at: done)
            try room.wrote(count, to: copy)
            done += UInt64(count)
            progress(done)
        }
    }

    private static func facts(of source: SourceFile, _ path: String) -> OutgoingFacts {
        var facts = OutgoingFacts(size: source.size)
        facts.pixels = source.pixels
        facts.add(source.cleaning, path)
        return facts
    }

    /// A new file of the owner alone, once the disk has room for it.
    static func create(_ place: String, _ size: UInt64) throws(ShelfError) -> OpenFile {
        let folder = place.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(place[..<$0]) } ?? "."
        try ShelfFolder(path: folder).checkRoom(for: size)
        return try OpenFile(place, O_WRONLY | O_CREAT | O_TRUNC)
    }
}
