import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

/// Tests names and folders against golden files (files.md, "Names").
@Suite struct VectorNameTests {
    struct Name: Decodable, Sendable, CustomTestStringConvertible {
        var name, nameBytes, safe: String
        var testDescription: String { name }
    }

    @Test(arguments: try VectorFiles.vectors("file-name", as: Name.self)) func name(_ vector: Name) throws {
        // Compared as bytes: equality of strings would take another composition for the same.
        #expect(try Array(SafeFileName(hex(vector.nameBytes)).text.utf8) == Array(vector.safe.utf8))
    }

    struct Folder: Decodable, Sendable, CustomTestStringConvertible {
        struct Entry: Decodable, Sendable {
            var path, size, file, place: String
        }
        struct EmptyFolder: Decodable, Sendable {
            var path, place: String
        }
        var name, listing: String
        var id: String?
        var entries: [Entry]?
        var folders: [EmptyFolder]?
        var testDescription: String { name }
    }

    @Test(arguments: try VectorFiles.vectors("folder", as: Folder.self)) func folder(_ vector: Folder) throws {
        let bytes = try hex(vector.listing)
        guard let entries = vector.entries else {
            #expect(throws: FileFault.self) { try FolderListing(decoding: bytes) }
            return
        }
        let listing = try FolderListing(decoding: bytes)
        let made = try entries.reversed().map { entry in
            let file = try #require(FileID(hex(entry.file)))
            return try FolderListing.Entry(path: entry.path, size: number(entry.size), file: file)
        }
        let folders = vector.folders ?? []
        #expect(
            try FolderListing(made, emptyFolders: folders.map(\.path).reversed()) == listing
                && listing.encoded == bytes
        )
        for (place, entry) in zip(listing.places, entries) {
            #expect(Array(place.map(\.text).joined(separator: "/").utf8) == Array(entry.place.utf8))
        }
        #expect(listing.places.count == entries.count)
        for (place, folder) in zip(listing.layout.emptyFolders, folders) {
            #expect(Array(place.map(\.text).joined(separator: "/").utf8) == Array(folder.place.utf8))
        }
        #expect(listing.emptyFolders == folders.map(\.path))
        var hasher = FileHasher(try FileShape(size: UInt64(bytes.count)))
        try hasher.update(bytes)
        #expect(try vector.id.map(hex) == hasher.finish().id.bytes)
    }
}
