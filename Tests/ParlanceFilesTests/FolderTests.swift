import Foundation
import ParlanceCore
import ParlanceFiles
import ParlanceRandom
import ParlanceRecords
import ParlanceWire
import ParlanceWords
import Testing

/// Folders that are sent as one file, on the disk (files.md, "Folders").
@Suite struct FolderTests {
    private func pack(_ folder: TestFolder, _ name: String) throws -> OutgoingFacts {
        try Outgoing.copy(UserPath(folder.path + "/" + name), to: folder.path + "/packed", keepMetadata: false) {
            _,
            _ in
        }
    }

    private func unpack(_ folder: TestFolder, as name: String, from source: String = "packed") throws -> String {
        let name = FileDelivery.Name.free(SafeFileName(name))
        return try FolderUnpacking.unpack(
            folder.path + "/" + source,
            try id(folder, source),
            to: UserPath(folder.path),
            as: name
        ).shown
    }

    private func id(_ folder: TestFolder, _ name: String) throws -> FileID {
        let bytes = try folder.bytes(name)
        var hasher = FileHasher(try FileShape(size: UInt64(bytes.count)))
        try hasher.update(bytes)
        return try hasher.finish().id
    }

    /// One file with a listing that may say anything, and the bytes behind it.
    private func forged(_ entries: [(path: String, bytes: [UInt8])], tail: [UInt8] = []) throws -> [UInt8] {
        let entries = try entries.map { path, bytes in
            var hasher = FileHasher(try FileShape(size: UInt64(bytes.count)))
            try hasher.update(bytes)
            return (FolderListing.Entry(path: path, size: UInt64(bytes.count), file: try hasher.finish().id), bytes)
        }
        let packed = try PackedFolder(FolderListing(entries.map(\.0)))
        return packed.head + packed.listing.entries.flatMap { entry in entries.first { $0.0 == entry }?.1 ?? [] } + tail
    }

    @Test func aFolderComesOutAsItWentIn() throws {
        let folder = try TestFolder()
        let files: [String: [UInt8]] = [
            "readme.txt": Array("Hello".utf8), "src/main.swift": Array("print(1)".utf8), "src/empty": [],
            "src-old/x": [1], "Grüße/日本.bin": [UInt8](repeating: 3, count: 200_000),
        ]
        for (name, bytes) in files { try folder.put(bytes, "project/" + name) }
        #expect(chmod(folder.path + "/project/src/main.swift", 0o755) == 0)
        let facts = try pack(folder, "project")
        let size = UInt64(try folder.bytes("packed").count)
        #expect(facts.files == 5 && facts.leftOut == 0 && facts.size == size)
        // The name is taken, so that of the copy has a number.
        #expect(try unpack(folder, as: "project") == "project (2)")
        #expect(folder.files(in: "project (2)") == files.keys.sorted())
        for (name, bytes) in files { #expect(try folder.bytes("project (2)/" + name) == bytes) }
        #expect(try folder.mode("project (2)/src/main.swift") & 0o111 == 0)
        #expect(folder.names == ["packed", "project", "project (2)"])
    }

    @Test func emptyFoldersArrive() throws {
        let folder = try TestFolder()
        try folder.put([1], "project/src/main.c")
        for name in ["logs/old", "src/lib", "only-links", "nothing"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/project/" + name,
                withIntermediateDirectories: true
            )
        }
        #expect(symlink("x", folder.path + "/project/only-links/link") == 0)
        let facts = try pack(folder, "project")
        #expect(facts.files == 1 && facts.leftOut == 1)
        #expect(try unpack(folder, as: "copy") == "copy")
        let all = FileManager.default.enumerator(atPath: folder.path + "/copy")?.compactMap { $0 as? String } ?? []
        #expect(
            all.sorted() == ["logs", "logs/old", "nothing", "only-links", "src", "src/lib", "src/main.c"]
        )
        #expect(folder.names == ["copy", "packed", "project"])
    }

    /// Names that are not UTF-8 become alike when they are sent, and texts that count as equal are different names: nothing
    /// of either is lost or refused.
    @Test func namesThatBecomeAlikeAllArrive() throws {
        let folder = try TestFolder()
        let root = UserPath(folder.path + "/alike")
        func make(_ name: [UInt8], _ file: String?) {
            let place = root.appending(UserPath(bytes: name))
            #expect(mkdir(place.system, 0o755) == 0)
            guard let file else { return }
            let opened = open(place.appending(UserPath(file)).system, O_WRONLY | O_CREAT, 0o644)
            #expect(opened >= 0 && write(opened, file, file.utf8.count) == file.utf8.count)
            close(opened)
        }
        #expect(mkdir(root.system, 0o755) == 0)
        // d, and one byte of Latin-1: two empty folders and two with the same file.
        for (last, file) in [(0xFC, nil), (0xE4, nil), (0xF6, "a"), (0xE9, "a")] as [(UInt8, String?)] {
            make([UInt8(ascii: "d"), last], file)
        }
        try folder.put([1], "alike/\u{E9}")
        try folder.put([2], "alike/e\u{301}")
        let facts = try pack(folder, "alike")
        #expect(facts.files == 4 && facts.renamed == 4 && facts.leftOut == 0)
        #expect(try unpack(folder, as: "copy") == "copy")
        let copy = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/copy")
        #expect(copy.filter { $0.hasPrefix("d\u{FFFD}") }.count == 4 && copy.count == 6, "\(copy)")
        #expect(folder.files(in: "copy").count == 4)
    }

    @Test func bothSidesAreToldWhichNamesChange() throws {
        let folder = try TestFolder()
        for name in [".env", "src/main.c"] { try folder.put([1], "one/" + name) }
        for name in [".env", ".github/a", "a:b"] { try folder.put([1], ".many/" + name) }
        try folder.put([1], "plain/a")
        #expect(try pack(folder, "plain").notes("plain", showsPaths: true) == [])
        #expect(unlink(folder.path + "/packed") == 0)
        let one = try pack(folder, "one").notes("one", showsPaths: true)
        #expect(one == ["1 name in one will be saved as another: .env as _env."])
        #expect(unlink(folder.path + "/packed") == 0)
        let many = try pack(folder, ".many").notes(".many", showsPaths: true)
        #expect(
            many == [
                ".many will be saved as _many: not every system shows and takes the name.",
                "3 names in .many will be saved as others, such as .env as _env.",
            ]
        )
        var listed: [String] = []
        _ = try FolderUnpacking.unpack(
            folder.path + "/packed",
            try id(folder, "packed"),
            to: UserPath(folder.path),
            as: .exact("out")
        ) { _ in
        } listed: {
            listed = $0.renamings.map(\.name.text)
        }
        #expect(listed == ["_env", "_github", "a_b"])
        #expect(folder.files(in: "out") == ["_env", "_github/a", "a_b"])
    }

    /// Folders without files take room, too.
    @Test func aFolderWithMoreFoldersThanAllowedIsRefused() throws {
        let folder = try TestFolder()
        let root = folder.path + "/many"
        #expect(mkdir(root, 0o755) == 0)
        for number in 0..<100 { #expect(mkdir(root + "/\(number)", 0o755) == 0) }
        for number in 0..<Limits.folderFolders - 100 { #expect(mkdir(root + "/\(number % 100)/\(number)", 0o755) == 0) }
        #expect(try pack(folder, "many").files == 0)
        #expect(mkdir(root + "/one-more", 0o755) == 0)
        #expect(throws: SourceError.self) { try pack(folder, "many") }
    }

    @Test func theSameFilesAreTheSameFile() throws {
        let (one, other) = (try TestFolder(), try TestFolder())
        for name in ["a", "b/c", "b-c"] { try one.put(Array(name.utf8), "x/" + name) }
        for name in ["b-c", "b/c", "a"] { try other.put(Array(name.utf8), "y/" + name) }
        _ = try pack(one, "x")
        _ = try pack(other, "y")
        #expect(try one.bytes("packed") == other.bytes("packed"))
    }

    @Test func tenThousandSmallFilesAreOneFile() throws {
        let folder = try TestFolder()
        for number in 0..<Limits.folderEntries {
            try folder.put(Array("\(number)".utf8), "many/\(number % 100)/\(number)")
        }
        #expect(try pack(folder, "many").files == Limits.folderEntries)
        #expect(try unpack(folder, as: "copy") == "copy")
        #expect(folder.files(in: "copy") == folder.files(in: "many"))
        #expect(try folder.bytes("copy/99/9999") == Array("9999".utf8))
        // One more is refused, and leaves nothing.
        try folder.put([], "many/more")
        #expect(throws: SourceError.self) { try pack(folder, "many") }
        #expect(folder.names == ["copy", "many"])
    }

    /// Links count as names too: the folder is never cut in silence.
    @Test func aFolderWithMoreNamesThanAreReadIsRefused() throws {
        let folder = try TestFolder()
        for number in 0..<9_000 { try folder.put([], "many/\(number)") }
        for number in 0..<1_000 { #expect(symlink("0", folder.path + "/many/link-\(number)") == 0) }
        let facts = try pack(folder, "many")
        #expect(facts.files == 9_000 && facts.leftOut == 1_000)
        try FileManager.default.removeItem(atPath: folder.path + "/packed")
        #expect(symlink("0", folder.path + "/many/one-more") == 0)
        #expect(throws: SourceError.self) { try pack(folder, "many") }
        #expect(folder.names == ["many"])
    }

    @Test func linksAndPipesAreLeftOut() throws {
        let folder = try TestFolder()
        try folder.put([1], "secret")
        try folder.put([2], "own/file")
        #expect(symlink(folder.path + "/secret", folder.path + "/own/link") == 0)
        #expect(symlink(folder.path, folder.path + "/own/loop") == 0)
        // Nobody ever writes to it: to open it would wait for ever.
        #expect(mkfifo(folder.path + "/own/pipe", 0o600) == 0)
        let facts = try pack(folder, "own")
        #expect(facts.files == 1 && facts.leftOut == 3)
        #expect(try unpack(folder, as: "copy") == "copy")
        #expect(folder.files(in: "copy") == ["file"])
    }

    @Test func aFolderThatIsTooDeepIsRefused() throws {
        let folder = try TestFolder()
        let deep = (1..<Limits.folderDepth).map { "\($0)" }.joined(separator: "/")
        try folder.put([1], "deep/\(deep)/file")
        #expect(try pack(folder, "deep").files == 1)
        try folder.put([1], "deep/\(deep)/more/file")
        #expect(throws: SourceError.self) { try pack(folder, "deep") }
        #expect(folder.names == ["deep"])
    }

    @Test func namesAreMadeSafe() throws {
        let folder = try TestFolder()
        try folder.put(
            forged([
                ("CON", [1]), (".profile", [2]), ("a\u{202e}txt.exe", [3]), ("A", [4]), ("a", [5]), ("a\\b/c", [6]),
            ]),
            "hostile"
        )
        let name = try unpack(folder, as: "../../x\u{1b}[2J", from: "hostile")
        #expect(name == "___.._x[2J")
        #expect(folder.files(in: name) == ["A", "_CON", "_profile", "a (2)", "a_b/c", "atxt.exe"])
    }

    @Test func aPathThatLeavesTheFolderIsRefused() throws {
        let folder = try TestFolder()
        // Such a listing cannot be made here: its bytes are those of another with the path changed.
        for (harmless, hostile) in [("xx/x", "../x"), ("xx/yy", "xx/.."), ("x/y", "//y"), ("xabs", "/abs")] {
            let bytes = try forged([(harmless, [1])])
            let text = Array(harmless.utf8)
            let at = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
            try folder.put(Array(bytes[..<at]) + Array(hostile.utf8) + bytes[(at + text.count)...], "hostile")
            #expect(throws: ShelfError.malformed) { try unpack(folder, as: "out", from: "hostile") }
            #expect(folder.names == ["hostile"])
        }
    }

    @Test func whatIsCutOrLongerLeavesNothing() throws {
        let folder = try TestFolder()
        let whole = try forged([("a", [1, 2, 3]), ("b/c", [UInt8](repeating: 7, count: 2_000_000)), ("d", [])])
        for count in [0, 3, 4, 20, whole.count - 1, whole.count - 1_999_999] {
            try folder.put(Array(whole.prefix(count)), "part")
            #expect(throws: ShelfError.malformed) { try unpack(folder, as: "out", from: "part") }
        }
        try folder.put(whole + [0], "part")
        #expect(throws: ShelfError.malformed) { try unpack(folder, as: "out", from: "part") }
        var changed = whole
        changed[changed.count - 1] ^= 1
        try folder.put(changed, "part")
        #expect(throws: ShelfError.malformed) { try unpack(folder, as: "out", from: "part") }
        #expect(folder.names == ["part"])
        try folder.put(whole, "part")
        #expect(try unpack(folder, as: "out", from: "part") == "out")
    }

    /// The disk has changed it since it was verified: its sender has nothing to do with that.
    @Test func aFolderThatIsDamagedHereIsNotUnpacked() throws {
        let folder = try TestFolder()
        var bytes = try forged([("a", [1, 2, 3]), ("b/c", [UInt8](repeating: 7, count: 2_000_000))])
        try folder.put(bytes, "packed")
        let id = try id(folder, "packed")
        let source = folder.path + "/packed"
        for (place, length) in [(bytes.count - 1, bytes.count), (0, bytes.count), (9, bytes.count - 1)] {
            var other = Array(bytes.prefix(length))
            other[place] ^= 1
            try folder.put(other, "packed")
            #expect(throws: ShelfError.damaged, "\(place)") {
                try FolderUnpacking.unpack(source, id, to: UserPath(folder.path), as: .exact("out"))
            }
            #expect(folder.names == ["packed"])
        }
        // A whole folder, but another one.
        bytes = try forged([("a", [1, 2, 4])])
        try folder.put(bytes, "packed")
        #expect(throws: ShelfError.damaged) {
            try FolderUnpacking.unpack(source, id, to: UserPath(folder.path), as: .exact("out"))
        }
        #expect(folder.names == ["packed"])
    }

    @Test func anythingAtAllIsAFolderOrIsRefused() throws {
        var random = SplitMix.printingSeed()
        let folder = try TestFolder()
        let whole = try forged([("a", [1, 2, 3]), ("b/c", [4, 5]), ("b/d", [])])
        for _ in 0..<200 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try folder.put(bytes, "any")
            let name = try? unpack(folder, as: "out", from: "any")
            #expect(folder.names == ["any"] + (name.map { [$0] } ?? []))
            if let name { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
        }
    }

    @Test func aNameThatTheUserGaveIsTakenOrRefused() throws {
        let folder = try TestFolder()
        try folder.put(forged([("a", [1])]), "one")
        let (source, id) = (folder.path + "/one", try id(folder, "one"))
        #expect(try FolderUnpacking.unpack(source, id, to: UserPath(folder.path), as: .exact("mine")) == "mine")
        #expect(throws: ShelfError.failed(EEXIST)) {
            try FolderUnpacking.unpack(source, id, to: UserPath(folder.path), as: .exact("mine"))
        }
        // A link is not a folder of that name, wherever it leads.
        try FileManager.default.createDirectory(atPath: folder.path + "/else", withIntermediateDirectories: true)
        #expect(symlink("else", folder.path + "/link") == 0)
        #expect(throws: ShelfError.failed(EEXIST)) {
            try FolderUnpacking.unpack(source, id, to: UserPath(folder.path), as: .exact("link"))
        }
        #expect(throws: ShelfError.self) {
            try FolderUnpacking.unpack(source, id, to: UserPath(folder.path + "/link"), as: .exact("x"))
        }
        #expect(folder.files(in: "else") == [])
    }
}
