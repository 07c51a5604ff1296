import Glibc
import ParlanceCore
package import ParlanceRecords
package import ParlanceWire
package import ParlanceWords

/// Gives people a file of the shelf, in a folder of theirs. Nothing that is there is replaced, no link is followed in it, and
/// nothing can be executed.
package enum FileDelivery {
    /// How a copy is called.
    package enum Name: Equatable, Sendable {
        /// As its sender calls it; with a number, if something has that name.
        case free(SafeFileName)
        /// As the user wants it to be called, and in no other way.
        case exact(UserPath)

        /// The names to try, in order.
        func candidate(_ number: Int) -> UserPath? {
            switch self {
            case .free(let name): UserPath(number == 1 ? name.text : name.numbered(number).text)
            case .exact(let name): number == 1 ? name : nil
            }
        }
    }

    /// The bytes of a small file, which are verified.
    ///
    /// - Throws: `tooLarge`, or `damaged` if the bytes are not those of the file.
    package static func read(_ source: String, _ id: FileID, limit: UInt64) throws(ShelfError) -> [UInt8] {
        let source = try OpenFile(source, O_RDONLY)
        guard try source.size() <= limit else { throw .tooLarge }
        var all: [UInt8] = []
        let manifest = try FileShelf.read(source) { (bytes) throws(ShelfError) in all += bytes }
        guard manifest.id == id else { throw .damaged }
        return all
    }

    /// Copies a file, and verifies it on the way.
    ///
    /// - Returns: the name of the copy.
    /// - Throws: `damaged` if the bytes are not those of the file; then there is no copy. `failed(EEXIST)` if the name is
    ///   taken.
    package static func copy(
        _ source: String,
        _ id: FileID,
        to folder: UserPath,
        as name: Name,
        progress: (UInt64) -> Void = { _ in }
    ) throws(ShelfError) -> UserPath {
        let source = try OpenFile(source, O_RDONLY)
        let place = try OpenFile(folder, O_RDONLY | O_DIRECTORY)
        try place.room(beside: source).check(place, for: try source.size())
        let copy = try DraftCopy(in: place)
        var offset: UInt64 = 0
        let manifest = try FileShelf.read(source) { (bytes) throws(ShelfError) in
            try copy.file.write(bytes, at: offset)
            offset += UInt64(bytes.count)
            progress(offset)
        }
        guard manifest.id == id else { throw .damaged }
        try copy.file.sync()
        for number in 1...Limits.copiesOfAName {
            guard let taken = name.candidate(number) else { break }
            guard try copy.appear(as: taken) else { continue }
            try place.syncNames()
            return taken
        }
        throw .failed(EEXIST)
    }
}
