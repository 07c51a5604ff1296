import Glibc
package import ParlanceCore
import ParlanceSodium
import ParlanceWire

/// A file of the shelf as it is sealed for a stick, piece by piece (carry.md, "Sealed files"). Only one piece is in memory.
package struct SealedSource: ~Copyable {
    private let file: OpenFile
    private var making: SealedFileMaking
    private var hasBegun = false
    /// Bytes of the file that are sealed.
    package private(set) var done: UInt64 = 0

    /// - Parameter path: where the file is on the shelf.
    /// - Throws: `damaged` if it has another size.
    package init(_ path: String, _ carried: CarriedFile) throws(ShelfError) {
        let file = try OpenFile(path, O_RDONLY)
        guard try file.size() == carried.size else { throw .damaged }
        var header: [UInt8] = []
        let stream = SecretStream(writingWith: carried.key.secret, header: &header)
        guard let making = try? SealedFileMaking(carried, stream, header: header) else { throw .tooLarge }
        self.making = making
        self.file = file
    }

    /// The next bytes to write; `nil` behind the end.
    ///
    /// - Throws: `damaged` if the bytes on the shelf are not those of the file, before the last of them is returned.
    package mutating func next() throws(ShelfError) -> [UInt8]? {
        guard hasBegun else {
            hasBegun = true
            return making.head
        }
        guard let wanted = making.wanted else { return nil }
        let offset = done
        let bytes = try [UInt8].reading(wanted) { (buffer) throws(ShelfError) in try file.read(into: buffer, at: offset)
        }
        do throws(FileFault) {
            let piece = try making.seal(bytes)
            done += UInt64(wanted)
            return piece
        } catch { throw .damaged }
    }
}
