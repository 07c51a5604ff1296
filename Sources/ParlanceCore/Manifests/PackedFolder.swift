import ParlanceWire

/// The one file as which a folder is sent (files.md, "Folders"): the length of the listing, the listing, and the bytes of
/// all files in its order.
package struct PackedFolder: Equatable, Sendable {
    package let listing: FolderListing
    /// What stands before the bytes of the first file.
    package let head: [UInt8]
    /// Bytes of the whole.
    package let size: UInt64

    /// - Throws: `tooLarge` if the whole has more bytes than a file may have.
    package init(_ listing: FolderListing) throws(FileFault) {
        let bytes = listing.encoded
        self.listing = listing
        head = [UInt8](UInt64(bytes.count).bigEndianBytes.suffix(Self.lengthBytes)) + bytes
        // Neither part is near an overflow.
        size = UInt64(head.count) + listing.size
        guard size <= Limits.fileBytes else { throw .tooLarge }
    }

    /// Bytes of the length of the listing.
    package static let lengthBytes = 4
}
