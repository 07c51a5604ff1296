import CZlib
import ParlanceEmbedding

/// A ZIP archive (APPNOTE 6.3.10 of PKWARE), of which single files are read: stored or deflated, in one part, not
/// encrypted, without the fields of 64 bits. A wheel of Python is such an archive. No name of it becomes a path.
struct ZipArchive<Source: RandomAccess> {
    struct Entry {
        fileprivate let isDeflated: Bool
        fileprivate let compressedSize: Int
        let size: Int
        fileprivate let headerOffset: Int
    }

    private let source: Source
    private let entries: [String: Entry]

    /// Reads the list of the files. Throws `malformedArchive`, `truncated` or an error of the source.
    init(reading source: Source) throws(ModelError) {
        let (offset, byteCount) = try Self.directory(of: source)
        let directory = try source.bytes(at: offset, count: byteCount)
        var entries: [String: Entry] = [:]
        var place = 0
        while place < directory.count {
            guard directory.number(at: place, width: 4) == ZipFormat.entry,
                let flags = directory.number(at: place + 8, width: 2),
                let method = directory.number(at: place + 10, width: 2),
                let compressedSize = directory.number(at: place + 20, width: 4),
                let size = directory.number(at: place + 24, width: 4),
                let nameLength = directory.number(at: place + 28, width: 2),
                let extraLength = directory.number(at: place + 30, width: 2),
                let commentLength = directory.number(at: place + 32, width: 2),
                let headerOffset = directory.number(at: place + 42, width: 4),
                directory.count - place >= ZipFormat.entryLength + nameLength + extraLength + commentLength
            else { throw .malformedArchive(reason: "a broken entry") }
            place += ZipFormat.entryLength
            let name = String(decoding: directory[place..<place + nameLength], as: UTF8.self)
            place += nameLength + extraLength + commentLength
            // Others are no concern of ours until somebody asks for them.
            guard flags & ZipFormat.encrypted == 0, method == ZipFormat.stored || method == ZipFormat.deflated else {
                continue
            }
            entries[name] = Entry(
                isDeflated: method == ZipFormat.deflated,
                compressedSize: compressedSize,
                size: size,
                headerOffset: headerOffset
            )
        }
        self.source = source
        self.entries = entries
    }

    /// Where the list of files lies: the last record of the archive says so, which only a comment may follow.
    private static func directory(of source: Source) throws(ModelError) -> (offset: Int, byteCount: Int) {
        let tailLength = min(source.byteCount, ZipFormat.endLength + ZipFormat.longestComment)
        let tail = try source.bytes(at: source.byteCount - tailLength, count: tailLength)
        var place = tail.count - ZipFormat.endLength
        while place >= 0, tail.number(at: place, width: 4) != ZipFormat.end { place -= 1 }
        guard place >= 0, let byteCount = tail.number(at: place + 12, width: 4),
            let offset = tail.number(at: place + 16, width: 4)
        else { throw .malformedArchive(reason: "no list of files") }
        guard byteCount <= ZipFormat.largestDirectory else {
            throw .malformedArchive(reason: "a list of files of more than 1 MiB")
        }
        return (offset, byteCount)
    }

    /// The file of this name, in whatever folder of the archive. Throws `missingEntry`.
    func entry(named name: String) throws(ModelError) -> Entry {
        let names = entries.keys.filter { $0 == name || $0.hasSuffix("/" + name) }
        // The choice must not depend on the order of a dictionary.
        guard let found = names.min(), let entry = entries[found] else { throw .missingEntry(name: name) }
        return entry
    }

    /// Calls the closure with the contents, part by part: never more than the size that the entry states.
    /// Throws `malformedArchive` unless they are exactly as long, `truncated`, or an error of the source or the closure.
    func read(
        _ entry: Entry,
        _ body: (UnsafeRawBufferPointer) throws(ModelError) -> Void
    ) throws(ModelError) {
        let header = try source.bytes(at: entry.headerOffset, count: ZipFormat.headerLength)
        guard header.number(at: 0, width: 4) == ZipFormat.header, let nameLength = header.number(at: 26, width: 2),
            let extraLength = header.number(at: 28, width: 2)
        else { throw .malformedArchive(reason: "a broken header") }
        var start = entry.headerOffset + ZipFormat.headerLength + nameLength + extraLength
        guard source.contains(offset: start, count: entry.compressedSize) else { throw .truncated }
        let end = start + entry.compressedSize
        guard entry.isDeflated || entry.compressedSize == entry.size else {
            throw .malformedArchive(reason: "a stored file of two lengths")
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ZipFormat.batch, alignment: 16)
        defer { buffer.deallocate() }
        let inflater = entry.isDeflated ? try Inflater(size: entry.size) : nil
        while start < end {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, end - start)])
            try source.read(at: start, into: part)
            start += part.count
            if let inflater {
                try inflater.inflate(UnsafeRawBufferPointer(part), body)
            } else {
                try body(UnsafeRawBufferPointer(part))
            }
        }
        try inflater?.finish()
    }
}

enum ZipFormat {
    static let end = 0x0605_4B50
    static let endLength = 22
    static let longestComment = 0xFFFF
    static let entry = 0x0201_4B50
    static let entryLength = 46
    static let header = 0x0403_4B50
    static let headerLength = 30
    static let encrypted = 1
    static let stored = 0
    static let deflated = 8
    /// The list of our wheel has 2 KB.
    static let largestDirectory = 1 << 20
    /// So many bytes are read, and inflated, at a time.
    static let batch = 1 << 16
}

extension [UInt8] {
    /// A little-endian number of at most 4 bytes; nil where there are not so many.
    fileprivate func number(at offset: Int, width: Int) -> Int? {
        guard offset >= 0, count - offset >= width else { return nil }
        return self[offset..<offset + width].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
