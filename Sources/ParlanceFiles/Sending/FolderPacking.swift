import Glibc
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import ParlanceWords

/// Makes one file of a folder (files.md, "Folders").
///
/// Each file is read once, but a picture twice: what is removed from it changes its size, and the sizes of all files stand
/// before the bytes of the first.
struct FolderPacking {
    /// A folder on the way to a file, or the file, as the system has its name and as it is sent.
    private struct Step {
        let name: FileNameBytes
        let text: String
    }

    /// A file of the folder.
    private struct Item {
        /// The folders on the way and the file.
        let way: [Step]
        let source: SourceFile
    }

    private let root: UserPath
    private let keepMetadata: Bool
    /// By the bytes of their paths in the listing: texts that count as equal can be different names.
    private var items: [[UInt8]: Item] = [:]
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
    private mutating func walk(_ folder: borrowing OpenFile, _ way: [Step]) throws(SourceError) {
        let names = try about(way) { () throws(ShelfError) in
            // One more than allowed is enough to know.
            try folder.names(limit: Limits.folderEntries + 1)
        }
        // What is cut could be files: a folder is sent as a whole or not at all.
        guard names.count <= Limits.folderEntries else { throw SourceError(root.shown, .beyondLimit) }
        let before = (items.count, emptyFolders.count)
        renamed += names.count { !$0.isText }
        for step in Self.steps(names) {
            let (inner, name) = (way + [step], step.name)
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
                items[Array(path(inner).utf8)] = Item(way: inner, source: source)
                guard items.count <= Limits.folderEntries else { throw SourceError(root.shown, .beyondLimit) }
            default: leftOut += 1
            }
        }
        if !way.isEmpty, before == (items.count, emptyFolders.count) { emptyFolders.append(path(way)) }
    }

    /// The names of a folder as they are sent. Two that are not UTF-8 can read alike: then the second has a number.
    private static func steps(_ names: [FileNameBytes]) -> [Step] {
        let texts = names.filter(\.isText).map { Step(name: $0, text: $0.text) }
        var taken = Set(texts.map(\.text))
        var numbers: [String: Int] = [:]
        let others = names.filter { !$0.isText }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return texts
            + others.map { name in
                let plain = name.text
                var (text, number) = (plain, numbers[plain, default: 1])
                while !taken.insert(text).inserted {
                    number += 1
                    text = SafeFileName(plain).numbered(number).text
                }
                numbers[plain] = number
                return Step(name: name, text: text)
            }
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
        (facts.renamed, facts.otherNames) = (renamed, sketch.listing.renamings)
        let copy = try about([]) { () throws(ShelfError) in try Outgoing.create(place, sketch.size) }
        var ids: [[UInt8]: FileID] = [:]
        var room = RoomWatch()
        var offset = UInt64(sketch.head.count)
        for entry in sketch.listing.entries {
            let path = Array(entry.path.utf8)
            guard let item = items[path] else { continue }
            let start = offset
            ids[path] = try about(item.way) { () throws(ShelfError) in
                let file = try open(item.way)
                return try item.source.write(file, to: copy, at: start, &room) { progress(start + $0, sketch.size) }.id
            }
            offset += entry.size
            facts.add(item.source.cleaning, shown(item.way))
        }
        let packed = try packed { ids[$0] ?? FileID(value: .zero) }
        try about([]) { () throws(ShelfError) in
            guard packed.head.count == sketch.head.count else { throw .changed }
            try packed.head.writing { (bytes) throws(ShelfError) in try copy.write(bytes, at: 0) }
        }
        return facts
    }

    /// - Parameter id: the file at a path.
    private func packed(_ id: ([UInt8]) -> FileID) throws(SourceError) -> PackedFolder {
        do throws(FileFault) {
            let entries = items.map { path, item in
                let text = String(decoding: path, as: UTF8.self)
                return FolderListing.Entry(path: text, size: item.source.size, file: id(path))
            }
            return try PackedFolder(try FolderListing(entries, emptyFolders: emptyFolders))
        } catch {
            throw SourceError(root.shown, error)
        }
    }

    /// Opens a file again, from the outermost folder on: none of them may have become a link.
    private func open(_ way: [Step]) throws(ShelfError) -> OpenFile {
        var folder = try OpenFile(following: root, O_DIRECTORY)
        for step in way.dropLast() { folder = try OpenFile(step.name, in: folder, O_DIRECTORY) }
        guard let file = way.last else { throw .missing }
        return try OpenFile(file.name, in: folder, O_NONBLOCK)
    }

    /// Does something, and says of which file it was if it fails.
    private func about<Result: ~Copyable>(
        _ way: [Step],
        _ work: () throws(ShelfError) -> Result
    ) throws(SourceError) -> Result {
        do throws(ShelfError) { return try work() } catch { throw SourceError(shown(way), error) }
    }

    /// The path in the listing.
    private func path(_ way: [Step]) -> String { way.map(\.text).joined(separator: "/") }

    private func shown(_ way: [Step]) -> String {
        way.isEmpty ? root.shown : root.appending(UserPath(path(way))).shown
    }
}
