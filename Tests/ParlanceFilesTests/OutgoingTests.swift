import Foundation
import ParlanceCore
import ParlanceFiles
import ParlancePictures
import ParlanceRandom
import ParlanceRecords
import ParlanceWire
import ParlanceWords
import Testing

/// Copies of the user's files, as they are sent.
@Suite struct OutgoingTests {
    /// A PNG of 2 by 3 pixels, with a text or without; its checksums are not right, and nobody looks.
    private func picture(text: String?) -> [UInt8] {
        func chunk(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(bytes.count)] + Array(type.utf8) + bytes + [0, 0, 0, 0]
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 3, 8, 0, 0, 0, 0])
            + (text.map { chunk("tEXt", Array($0.utf8)) } ?? []) + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
    }

    private func copy(_ folder: TestFolder, _ name: String, keepMetadata: Bool = false) throws -> OutgoingFacts {
        try Outgoing.copy(
            UserPath(folder.path + "/" + name),
            to: folder.path + "/copy",
            keepMetadata: keepMetadata
        ) { _, _ in }
    }

    private func cause(_ work: () throws -> OutgoingFacts) -> SourceError.Cause? {
        do {
            _ = try work()
            return nil
        } catch { return (error as? SourceError)?.cause }
    }

    @Test func aFileIsCopiedAsItIs() throws {
        var random = SplitMix.printingSeed()
        let folder = try TestFolder()
        let bytes = random.bytes(3_000_001)
        try folder.put(bytes, "file")
        var told: [UInt64] = []
        let facts = try Outgoing.copy(UserPath(folder.path + "/file"), to: folder.path + "/copy", keepMetadata: false) {
            #expect($1 == 3_000_001)
            told.append($0)
        }
        #expect(try folder.bytes("copy") == bytes)
        #expect(facts.size == 3_000_001 && facts.pixels == nil && facts.cleaned == 0)
        #expect(told == told.sorted() && told.last == 3_000_001)
        #expect(try folder.mode("copy") == 0o600)
    }

    @Test func aPictureLosesWhatItTells() throws {
        let folder = try TestFolder()
        try folder.put(picture(text: "52.5N 13.4E"), "photo.png")
        let facts = try copy(folder, "photo.png")
        #expect(try folder.bytes("copy") == picture(text: nil))
        #expect(facts.cleaned == 1 && facts.pixels == OutgoingFacts.Pixels(width: 2, height: 3))
        #expect(facts.size == UInt64(picture(text: nil).count))
        // Unless the user wants otherwise.
        let kept = try copy(folder, "photo.png", keepMetadata: true)
        #expect(try folder.bytes("copy") == picture(text: "52.5N 13.4E"))
        #expect(kept.cleaned == 0 && kept.pixels != nil)
    }

    @Test func thePicturesInAFolderLoseItToo() throws {
        let folder = try TestFolder()
        try folder.put(picture(text: "52.5N"), "trip/a.png")
        try folder.put(picture(text: "13.4E"), "trip/b/c.png")
        try folder.put(Array("notes".utf8), "trip/notes")
        #expect(try copy(folder, "trip").cleaned == 2)
        let name = FileDelivery.Name.free(SafeFileName("out"))
        let copy = try folder.bytes("copy")
        var hasher = FileHasher(try FileShape(size: UInt64(copy.count)))
        try hasher.update(copy)
        let id = try hasher.finish().id
        #expect(try FolderUnpacking.unpack(folder.path + "/copy", id, to: UserPath(folder.path), as: name) == "out")
        #expect(try folder.bytes("out/a.png") == picture(text: nil))
        #expect(try folder.bytes("out/b/c.png") == picture(text: nil))
    }

    @Test func theSenderIsToldOfWhatStays() throws {
        let folder = try TestFolder()
        let heic: [UInt8] = [0, 0, 0, 16] + Array("ftypheic".utf8) + [0, 0, 0, 0]
        try folder.put(heic, "photo.heic")
        try folder.put(Array(picture(text: "x").dropLast(20)), "broken.png")
        #expect(try copy(folder, "photo.heic").uncleaned.map(\.reason) == [.notRemovable(.heic)])
        #expect(try folder.bytes("copy") == heic)
        #expect(try copy(folder, "broken.png").uncleaned.map(\.reason) == [.damaged(.png)])
        #expect(try folder.bytes("copy") == folder.bytes("broken.png"))
    }

    @Test func aPictureThatIsTooLargeIsNeverWholeInMemory() throws {
        let folder = try TestFolder()
        try folder.put(picture(text: "x"), "large.png")
        #expect(truncate(folder.path + "/large.png", PictureCleaning.mostBytes + 1) == 0)
        let facts = try copy(folder, "large.png")
        #expect(facts.uncleaned.map(\.reason) == [.tooLarge(.png)])
        #expect(facts.size == UInt64(PictureCleaning.mostBytes + 1))
    }

    @Test func nothingButAnOrdinaryFileIsOpened() throws {
        let folder = try TestFolder()
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        #expect(cause { try copy(folder, "pipe") } == .file(.notAFile))
        #expect(symlink("/dev/zero", folder.path + "/zero") == 0)
        #expect(cause { try copy(folder, "zero") } == .file(.notAFile))
        #expect(cause { try copy(folder, "nothing") } == .file(.missing))
        #expect(folder.names == ["pipe", "zero"])
        // A link that the user names is what it leads to.
        try folder.put([1], "file")
        #expect(symlink("file", folder.path + "/link") == 0)
        #expect(try copy(folder, "link").size == 1)
    }

    @Test(.enabled(if: geteuid() != 0)) func whatIsDeniedIsSaid() throws {
        let folder = try TestFolder()
        try folder.put([1], "trip/file")
        #expect(chmod(folder.path + "/trip/file", 0) == 0)
        #expect(cause { try copy(folder, "trip/file") } == .file(.failed(EACCES)))
        #expect(cause { try copy(folder, "trip") } == .file(.failed(EACCES)))
        #expect(chmod(folder.path + "/trip", 0) == 0)
        #expect(cause { try copy(folder, "trip") } == .file(.failed(EACCES)))
        #expect(chmod(folder.path + "/trip", 0o700) == 0)
        #expect(folder.names == ["trip"])
    }

    @Test func aFileThatChangesIsNotSent() throws {
        let folder = try TestFolder()
        try folder.put([UInt8](repeating: 1, count: 3_000_000), "log")
        let path = folder.path + "/log"
        let found = cause {
            try Outgoing.copy(UserPath(path), to: folder.path + "/copy", keepMetadata: false) { done, _ in
                if done < 2_000_000 { #expect(truncate(path, 3_000_001) == 0) }
            }
        }
        #expect(found == .file(.changed))
        #expect(folder.names == ["log"])
        // The same in a folder.
        try folder.put([UInt8](repeating: 1, count: 3_000_000), "logs/a")
        let other = cause {
            try Outgoing.copy(UserPath(folder.path + "/logs"), to: folder.path + "/copy", keepMetadata: false) {
                done,
                _ in
                if done < 2_000_000 { #expect(truncate(folder.path + "/logs/a", 2_500_000) == 0) }
            }
        }
        #expect(other == .file(.changed))
        #expect(folder.names == ["log", "logs"])
    }

    /// The system says that they have 0 bytes.
    @Test func aFileOfTheSystemIsNotSentAsAnEmptyOne() throws {
        let folder = try TestFolder()
        let found = cause {
            try Outgoing.copy("/proc/self/status", to: folder.path + "/copy", keepMetadata: false) { _, _ in }
        }
        #expect(found == .file(.changed))
        #expect(folder.names == [])
    }

    @Test func whatIsLargerThanTheNodeTakesIsNotCopied() throws {
        let folder = try TestFolder()
        try folder.put([UInt8](repeating: 1, count: 1_000), "file")
        try folder.put([UInt8](repeating: 1, count: 1_000), "trip/file")
        func take(_ name: String, limit: UInt64) throws -> OutgoingFacts {
            try Outgoing.copy(
                UserPath(folder.path + "/" + name),
                to: folder.path + "/copy",
                limit: limit,
                keepMetadata: false
            ) {
                if $0 > limit { Issue.record("\($0) of \($1)") }
            }
        }
        #expect(cause { try take("file", limit: 999) } == .file(.tooLarge))
        // The list of a folder's files counts, too.
        #expect(cause { try take("trip", limit: 1_000) } == .file(.tooLarge))
        #expect(folder.names == ["file", "trip"])
        #expect(try take("file", limit: 1_000).size == 1_000)
        let size = try take("trip", limit: 2_000).size
        #expect(try take("trip", limit: size).size == size)
        #expect(cause { try take("trip", limit: size - 1) } == .file(.tooLarge))
    }

    @Test func whatComesThroughAPipeIsCopied() throws {
        let folder = try TestFolder()
        try folder.put(picture(text: "52.5N"), "source")
        let place = folder.path + "/copy"
        func take(limit: UInt64) throws -> OutgoingFacts {
            let descriptor = open(folder.path + "/source", O_RDONLY)
            defer { close(descriptor) }
            return try Outgoing.copy(
                descriptor: descriptor,
                name: "photo.png",
                to: place,
                limit: limit,
                keepMetadata: false
            ) { _ in }
        }
        let facts = try take(limit: 1_000)
        #expect(facts.cleaned == 1 && facts.pixels != nil)
        #expect(try folder.bytes("copy") == picture(text: nil))
        try FileManager.default.removeItem(atPath: place)
        #expect(cause { try take(limit: 10) } == .file(.tooLarge))
        #expect(folder.names == ["source"])
    }

    @Test func aCopyForTheUserHasTheNameThatHeGave() throws {
        let folder = try TestFolder()
        try folder.put([1, 2, 3], "shelf")
        var hasher = FileHasher(try FileShape(size: 3))
        try hasher.update([1, 2, 3])
        let (source, id) = (folder.path + "/shelf", try hasher.finish().id)
        #expect(try FileDelivery.copy(source, id, to: UserPath(folder.path), as: .exact("mine")) == "mine")
        #expect(try folder.bytes("mine") == [1, 2, 3])
        #expect(throws: ShelfError.failed(EEXIST)) {
            try FileDelivery.copy(source, id, to: UserPath(folder.path), as: .exact("mine"))
        }
        #expect(symlink("target", folder.path + "/link") == 0)
        #expect(throws: ShelfError.failed(EEXIST)) {
            try FileDelivery.copy(source, id, to: UserPath(folder.path), as: .exact("link"))
        }
        #expect(
            try FileDelivery.copy(source, id, to: UserPath(folder.path), as: .free(SafeFileName("mine"))) == "mine (2)"
        )
        #expect(throws: ShelfError.damaged) {
            try FileDelivery.copy(source, FileID(value: .zero), to: UserPath(folder.path), as: .exact("other"))
        }
        #expect(folder.names == ["link", "mine", "mine (2)", "shelf"])
    }
}
