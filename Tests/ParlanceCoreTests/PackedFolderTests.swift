import ParlanceCore
import ParlanceWire
import Testing

/// Folders that travel as one file (files.md, "Folders").
@Suite struct PackedFolderTests {
    private func manifest(_ bytes: [UInt8]) throws -> FileManifest {
        var hasher = FileHasher(try FileShape(size: UInt64(bytes.count)))
        try hasher.update(bytes)
        return try hasher.finish()
    }

    private func entry(_ path: String, _ bytes: [UInt8]) throws -> FolderListing.Entry {
        FolderListing.Entry(path: path, size: UInt64(bytes.count), file: try manifest(bytes).id)
    }

    /// A folder of these files, as one file.
    private func packed(_ files: [String: [UInt8]]) throws -> [UInt8] {
        let folder = try PackedFolder(FolderListing(try files.map { try entry($0, $1) }))
        let whole = folder.listing.entries.reduce(into: folder.head) { $0 += files[$1.path] ?? [] }
        #expect(UInt64(whole.count) == folder.size)
        return whole
    }

    /// What comes out, in pieces of some length.
    private func read(_ bytes: [UInt8], size: UInt64? = nil, piece: Int) throws(FileFault) -> [String: [UInt8]] {
        var reader = PackedFolderReader(size: size ?? UInt64(bytes.count))
        var (listing, files, begun): (FolderListing?, [String: [UInt8]], [UInt8]) = (nil, [:], [])
        for start in stride(from: 0, through: bytes.count, by: piece) {
            let part = Array(bytes[start..<min(start + piece, bytes.count)])
            let result: Result<Void, FileFault> = part.withUnsafeBytes { part in
                var rest = part
                do throws(FileFault) {
                    while let step = try reader.next(&rest) {
                        switch step {
                        case .listing(let told): listing = told
                        case .begin: begun = []
                        case .bytes(let bytes): begun += bytes
                        case .end(let index): files[listing?.entries[index].path ?? ""] = begun
                        }
                    }
                    return .success(())
                } catch { return .failure(error) }
            }
            try result.get()
        }
        try reader.finish()
        return files
    }

    @Test(arguments: [1, 3, 7, 64, 100_000]) func whatWentInComesOut(piece: Int) throws {
        let files: [String: [UInt8]] = [
            "a/b.txt": Array("Hello".utf8), "a-b": [], "empty": [], "z": [UInt8](repeating: 9, count: 70_000),
        ]
        #expect(try read(packed(files), piece: piece) == files)
        #expect(try read(packed([:]), piece: piece) == [:])
    }

    private struct Packed: Decodable, Sendable {
        struct File: Decodable { var path, content: String }

        var name, packed: String
        var id: String?
        var files: [File]?
    }

    @Test(arguments: try VectorFiles.vectors("packed-folder", as: Packed.self))
    private func vector(_ vector: Packed) throws {
        let bytes = try hex(vector.packed)
        guard let files = vector.files else {
            #expect(throws: FileFault.self, "\(vector.name)") { try read(bytes, piece: 7) }
            return
        }
        let contents = Dictionary(uniqueKeysWithValues: try files.map { ($0.path, try hex($0.content)) })
        #expect(try read(bytes, piece: 7) == contents)
        #expect(try packed(contents) == bytes)
        #expect(try manifest(bytes).id.bytes == hex(vector.id ?? ""))
    }

    @Test func theFormIsTheLengthTheListingAndTheBytes() throws {
        let bytes = try packed(["a": [1, 2, 3]])
        let listing = try FolderListing([entry("a", [1, 2, 3])]).encoded
        #expect(bytes == [0, 0, 0, UInt8(listing.count)] + listing + [1, 2, 3])
    }

    @Test func whatIsCutAnywhereIsRefused() throws {
        let bytes = try packed(["a": [1, 2, 3], "b": [], "c": [4]])
        for count in 0..<bytes.count {
            #expect(throws: FileFault.wrongLength) { try read(Array(bytes.prefix(count)), piece: 5) }
            // Also if the size that was told is the right one.
            #expect(throws: FileFault.wrongLength) {
                try read(Array(bytes.prefix(count)), size: UInt64(bytes.count), piece: 5)
            }
        }
        #expect(throws: FileFault.wrongLength) { try read(bytes + [0], piece: 5) }
        #expect(throws: FileFault.wrongLength) { try read(bytes + [0], size: UInt64(bytes.count), piece: 5) }
    }

    @Test func aFileThatIsAnotherOneIsRefused() throws {
        var bytes = try packed(["a": [1, 2, 3], "b": [4]])
        bytes[bytes.count - 1] ^= 1
        #expect(throws: FileFault.wrongHash) { try read(bytes, piece: 1_000) }
    }

    @Test func aListingIsRefusedBeforeItIsHeldInMemory() throws {
        let length = Limits.folderListingBytes + 1
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * (3 - $0))) }
        #expect(throws: FileFault.beyondLimit) { try read(bytes, size: 1 << 40, piece: 4) }
        #expect(throws: FileFault.beyondLimit) { try read([255, 255, 255, 255], size: 1 << 40, piece: 1) }
        // A listing that is none.
        #expect(throws: FileFault.malformed) { try read([0, 0, 0, 2, 0xFF, 0xFF], piece: 4) }
    }

    @Test func aWholeLargerThanAnyFileIsRefused() throws {
        let entry = FolderListing.Entry(path: "a", size: Limits.fileBytes, file: FileID(value: .zero))
        #expect(throws: FileFault.tooLarge) { try PackedFolder(FolderListing([entry])) }
    }
}
