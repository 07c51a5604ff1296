import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

/// Listings of folders at their limits, and from strangers.
@Suite struct FolderListingTests {
    private static func entry(_ path: String, size: UInt64 = 1) -> FolderListing.Entry {
        FolderListing.Entry(path: path, size: size, file: FileID(value: .zero))
    }

    private static func wire(_ entries: [FolderListing.Entry]) -> [UInt8] {
        var wire = WireFolderListing()
        wire.entries = entries.map { entry in
            var wire = WireFolderListing.Entry()
            (wire.path, wire.size, wire.file) = (entry.path, entry.size, Data(entry.file.bytes))
            return wire
        }
        return wire.encodedBytes()
    }

    /// What may not be made may not be read either.
    private static func expect(_ fault: FileFault, _ entries: FolderListing.Entry...) {
        expect(fault, entries)
    }

    private static func expect(_ fault: FileFault, _ entries: [FolderListing.Entry]) {
        #expect(throws: fault) { try FolderListing(entries) }
        #expect(throws: fault) { try FolderListing(decoding: wire(entries)) }
    }

    @Test func whatCannotKeepItsNameIsListedOnce() throws {
        let paths = [".env", ".github/a", ".github/.b", "A.txt", "a.txt", "a:b", "con", "docs/ok.txt", "grün/日本"]
        let listing = try FolderListing(paths.map { Self.entry($0) }, emptyFolders: ["docs/.empty"])
        let expected = [
            ".env": "_env", ".github": "_github", ".github/.b": "_b", "a.txt": "a (2).txt", "a:b": "a_b", "con": "_con",
            "docs/.empty": "_empty",
        ]
        let found = listing.renamings
        #expect(found.count == expected.count)
        #expect(Dictionary(found.map { ($0.path, $0.name.text) }) { $1 } == expected)
    }

    @Test func listingsEndAtTheirLimits() throws {
        let most = (0..<Limits.folderEntries).map { Self.entry(String(format: "%05d", $0)) }
        #expect(try FolderListing(decoding: FolderListing(most).encoded).entries == most)
        #expect(throws: FileFault.beyondLimit) { try FolderListing(most + [Self.entry("x")]) }
        #expect(throws: FileFault.beyondLimit) { try FolderListing(decoding: Self.wire(most + [Self.entry("x")])) }
        let deep = Array(repeating: "d", count: Limits.folderDepth).joined(separator: "/")
        #expect(
            try FolderListing([Self.entry(deep)]).places == [
                Array(repeating: SafeFileName("d"), count: Limits.folderDepth)
            ]
        )
        Self.expect(.beyondLimit, Self.entry(deep + "/d"))
        let long = String(repeating: "d", count: Limits.folderPathBytes)
        #expect(try FolderListing([Self.entry(long)]).entries.count == 1)
        Self.expect(.beyondLimit, Self.entry(long + "d"))
        #expect(try FolderListing([Self.entry("a", size: Limits.fileBytes)]).size == Limits.fileBytes)
        Self.expect(.tooLarge, Self.entry("a", size: Limits.fileBytes + 1))
        Self.expect(.tooLarge, Self.entry("a", size: .max), Self.entry("b", size: .max))
        Self.expect(.beyondLimit, Self.entry("a", size: Limits.fileBytes), Self.entry("b"))
    }

    @Test func aListingOfTooManyBytesIsNeitherMadeNorRead() throws {
        let prefix = String(repeating: "p", count: 990)
        let entries = (0..<4_200).map { Self.entry(prefix + String(format: "%05d", $0)) }
        #expect(Self.wire(entries).count > Limits.folderListingBytes)
        #expect(throws: FileFault.beyondLimit) { try FolderListing(entries) }
        #expect(throws: FileFault.beyondLimit) { try FolderListing(decoding: Self.wire(entries)) }
        #expect(try FolderListing(Array(entries.prefix(3_900))).encoded.count <= Limits.folderListingBytes)
    }

    /// 10,000 empty files could stand in 320,000 folders.
    @Test func foldersAreCountedWhereverTheyStand() throws {
        // Each path is in 31 folders, of which 30 are its own.
        let deep = (0..<400).map { number in
            String(format: "%02d/", number / 100) + repeatElement("\(number)", count: 31).joined(separator: "/")
        }
        Self.expect(.beyondLimit, deep.sorted().map { Self.entry($0, size: 0) })
        #expect(throws: FileFault.beyondLimit) { try FolderListing([], emptyFolders: deep) }
        let most = (0..<Limits.folderFolders).map { String(format: "%05d", $0) }
        let listing = try FolderListing([], emptyFolders: most)
        #expect(listing.folders == Limits.folderFolders)
        #expect(try FolderListing(decoding: listing.encoded) == listing)
        #expect(throws: FileFault.beyondLimit) { try FolderListing([], emptyFolders: most + ["x"]) }
        #expect(throws: FileFault.beyondLimit) { try FolderListing([Self.entry("x/y")], emptyFolders: most) }
        #expect(try FolderListing([Self.entry("x")], emptyFolders: most).folders == Limits.folderFolders)
    }

    @Test func eachFolderIsCountedOnce() throws {
        let listing = try FolderListing(
            ["a-b", "a/b/c", "a/b/d", "a/x", "ab/b/c"].map { Self.entry($0) },
            emptyFolders: ["a/b/e/f", "a-", "b"]
        )
        // a, a/b, a/b/e, a/b/e/f, a-, ab, ab/b, b
        #expect(listing.folders == 8)
        #expect(listing.sizeOnDisk == 13 * Limits.diskBlockBytes)
    }

    /// A million empty entries are two million bytes, and would be a hundred million in memory.
    @Test func entriesAreCountedBeforeTheyAreMade() {
        let empty = [UInt8](repeating: 0, count: 2_000_000).enumerated().map {
            $0.offset.isMultiple(of: 2) ? UInt8(0x0A) : 0
        }
        #expect(throws: FileFault.beyondLimit) { try FolderListing(decoding: empty) }
        let folders = empty.map { $0 == 0x0A ? UInt8(0x12) : $0 }
        #expect(throws: FileFault.beyondLimit) { try FolderListing(decoding: folders) }
    }

    @Test(arguments: ["", "/", "/a", "a/", "a//b", ".", "..", "./a", "a/.", "a/../b", "../a"])
    func whatIsNoPathInTheFolderIsRefused(_ path: String) {
        Self.expect(.malformed, Self.entry(path))
    }

    @Test func orderAndRepeatsAreRefused() throws {
        #expect(throws: FileFault.malformed) { try FolderListing([Self.entry("a"), Self.entry("a")]) }
        #expect(throws: FileFault.malformed) {
            try FolderListing(decoding: Self.wire([Self.entry("a"), Self.entry("a")]))
        }
        #expect(throws: FileFault.malformed) {
            try FolderListing(decoding: Self.wire([Self.entry("b"), Self.entry("a")]))
        }
        #expect(try FolderListing([Self.entry("b"), Self.entry("a")]).entries.map(\.path) == ["a", "b"])
        for bytes in [[0x0A], [0x0A, 5, 1], [0xFF], [0x0B], [UInt8](repeating: 0x80, count: 12)] as [[UInt8]] {
            #expect(throws: FileFault.malformed) { try FolderListing(decoding: bytes) }
        }
    }

    /// A field of a later version costs nothing.
    @Test func unknownFieldsAreIgnored() throws {
        let bytes =
            try FolderListing([Self.entry("a")]).encoded + [
                0x78, 5, 0x79, 1, 2, 3, 4, 5, 6, 7, 8, 0x7D, 1, 2, 3, 4, 0x7A, 1, 9,
            ]
        #expect(try FolderListing(decoding: bytes).entries == [Self.entry("a")])
    }

    @Test func placesAreApartWhateverTheNamesAre() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let names = [
            "a", "A", "a ", "a.", "a:", "a?", "a_", "a (2)", "CON", "_CON", "\u{202e}", "é", "e\u{301}", "É", "\n",
            "...", "\\", "ß", "SS",
        ]
        for _ in 0..<300 {
            let paths = Set(
                (0..<random.below(60)).map { _ in
                    (0...random.below(4)).map { _ in names[Int(random.below(Int64(names.count)))] }.joined(
                        separator: "/"
                    )
                }.map { Array($0.utf8) }
            )
            let listing = try FolderListing(paths.map { Self.entry(String(decoding: $0, as: UTF8.self)) })
            let places = listing.places
            #expect(places.map(\.count) == listing.entries.map { $0.path.utf8.count { $0 == UInt8(ascii: "/") } + 1 })
            // What stands in a folder: files once each, and folders, whose names no file has.
            var kinds: [[String]: Bool] = [:]
            for place in places {
                let folded = place.map(\.folded)
                #expect(kinds.updateValue(true, forKey: folded) == nil, "two files in one place")
                for end in 1..<max(1, folded.count) {
                    #expect(kinds.updateValue(false, forKey: Array(folded[..<end])) != true, "a file is in the way")
                }
            }
        }
    }
}
