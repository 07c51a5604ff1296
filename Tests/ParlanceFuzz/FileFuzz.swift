import ParlanceCore
import ParlanceRecords
import ParlanceWire

/// What others say about files: manifests, sets of chunks, listings of folders, names, and folders as one
/// file. The first byte selects which.
enum FileFuzz {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var reader = FuzzReader(bytes)
        let selector = reader.byte()
        // Bit 2 came later: the inputs that were kept before keep their meaning.
        if selector & 7 == 6 { return packed(&reader) }
        switch selector & 3 {
        case 0: manifest(&reader)
        case 1: chunks(&reader)
        case 2: listing(reader.rest())
        default: name(reader.rest())
        }
    }

    private static func number(_ reader: inout FuzzReader) -> UInt64 {
        reader.take(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func manifest(_ reader: inout FuzzReader) {
        let size = number(&reader)
        guard let shape = try? FileShape(size: size) else {
            return promise(size > Limits.fileBytes, "a size is refused")
        }
        promise(shape.count <= Limits.chunks && UInt64(shape.count) * UInt64(shape.chunkSize) >= size, "a false shape")
        let chunk = Int(truncatingIfNeeded: number(&reader))
        promise((shape.range(of: chunk) != nil) == (0..<shape.count).contains(chunk), "a chunk that is not there")
        let leaves = reader.rest()
        let other = try? FileManifest(leaves, of: FileID(value: .zero), shape)
        promise(other == nil, "a manifest of another file")
        // The same leaves with the right root.
        let parts = stride(from: 0, to: leaves.count - 31, by: 32).compactMap { Bytes32(leaves[$0..<($0 + 32)]) }
        guard let manifest = try? FileManifest(shape, leaves: parts) else {
            return promise(parts.count != shape.count, "a manifest is refused")
        }
        let exact = Array(leaves.prefix(shape.manifestBytes))
        promise((try? FileManifest(exact, of: manifest.id, shape)) == manifest, "a manifest does not survive its bytes")
        promise(!manifest.verifies(exact, as: chunk), "a chunk of a hash that nobody knows")
    }

    private static func chunks(_ reader: inout FuzzReader) {
        let total = Int(reader.short()) % (Limits.chunks + 1)
        let tie = number(&reader)
        let (one, other) = (reader.block(), reader.block())
        guard let set = try? ChunkSet(one, total: total) else { return }
        promise(set.bytes == one, "a set does not survive its bytes")
        promise(set.chunks.count == set.count && set.chunks.allSatisfy { (0..<total).contains($0) }, "a chunk outside")
        promise(set.ranges.reduce(0) { $0 + $1.count } == set.count, "ranges that are not the set")
        promise(
            set.missing.count == total - set.count && set.missing.intersection(set).isEmpty,
            "what is missing is held"
        )
        var rarity = ChunkRarity(total: total)
        rarity.add(set)
        if let more = try? ChunkSet(other, total: total) {
            rarity.add(more)
            promise(set.intersection(more).count + set.subtracting(more).count == set.count, "a set is not its parts")
        }
        let rarest = rarity.rarest(of: set, tie: tie)
        promise((rarest == nil) == set.isEmpty, "nothing is the rarest")
        if let rarest {
            promise(set.chunks.allSatisfy { rarity.holders(of: $0) >= rarity.holders(of: rarest) }, "not the rarest")
        }
    }

    private static func listing(_ bytes: [UInt8]) {
        guard let listing = try? FolderListing(decoding: bytes) else { return }
        promise(
            listing.entries.count <= Limits.folderEntries && listing.size <= Limits.fileBytes,
            "a limit is exceeded"
        )
        guard let again = try? FolderListing(decoding: listing.encoded) else {
            return promise(false, "a listing is not read again")
        }
        promise(again == listing, "a listing does not survive its bytes")
        let (places, emptyFolders) = listing.layout
        promise(places.count == listing.entries.count, "a file has no place")
        promise(emptyFolders.count == listing.emptyFolders.count, "a folder has no place")
        var folders: Set<[String]> = []
        for place in places + emptyFolders {
            promise((1...Limits.folderDepth).contains(place.count), "a place is too deep")
            for name in place { safe(name) }
            for end in 1..<max(1, place.count) { folders.insert(place[..<end].map(\.folded)) }
        }
        let empty = emptyFolders.map { $0.map(\.folded) }
        promise(Set(empty).count == empty.count && folders.isDisjoint(with: empty), "an empty folder is not empty")
        folders.formUnion(empty)
        promise(folders.count == listing.folders && listing.folders <= Limits.folderFolders, "folders are miscounted")
        let files = places.map { $0.map(\.folded) }
        promise(Set(files).count == files.count && folders.isDisjoint(with: files), "two files have one place")
    }

    /// A folder as one file: whatever comes in whatever pieces, each entry begins, ends and is as long as it says.
    private static func packed(_ reader: inout FuzzReader) {
        let piece = 1 + Int(reader.byte())
        let bytes = reader.rest()
        var folder = PackedFolderReader(size: UInt64(bytes.count))
        var (listing, begun, done): (FolderListing?, Int?, UInt64) = (nil, nil, 0)
        var next = 0
        for start in stride(from: 0, through: bytes.count, by: piece) {
            let isRefused = bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { part in
                var rest = part
                while true {
                    guard let step = try? folder.next(&rest) else { return !rest.isEmpty }
                    switch step {
                    case .listing(let told): listing = told
                    case .begin(let index):
                        promise(begun == nil && index == next, "entries out of order")
                        (begun, done) = (index, 0)
                    case .bytes(let bytes): done += UInt64(bytes.count)
                    case .end(let index):
                        promise(begun == index && listing?.entries[index].size == done, "an entry of another length")
                        (begun, next) = (nil, index + 1)
                    }
                }
            }
            if isRefused { return promise(!folder.isComplete || begun == nil, "a refused folder is whole") }
        }
        guard folder.isComplete, let listing else { return }
        promise(next == listing.entries.count, "an entry is missing")
        let size = (try? PackedFolder(listing))?.size
        promise(size == nil || listing.encoded.count + 4 <= bytes.count, "a whole that is smaller than its listing")
    }

    private static func name(_ bytes: [UInt8]) {
        let name = SafeFileName(bytes)
        safe(name)
        let other = name.distinct(from: [name])
        safe(other)
        promise(other.folded != name.folded, "two names are one")
    }

    private static func safe(_ name: SafeFileName) {
        let scalars = name.text.unicodeScalars
        promise((1...Limits.fileNameBytes).contains(name.text.utf8.count), "a name of a wrong length")
        promise(!scalars.contains { $0 == "/" || $0 == "\\" || $0.properties.generalCategory == .control }, "a path")
        promise(scalars.first != "." && scalars.last != "." && scalars.last != " ", "a dot or space at an edge")
        promise(SafeFileName(name.text).text.utf8.elementsEqual(name.text.utf8), "a safe name is changed")
    }

    /// Folders that are right as a whole.
    private static var wholes: [[UInt8]] {
        let files: [(String, [UInt8])] = [("a/b", Array("lunch?".utf8)), ("c", []), ("d.txt", [7])]
        let entries = files.compactMap { path, bytes -> FolderListing.Entry? in
            guard let shape = try? FileShape(size: UInt64(bytes.count)) else { return nil }
            var hasher = FileHasher(shape)
            guard (try? hasher.update(bytes)) != nil, let manifest = try? hasher.finish() else { return nil }
            return FolderListing.Entry(path: path, size: UInt64(bytes.count), file: manifest.id)
        }
        guard let folder = try? PackedFolder(FolderListing(entries)) else { return [] }
        let whole = folder.head + files.flatMap(\.1)
        return [[6, 0] + whole, [6, 255] + whole]
    }

    static var seeds: [[UInt8]] {
        let id = FileID(value: .zero)
        func entry(_ path: String, _ size: UInt64 = 1) -> FolderListing.Entry {
            FolderListing.Entry(path: path, size: size, file: id)
        }
        let folders: [[FolderListing.Entry]] = [
            [], [entry("a.txt")], [entry("src/main.c"), entry("src/lib/x.c", 0), entry("README")],
            [entry("A"), entry("a"), entry("a (2)"), entry("a./b"), entry("CON/aux.txt")],
        ]
        let packed: [[UInt8]] = folders.compactMap { (try? PackedFolder(FolderListing($0)))?.head }.flatMap { head in
            [[6, 0] + head, [6, 40] + head + [1, 2, 3, 4]]
        }
        let empty: [[UInt8]] = [["logs"], ["a", "src/main", "z/y/x"]].compactMap {
            try? [2] + FolderListing([entry("a.txt"), entry("src/main.c")], emptyFolders: $0).encoded
        }
        return packed + wholes + empty + folders.compactMap { try? [2] + FolderListing($0).encoded } + [
            [0] + UInt64(200_000).bigEndianBytes + UInt64(3).bigEndianBytes + [UInt8](repeating: 7, count: 128),
            [0] + UInt64(0).bigEndianBytes, [0] + Limits.fileBytes.bigEndianBytes, [0] + UInt64.max.bigEndianBytes,
            [1, 10, 0] + UInt64(5).bigEndianBytes + FuzzReader.block([0xA1, 0x40]) + FuzzReader.block([0x80, 0x40]),
            [1, 70, 0] + UInt64(6).bigEndianBytes + FuzzReader.block([UInt8](repeating: 0xFF, count: 8) + [0xFC]),
            [3] + Array("../../etc/passwd".utf8), [3] + Array("nul .tar.gz".utf8),
            [3] + Array("می\u{200c}خواهم.txt".utf8),
            [3] + Array("🏴\u{E0067}\u{E0062}\u{E007F}👨\u{200d}👩\u{202e}gpj.exe. .".utf8),
            [3, 0xFF, 0x2E, 0, 0x0D, 0x0A],
            [3] + Array((String(repeating: "語", count: 100) + ".txt").utf8),
        ]
    }
}
