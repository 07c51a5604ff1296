import Foundation
import ParlanceCore
import ParlanceFiles
import ParlanceRecords
import ParlanceWire
import Testing

/// Files on the disk of a node (files.md, "Content").
@Suite struct FileShelfTests {
    /// A folder that is removed with this object.
    private final class Folder {
        let path = NSTemporaryDirectory() + "/parlance-shelf-\(UUID().uuidString)"

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func shelf() throws -> FileShelf { try FileShelf(at: path + "/files") }

        /// Every file in the shelf, without the folders.
        var files: [String] {
            (FileManager.default.enumerator(atPath: path + "/files")?.compactMap { $0 as? String } ?? [])
                .filter { name in
                    var isFolder: ObjCBool = false
                    return FileManager.default.fileExists(atPath: path + "/files/" + name, isDirectory: &isFolder)
                        && !isFolder.boolValue
                }.sorted()
        }

        func mode(_ name: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
            return try #require(attributes[.posixPermissions] as? Int)
        }
    }

    private let seed = UInt64.random(in: 0...UInt64.max)

    private func bytes(_ count: Int, _ seed: UInt64 = 1) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private func put(_ bytes: [UInt8], on shelf: FileShelf, as name: String = "new") throws -> FileManifest {
        try Data(bytes).write(to: URL(fileURLWithPath: shelf.incoming(name)))
        return try shelf.take(name)
    }

    private func manifest(_ bytes: [UInt8]) throws -> FileManifest {
        var hasher = FileHasher(try FileShape(size: UInt64(bytes.count)))
        try hasher.update(bytes)
        return try hasher.finish()
    }

    private func chunk(_ number: Int, of bytes: [UInt8], _ manifest: FileManifest) throws -> [UInt8] {
        let range = try #require(manifest.shape.range(of: number))
        return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }

    @Test(arguments: [0, 1, 65_536, 65_537, 300_000]) func aFileIsTakenOnceAndReadAgain(count: Int) throws {
        let folder = try Folder()
        let (shelf, content) = (try folder.shelf(), bytes(count))
        let taken = try put(content, on: shelf)
        #expect(taken == (try manifest(content)) && shelf.has(taken.id))
        #expect(try put(content, on: shelf, as: "again") == taken)
        #expect(folder.files.count == 2, "the file and its manifest, once: \(folder.files)")
        let again = try folder.shelf()
        #expect(try again.manifest(of: taken.id) == taken)
        #expect(again.entries().map(\.id) == [taken.id] && again.entries().first?.size == UInt64(count))
        #expect(try again.read(taken.id, 0..<UInt64(count)) == content)
        again.remove(taken.id)
        #expect(!again.has(taken.id) && folder.files.isEmpty)
        #expect(throws: ShelfError.missing) { try again.manifest(of: taken.id) }
    }

    @Test func onlyAnOrdinaryFileOfTheFolderIsTaken() throws {
        let folder = try Folder()
        let shelf = try folder.shelf()
        for name in ["..", ".", "../whole", "a/b"] {
            #expect(throws: ShelfError.notAFile, "\(name)") { try shelf.take(name) }
        }
        #expect(throws: ShelfError.missing) { try shelf.take("nothing") }
        try FileManager.default.createSymbolicLink(
            atPath: shelf.incoming("link"),
            withDestinationPath: "/etc/hostname"
        )
        #expect(throws: ShelfError.notAFile) { try shelf.take("link") }
        try FileManager.default.createDirectory(atPath: shelf.incoming("folder"), withIntermediateDirectories: false)
        #expect(throws: ShelfError.self) { try shelf.take("folder") }
        #expect(shelf.entries().isEmpty)
    }

    @Test func whatWasNotTakenGoesAtTheNextStart() throws {
        let folder = try Folder()
        try Data([1]).write(to: URL(fileURLWithPath: try folder.shelf().incoming("left")))
        #expect(folder.files == ["incoming/left"])
        _ = try folder.shelf()
        #expect(folder.files.isEmpty)
    }

    @Test func aCopyReplacesNothingAndCannotBeExecuted() throws {
        let folder = try Folder()
        let shelf = try folder.shelf()
        let content = bytes(200_000)
        let id = try put(content, on: shelf).id
        let name = SafeFileName("réport.pdf")
        #expect(try shelf.copy(id, to: folder.path, as: name).text == "réport.pdf")
        #expect(try shelf.copy(id, to: folder.path, as: name).text == "réport (2).pdf")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/réport (3).pdf",
            withDestinationPath: folder.path + "/elsewhere"
        )
        #expect(try shelf.copy(id, to: folder.path, as: name).text == "réport (4).pdf", "a link is no free name")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/elsewhere"))
        for name in ["réport.pdf", "réport (2).pdf", "réport (4).pdf"] {
            #expect(FileManager.default.contents(atPath: folder.path + "/" + name) == Data(content))
            #expect(try folder.mode(name) & 0o111 == 0)
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link",
            withDestinationPath: folder.path + "/files"
        )
        #expect(throws: ShelfError.self) { try shelf.copy(id, to: folder.path + "/link", as: name) }
        #expect(throws: ShelfError.missing) { try shelf.copy(id, to: folder.path + "/nowhere", as: name) }
    }

    @Test func whatIsDamagedIsNotCopied() throws {
        let folder = try Folder()
        let shelf = try folder.shelf()
        let id = try put(bytes(200_000), on: shelf).id
        let file = try #require(folder.files.first { !$0.hasSuffix(".leaves") })
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path + "/files/" + file))
        try handle.seek(toOffset: 150_000)
        try handle.write(contentsOf: Data([0, 1, 2, 3]))
        try handle.close()
        #expect(throws: ShelfError.damaged) { try shelf.copy(id, to: folder.path, as: SafeFileName("copy")) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["files"], "not even a part of it")
        #expect(throws: ShelfError.damaged) { try shelf.verify(id) }
        // The same file again is what it was.
        #expect(try put(bytes(200_000), on: shelf).id == id)
        try shelf.verify(id)
        _ = try shelf.copy(id, to: folder.path, as: SafeFileName("copy"))
        #expect(FileManager.default.contents(atPath: folder.path + "/copy") == Data(bytes(200_000)))
        // A damaged manifest is not served either.
        let leaves = try #require(folder.files.first { $0.hasSuffix(".leaves") })
        try Data(repeating: 7, count: 128).write(to: URL(fileURLWithPath: folder.path + "/files/" + leaves))
        #expect(throws: ShelfError.damaged) { try shelf.manifest(of: id) }
    }

    @Test func aManifestIsWrittenAnewFromGoodBytes() throws {
        let folder = try Folder()
        let shelf = try folder.shelf()
        let manifest = try put(bytes(200_000), on: shelf)
        let leaves = folder.path + "/files/" + (try #require(folder.files.first { $0.hasSuffix(".leaves") }))
        for work in [
            { try FileManager.default.removeItem(atPath: leaves) },
            { try Data(repeating: 7, count: 128).write(to: URL(fileURLWithPath: leaves)) },
        ] {
            try work()
            #expect(throws: ShelfError.self) { try shelf.content(of: manifest.id) }
            #expect(try shelf.mend(manifest.id) == manifest)
            #expect(try shelf.content(of: manifest.id) == .whole(manifest))
        }
        let file = try #require(folder.files.first { !$0.contains(".") })
        try Data(repeating: 0, count: 200_000).write(to: URL(fileURLWithPath: folder.path + "/files/" + file))
        #expect(throws: ShelfError.damaged) { try shelf.mend(manifest.id) }
    }

    /// Somebody may use a file between the list of what can go and its removal.
    @Test func whatWasJustUsedIsNotRemoved() throws {
        let folder = try Folder()
        let shelf = try folder.shelf()
        let ids = try (1...3).map { try put(bytes(1_000, UInt64($0)), on: shelf, as: "\($0)").id }
        for (index, id) in ids.enumerated() {
            let path = try #require(shelf.path(of: id))
            let date = Date(timeIntervalSince1970: TimeInterval(1_000 + index))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        #expect(!shelf.remove(ids[0], unusedSince: 1_000))
        var looked: [FileID] = []
        let (removed, _) = shelf.shrink(to: 0) { entry in
            looked.append(entry.id)
            if looked.count == 1 { shelf.touch(ids[1]) }
            return entry.used >= 1_000_000
        }
        #expect(looked == ids && removed.map(\.id) == [ids[0], ids[2]])
        #expect(shelf.entries().map(\.id) == [ids[1]])
        #expect(!shelf.remove(ids[0], unusedSince: .max), "it is not there any more")
        #expect(shelf.remove(ids[1], unusedSince: .max) && shelf.entries().isEmpty)
    }

    /// One whose bytes have changed on the disk, which nobody has noticed yet.
    @Test func aFileThatIsTakenAgainReplacesADamagedOne() throws {
        let folder = try Folder()
        let shelf = try folder.shelf()
        let id = try put(bytes(1_000), on: shelf).id
        let file = try #require(folder.files.first { !$0.contains(".") })
        try Data(repeating: 0, count: 1_000).write(to: URL(fileURLWithPath: folder.path + "/files/" + file))
        #expect(try put(bytes(1_000), on: shelf).id == id)
        #expect(try shelf.read(id, 0..<1_000) == bytes(1_000) && folder.files.count == 2)
    }

    /// What is asked for comes from others.
    @Test func onlyWhatIsThereIsRead() throws {
        let folder = try Folder()
        let content = bytes(3 * 65_536)
        let manifest = try manifest(content)
        let shelf = try folder.shelf()
        _ = try shelf.begin(manifest)
        #expect(try shelf.write(try chunk(1, of: content, manifest), as: 1, of: manifest.id))
        #expect(try shelf.read(manifest.id, 65_600..<131_000) == Array(content[65_600..<131_000]))
        for range in [0..<10, 65_500..<65_600, 131_000..<131_100, 196_000..<200_000, 500_000..<500_001]
            as [Range<UInt64>]
        {
            #expect(throws: ShelfError.missing, "\(range)") { try shelf.read(manifest.id, range) }
        }
        for range in [0..<UInt64.max, 5..<(1 << 63)] {
            #expect(throws: ShelfError.tooLarge, "\(range)") { try shelf.read(manifest.id, range) }
        }
    }

    @Test func whatStandsBesideNothingGoesAtTheNextStart() throws {
        let folder = try Folder()
        let id = try put(bytes(10), on: try folder.shelf()).id
        let group = folder.path + "/files/whole/" + hex(id).prefix(2)
        let other = String(repeating: "a", count: 64)
        for name in [other + ".leaves", hex(id) + ".leaves.new"] {
            try Data([1]).write(to: URL(fileURLWithPath: group + "/" + name))
        }
        for name in [".leaves", ".chunks", ".chunks.new"] {
            try Data([1]).write(to: URL(fileURLWithPath: folder.path + "/files/parts/" + other + name))
        }
        _ = try folder.shelf()
        #expect(folder.files.count == 2, "\(folder.files)")
    }

    /// Chunks come in any order, some of them wrong or twice, and the process dies at random moments.
    @Test func aFileThatComesInPartsIsRightAfterAnyCrash() throws {
        var random = SeededGenerator(seed: seed)
        let folder = try Folder()
        let content = bytes(40 * 65_536 + 12_345, seed)
        let manifest = try manifest(content)
        var shelf = try folder.shelf()
        var (held, crashes) = (try shelf.begin(manifest), 0)
        #expect(held.isEmpty)
        while !held.isComplete {
            // At least once.
            if random.below(20) == 0 || crashes == 0 && held.count > 20 {
                crashes += 1
                if random.below(2) == 0 { try shelf.rest(manifest.id) }
                shelf = try folder.shelf()
                let before = held
                held = try shelf.begin(manifest)
                #expect(held.subtracting(before).isEmpty, "seed \(seed): it has what never came")
            }
            let number = Int(random.below(Int64(manifest.shape.count)))
            var piece = try chunk(number, of: content, manifest)
            switch random.below(6) {
            case 0:
                piece[Int(random.below(Int64(piece.count)))] ^= 1
                #expect(try !shelf.write(piece, as: number, of: manifest.id), "seed \(seed)")
            case 1:
                #expect(try !shelf.write(piece + [0], as: number, of: manifest.id), "seed \(seed)")
            default:
                #expect(try shelf.write(piece, as: number, of: manifest.id), "seed \(seed)")
                held.insert(number)
                let range = try #require(manifest.shape.range(of: number))
                #expect(try shelf.read(manifest.id, range) == piece, "what is here is served at once")
            }
        }
        #expect(crashes > 0)
        #expect(shelf.finish([manifest.id]).isEmpty)
        #expect(shelf.has(manifest.id) && shelf.unfinished().isEmpty)
        #expect(try folder.shelf().manifest(of: manifest.id) == manifest)
        _ = try shelf.copy(manifest.id, to: folder.path, as: SafeFileName("copy"))
        #expect(FileManager.default.contents(atPath: folder.path + "/copy") == Data(content), "seed \(seed)")
        #expect(folder.files.count == 2, "\(folder.files)")
    }

    /// A process that dies loses what it wrote last, and no more.
    @Test func aCrashCostsAtMostWhatIsNotNoted() throws {
        let folder = try Folder()
        let content = bytes(Limits.unsyncedFileBytes + 4 * 65_536)
        let manifest = try manifest(content)
        let shelf = try folder.shelf()
        _ = try shelf.begin(manifest)
        for number in 0..<manifest.shape.count {
            #expect(try shelf.write(try chunk(number, of: content, manifest), as: number, of: manifest.id))
        }
        let held = try folder.shelf().begin(manifest)
        #expect(held.count == Limits.unsyncedFileBytes / 65_536 && held.chunks.last == held.count - 1)
    }

    @Test func onlySoMuchIsReadAtOnce() throws {
        let folder = try Folder()
        let shelf = try folder.shelf()
        let content = bytes(Limits.fileReadBytes + 1)
        let id = try put(content, on: shelf).id
        #expect(try shelf.read(id, 1..<UInt64(content.count)) == Array(content.dropFirst()))
        #expect(throws: ShelfError.tooLarge) { try shelf.read(id, 0..<UInt64(content.count)) }
    }

    @Test func aNameHasOnlySoManyCopies() throws {
        let folder = try Folder()
        let shelf = try folder.shelf()
        let (id, name) = (try put([1], on: shelf).id, SafeFileName("a"))
        for number in 1...Limits.copiesOfAName {
            let taken = number == 1 ? name : name.numbered(number)
            #expect(FileManager.default.createFile(atPath: folder.path + "/" + taken.text, contents: nil))
        }
        #expect(throws: ShelfError.self) { try shelf.copy(id, to: folder.path, as: name) }
        try FileManager.default.removeItem(atPath: folder.path + "/" + name.numbered(Limits.copiesOfAName).text)
        #expect(try shelf.copy(id, to: folder.path, as: name) == name.numbered(Limits.copiesOfAName))
    }

    @Test func whatIsNotWholeIsNotFinished() throws {
        let folder = try Folder()
        let content = bytes(3 * 65_536)
        let manifest = try manifest(content)
        let shelf = try folder.shelf()
        #expect(shelf.finish([manifest.id]) == [manifest.id: .missing])
        #expect(throws: ShelfError.missing) { try shelf.write(content, as: 0, of: manifest.id) }
        _ = try shelf.begin(manifest)
        #expect(try shelf.write(try chunk(1, of: content, manifest), as: 1, of: manifest.id))
        #expect(shelf.finish([manifest.id]) == [manifest.id: .missing])
        #expect(try !shelf.write(try chunk(1, of: content, manifest), as: 2, of: manifest.id), "in another place")
        #expect(shelf.unfinished() == [manifest.id])
        shelf.drop(part: manifest.id)
        #expect(shelf.unfinished().isEmpty && folder.files.isEmpty)
        // An empty file has nothing to fetch.
        let empty = try self.manifest([])
        #expect(try shelf.begin(empty).isComplete)
        #expect(shelf.finish([empty.id]).isEmpty)
        #expect(shelf.has(empty.id))
    }

    /// A note of the chunks without the file, or of another file, is not believed.
    @Test func aNoteWithoutItsFileIsNotBelieved() throws {
        let folder = try Folder()
        let content = bytes(3 * 65_536)
        let manifest = try manifest(content)
        let shelf = try folder.shelf()
        _ = try shelf.begin(manifest)
        #expect(try shelf.write(try chunk(0, of: content, manifest), as: 0, of: manifest.id))
        try shelf.rest(manifest.id)
        #expect(try folder.shelf().begin(manifest).count == 1)
        let part = try #require(folder.files.first { $0.hasPrefix("parts/") && !$0.contains(".") })
        try FileManager.default.removeItem(atPath: folder.path + "/files/" + part)
        #expect(try folder.shelf().begin(manifest).isEmpty)
    }

    @Test func aFullDiskIsKnownBeforeAnythingIsFetched() throws {
        let folder = try Folder()
        let shape = try FileShape(size: Limits.fileBytes)
        let huge = try FileManifest(shape, leaves: Array(repeating: Bytes32.zero, count: shape.count))
        let shelf = try folder.shelf()
        guard case .full(let needed, let free) = #expect(throws: ShelfError.self, performing: { try shelf.begin(huge) })
        else {
            Issue.record("this disk has room for 1 TiB")
            return
        }
        #expect(needed == Limits.fileBytes + Limits.diskReserveBytes && free < needed)
        #expect(folder.files.isEmpty && shelf.unfinished().isEmpty)
    }

    @Test func theFilesUsedLongestAgoGoFirst() throws {
        let folder = try Folder()
        let shelf = try folder.shelf()
        let ids = try (0..<4).map { number in
            let id = try put(bytes(1_000, UInt64(number) + 10), on: shelf).id
            let file = try #require(folder.files.first { !$0.contains(".") && $0.hasSuffix(hex(id)) })
            let date = Date(timeIntervalSince1970: 1_000 + Double(number))
            try FileManager.default.setAttributes(
                [.modificationDate: date],
                ofItemAtPath: folder.path + "/files/" + file
            )
            return id
        }
        #expect(shelf.entries().map(\.id) == ids)
        shelf.touch(ids[0])
        #expect(shelf.shrink(to: 4_000) { _ in false } == ([], 4_000))
        let (removed, rest) = shelf.shrink(to: 2_500) { $0.id == ids[1] }
        #expect(removed.map(\.id) == [ids[2], ids[3]] && rest == 2_000)
        #expect(shelf.has(ids[0]) && shelf.has(ids[1]) && !shelf.has(ids[2]))
    }

    private func hex(_ id: FileID) -> String {
        id.bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }

    @Test func theShelfIsTheOwnersAlone() throws {
        let folder = try Folder()
        let shelf = try folder.shelf()
        _ = try put(bytes(10), on: shelf)
        for name in ["files", "files/whole", "files/parts", "files/incoming"] {
            #expect(try folder.mode(name) == 0o700)
        }
        for file in folder.files { #expect(try folder.mode("files/" + file) == 0o600, "\(file)") }
    }
}
