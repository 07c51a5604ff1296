import ParlanceWire

/// Takes a folder apart that came as one file, from pieces of any length. It keeps the listing and no byte of a file, and
/// verifies each file when its last byte has come: whatever was written of it until then counts only after `end`.
package struct PackedFolderReader: ~Copyable {
    package enum Step {
        /// The listing is there, with the entries that follow.
        case listing(FolderListing)
        /// The bytes of an entry follow.
        case begin(Int)
        /// Bytes of the entry that was begun; they point into what the caller gave.
        case bytes(UnsafeRawBufferPointer)
        /// All bytes of the entry have come, and they are the right ones.
        case end(Int)
    }

    /// Bytes of the whole.
    private let size: UInt64
    /// The length and the bytes of the listing, as far as they have come.
    private var head: [UInt8] = []
    private var listing: FolderListing?
    /// The entry that is there next, or is being read.
    private var index = 0
    private var hasher: FileHasher?

    /// - Parameter size: bytes of the file that contains the folder.
    package init(size: UInt64) {
        self.size = size
    }

    /// Whether every file is there and right.
    package var isComplete: Bool { listing.map { index == $0.entries.count } ?? false }

    /// Takes what it can from the beginning of `rest`. Call it until it returns `nil`, then give it more bytes.
    ///
    /// - Throws: what a listing is refused for; `wrongLength` if the sizes do not add up, or if there are more bytes;
    ///   `wrongHash` for a file that is another one than the listing says.
    package mutating func next(_ rest: inout UnsafeRawBufferPointer) throws(FileFault) -> Step? {
        guard let listing else { return try takeHead(&rest) }
        guard index < listing.entries.count else {
            guard rest.isEmpty else { throw .wrongLength }
            return nil
        }
        let entry = listing.entries[index]
        guard let done = hasher?.done else {
            hasher = FileHasher(try FileShape(size: entry.size))
            return .begin(index)
        }
        guard done < entry.size else {
            guard try hasher?.finish().id == entry.file else { throw .wrongHash }
            hasher = nil
            index += 1
            return .end(index - 1)
        }
        guard !rest.isEmpty else { return nil }
        let piece = take(Int(clamping: entry.size - done), &rest)
        try hasher?.update(piece)
        return .bytes(piece)
    }

    /// All bytes were given.
    ///
    /// - Throws: `wrongLength` if there are fewer than the listing says.
    package func finish() throws(FileFault) {
        guard isComplete else { throw .wrongLength }
    }

    private mutating func takeHead(_ rest: inout UnsafeRawBufferPointer) throws(FileFault) -> Step? {
        head.append(contentsOf: take(PackedFolder.lengthBytes - head.count, &rest))
        guard head.count >= PackedFolder.lengthBytes else { return nil }
        let length = head.prefix(PackedFolder.lengthBytes).reduce(0) { $0 << 8 | Int($1) }
        guard length <= Limits.folderListingBytes else { throw .beyondLimit }
        head.append(contentsOf: take(PackedFolder.lengthBytes + length - head.count, &rest))
        guard head.count == PackedFolder.lengthBytes + length else { return nil }
        let listing = try FolderListing(decoding: Array(head.dropFirst(PackedFolder.lengthBytes)))
        guard UInt64(head.count) + listing.size == size else { throw .wrongLength }
        self.listing = listing
        head = []
        return .listing(listing)
    }

    /// Up to so many bytes from the beginning.
    private func take(_ count: Int, _ rest: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(max(0, count)))
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
        return piece
    }
}
