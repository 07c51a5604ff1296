import Glibc
import ParlanceCore
import ParlanceRecords

/// Writes the files of a folder one after the other, each at its place.
struct FolderWriter: ~Copyable {
    private var places: [[SafeFileName]] = []
    private var file: OpenFile?
    private var offset: UInt64 = 0

    /// Does what one step says, in an open folder where nothing else is.
    mutating func take(_ step: PackedFolderReader.Step, _ root: borrowing OpenFile) throws(ShelfError) {
        switch step {
        case .listing(let listing):
            let layout = listing.layout
            places = layout.files
            for place in layout.emptyFolders { _ = try Self.open(place, root) }
        case .begin(let index):
            file = try Self.create(places.indices.contains(index) ? places[index] : [], root)
            offset = 0
        case .bytes(let bytes):
            try file?.write(bytes, at: offset)
            offset += UInt64(bytes.count)
        case .end: file = nil
        }
    }

    /// Creates a file, and the folders on the way. A link in the way of either ends it.
    private static func create(_ place: [SafeFileName], _ root: borrowing OpenFile) throws(ShelfError) -> OpenFile {
        guard let name = place.last else { throw .malformed }
        let folder = try open(place.dropLast(), root)
        return try OpenFile(name.text, in: folder, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
    }

    /// Opens a folder, and creates what is not there of it.
    private static func open(
        _ place: some Sequence<SafeFileName>,
        _ root: borrowing OpenFile
    ) throws(ShelfError) -> OpenFile {
        var folder = try OpenFile(".", in: root, O_RDONLY | O_DIRECTORY)
        for name in place {
            guard mkdirat(folder.descriptor, name.text, 0o755) == 0 || errno == EEXIST else { throw .lastFailure }
            folder = try OpenFile(name.text, in: folder, O_RDONLY | O_DIRECTORY)
        }
        return folder
    }
}
