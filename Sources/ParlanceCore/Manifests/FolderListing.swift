import FoundationEssentials
package import ParlanceWire

/// The files of a folder and of the folders in it (files.md, "Folders"). The file as which the folder is sent begins with
/// it (`PackedFolder`).
package struct FolderListing: Equatable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// The folders on the way to the file and the file, with "/" between them, as the sender has them.
        package var path: String
        package var size: UInt64
        package var file: FileID

        package init(path: String, size: UInt64, file: FileID) {
            (self.path, self.size, self.file) = (path, size, file)
        }
    }

    /// By the bytes of their paths, each of which is there once.
    package let entries: [Entry]
    /// The paths of empty folders, by their bytes. All other folders follow from the paths of the files.
    package let emptyFolders: [String]
    /// How many folders it makes, empty ones and others.
    package let folders: Int

    /// A listing of these files and empty folders, which may come in any order.
    ///
    /// - Throws: `malformed` for a path that is no relative path, or is there twice, and for a folder that is not empty;
    ///   `tooLarge` for a file; `beyondLimit` for everything that would not be taken from others either.
    package init(_ entries: [Entry], emptyFolders: [String] = []) throws(FileFault) {
        let sorted = entries.map { (Array($0.path.utf8), $0) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
        let folders = emptyFolders.map { (Array($0.utf8), $0) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
        try self.init(checking: sorted, folders)
        guard encoded.count <= Limits.folderListingBytes else { throw .beyondLimit }
    }

    /// Reads a listing that somebody else made.
    ///
    /// - Throws: as above; `malformed` too for bytes that are no listing, and for another order.
    package init(decoding bytes: [UInt8]) throws(FileFault) {
        guard bytes.count <= Limits.folderListingBytes else { throw .beyondLimit }
        guard let count = Self.countEntries(bytes) else { throw .malformed }
        guard count.files <= Limits.folderEntries, count.folders <= Limits.folderFolders else { throw .beyondLimit }
        guard let wire = WireFolderListing(decoding: bytes) else { throw .malformed }
        var entries: [Entry] = []
        entries.reserveCapacity(wire.entries.count)
        for entry in wire.entries {
            guard let file = FileID(entry.file) else { throw .malformed }
            entries.append(Entry(path: entry.path, size: entry.size, file: file))
        }
        try self.init(checking: entries, wire.folders)
    }

    private init(checking entries: [Entry], _ emptyFolders: [String]) throws(FileFault) {
        guard entries.count <= Limits.folderEntries, emptyFolders.count <= Limits.folderFolders else {
            throw .beyondLimit
        }
        let files = try Self.checkedInOrder(entries.map(\.path))
        let folders = try Self.checkedInOrder(emptyFolders)
        var total: UInt64 = 0
        for entry in entries {
            guard entry.size <= Limits.fileBytes else { throw .tooLarge }
            // Both are so small that nothing overflows.
            total += entry.size
            guard total <= Limits.fileBytes else { throw .beyondLimit }
        }
        self.folders = try Self.countFolders(files, folders)
        guard self.folders <= Limits.folderFolders else { throw .beyondLimit }
        (self.entries, self.emptyFolders) = (entries, emptyFolders)
    }

    /// The bytes of paths that are relative paths, each greater than the one before it.
    private static func checkedInOrder(_ paths: [String]) throws(FileFault) -> [[UInt8]] {
        var checked: [[UInt8]] = []
        checked.reserveCapacity(paths.count)
        for path in paths {
            let path = Array(path.utf8)
            if let previous = checked.last, !previous.lexicographicallyPrecedes(path) { throw .malformed }
            try check(path)
            checked.append(path)
        }
        return checked
    }

    /// How many folders the listing makes: each folder on the way to a file or to an empty folder, and the empty ones.
    ///
    /// - Throws: `malformed` for an empty folder that is not empty, or is a file.
    private static func countFolders(_ files: [[UInt8]], _ emptyFolders: [[UInt8]]) throws(FileFault) -> Int {
        let slash = UInt8(ascii: "/")
        // A folder that ends with "/" stands before all that is in it, and behind a file of its name.
        let paths = (files + emptyFolders.map { $0 + [slash] }).sorted { $0.lexicographicallyPrecedes($1) }
        let taken = Set(files)
        var previous: [UInt8] = []
        var count = 0
        for path in paths {
            if previous.last == slash, path.starts(with: previous) { throw .malformed }
            if path.last == slash, taken.contains(path.dropLast()) { throw .malformed }
            // In this order, what begins alike stands together: a folder is new if the path before is not in it.
            let common = zip(path, previous).prefix { $0 == $1 }.count
            count += path[common...].count { $0 == slash }
            previous = path
        }
        return count
    }

    private static func check(_ path: [UInt8]) throws(FileFault) {
        guard path.count <= Limits.folderPathBytes else { throw .beyondLimit }
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count <= Limits.folderDepth else { throw .beyondLimit }
        let dot = UInt8(ascii: ".")
        guard !parts.contains(where: { $0.isEmpty || $0 == [dot] || $0 == [dot, dot] }) else { throw .malformed }
    }

    /// How many entries the decoder would make, which is counted first: two bytes of input can become a hundred in memory.
    private static func countEntries(_ bytes: [UInt8]) -> (files: Int, folders: Int)? {
        var (count, offset) = ((files: 0, folders: 0), 0)
        while offset < bytes.count {
            guard let tag = varint(bytes, &offset) else { return nil }
            switch tag & 7 {
            case 0: guard varint(bytes, &offset) != nil else { return nil }
            case 1: offset += 8
            case 5: offset += 4
            case 2:
                guard let length = varint(bytes, &offset), length <= UInt64(bytes.count - offset) else { return nil }
                offset += Int(length)
                if tag >> 3 == 1 { count.files += 1 }
                if tag >> 3 == 2 { count.folders += 1 }
            default: return nil
            }
        }
        return count
    }

    private static func varint(_ bytes: [UInt8], _ offset: inout Int) -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 70, by: 7) {
            guard offset < bytes.count else { return nil }
            let byte = bytes[offset]
            offset += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
        }
        return nil
    }

    /// The bytes of the listing. The same files always have the same bytes.
    package var encoded: [UInt8] {
        var wire = WireFolderListing()
        wire.entries = entries.map { entry in
            var wire = WireFolderListing.Entry()
            wire.path = entry.path
            wire.size = entry.size
            wire.file = Data(entry.file.bytes)
            return wire
        }
        wire.folders = emptyFolders
        return wire.encodedBytes()
    }

    /// Bytes of all files.
    package var size: UInt64 { entries.reduce(0) { $0 + $1.size } }

    /// Bytes that the files and folders take on a usual disk.
    package var sizeOnDisk: UInt64 {
        let block = Limits.diskBlockBytes
        return entries.reduce(UInt64(folders) * block) { $0 + ($1.size / block + 1) * block }
    }
}
