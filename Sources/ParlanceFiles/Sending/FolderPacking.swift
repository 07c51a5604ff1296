import Glibc
import ParlanceCore
import ParlanceWire
import ParlanceWords

/// Makes one file of a folder (files.md, "Folders").
///
/// Each file is read once, but a picture twice: what is removed from it changes its size, and the sizes of all files stand
/// before the bytes of the first.
struct FolderPacking {
    /// A file of the folder.
    private struct Item {
        /// The folders on the way and the file, as the system has them.
        let names: [FileNameBytes]
        let source: SourceFile
    }

    private let root: UserPath
    private let keepMetadata: Bool
    /// By their paths, as the listing has them.
    private var items: [String: Item] = [:]
    /// The paths of folders in which nothing is that is sent.
    private var emptyFolders: [String] = []
    /// Folders that were looked through.
    private var folders = 0
    private var leftOut = 0
    /// Names that are not UTF-8, which are sent with other characters.
    private var renamed = 0

    /// Looks through the folder.
    init(_ root: UserPath, keepMetadata: Bool) throws(SourceError) {
        (self.root, self.keepMetadata) = (root, keepMetadata)
        let folder: OpenFile
        do throws(ShelfError) {
            folder = try OpenFile(following: root, O_DIRECTORY)
        } catch {
            throw SourceError(root.shown, error)
        }
        try walk(folder, [])
    }

    /// Looks through a folder in it.
    private mutating func walk(_ folder: borrowing OpenFile, _ way: [FileNameBytes]) throws(SourceError) {
        let names = try about(way) { () throws(ShelfError) in
            // One more than allowed is enough to know.
            try folder.names(limit: Limits.folderEntries + 1)
        }
        // What is cut could be files: a folder is sent as a whole or not at all.
        guard names.count <= Limits.folderEntries else { throw SourceError(root.shown, .beyondLimit) }
        let before = (items.count, emptyFolders.count)
        for name in names {
            let inner = way + [name]
            if !name.isText { renamed += 1 }
            switch try about(inner, { () throws(ShelfError) in try folder.kind(of: name) }) {
            case S_IFDIR:
                folders += 1
                guard inner.count < Limits.folderDepth, folders <= Limits.folderFolders else {
                    throw SourceError(root.shown, .beyondLimit)
                }
                let next: OpenFile
                do throws(ShelfError) {
                    next = try OpenFile(name, in: folder, O_DIRECTORY)
                } catch {
                    throw SourceError(shown(inner), error)
                }
                try walk(next, inner)
            case S_IFREG:
                let source = try about(inner) { () throws(ShelfError) in
                    try SourceFile(try OpenFile(name, in: folder, O_NONBLOCK), keepMetadata: keepMetadata)
                }
                // Two names that are not UTF-8 can read alike.
                guard items.updateValue(Item(names: inner, source: source), forKey: path(inner)) == nil else {
                    throw SourceError(shown(inner), FileFault.malformed)
                }
                guard items.count <= Limits.folderEntries else { throw SourceError(root.shown, .beyondLimit) }
            default: leftOut += 1
            }
        }
        if !way.isEmpty, before == (items.count, emptyFolders.count) { emptyFolders.append(path(way)) }
    }

    /// Writes the one file to `place`.
    func write(
        to place: String,
        limit: UInt64,
        progress: (UInt64, UInt64) -> Void
    ) throws(SourceError) -> OutgoingFacts {
        // The IDs are not known yet, but the bytes that they take are.
        let sketch = try packed { _ in FileID(value: .zero) }
        guard sketch.size <= limit else { throw SourceError(root.shown, ShelfError.tooLarge) }
        var facts = OutgoingFacts(size: sketch.size)
        (facts.isFolder, facts.files, facts.leftOut) = (true, items.count, leftOut)
        facts.renamed = renamed
        let copy = try about([]) { () throws(ShelfError) in try Outgoing.create(place, sketch.size) }
        var ids: [String: FileID] = [:]
        var room = RoomWatch()
        var offset = UInt64(sketch.head.count)
        for entry in sketch.listing.entries {
            guard let item = items[entry.path] else { continue }
            let start = offset
            ids[entry.path] = try about(item.names) { () throws(ShelfError) in
                let file = try open(item.names)
                return try item.source.write(file, to: copy, at: start, &room) { progress(start + $0, sketch.size) }.id
            }
            offset += entry.size
            facts.add(item.source.cleaning, shown(item.names))
        }
        let packed = try packed { ids[$0] ?? FileID(value: .zero) }
        try about([]) { () throws(ShelfError) in
            guard packed.head.count == sketch.head.count else { throw .changed }
            try packed.head.writing { (bytes) throws(ShelfError) in try copy.write(bytes, at: 0) }
        }
        return facts
    }

    private func packed(_ id: (String) -> FileID) throws(SourceError) -> PackedFolder {
        do throws(FileFault) {
            let entries = items.map { FolderListing.Entry(path: $0, size: $1.source.size, file: id($0)) }
            return try PackedFolder(try FolderListing(entries, emptyFolders: emptyFolders))
        } catch {
            throw SourceError(root.shown, error)
        }
    }

    /// Opens a file again, from the outermost folder on: none of them may have become a link.
    private func open(_ names: [FileNameBytes]) throws(ShelfError) -> OpenFile {
        var folder = try OpenFile(following: root, O_DIRECTORY)
        for name in names.dropLast() { folder = try OpenFile(name, in: folder, O_DIRECTORY) }
        guard let name = names.last else { throw .missing }
        return try OpenFile(name, in: folder, O_NONBLOCK)
    }

    /// Does something, and says of which file it was if it fails.
    private func about<Result: ~Copyable>(
        _ names: [FileNameBytes],
        _ work: () throws(ShelfError) -> Result
    ) throws(SourceError) -> Result {
        do throws(ShelfError) { return try work() } catch { throw SourceError(shown(names), error) }
    }

    /// The path in the listing.
    private func path(_ names: [FileNameBytes]) -> String { names.map(\.text).joined(separator: "/") }

    private func shown(_ names: [FileNameBytes]) -> String {
        names.isEmpty ? root.shown : root.appending(UserPath(path(names))).shown
    }
}
