import Foundation
import ParlanceCore
import ParlanceWire
import Testing

@testable import ParlanceFiles

/// Files that are sealed for a stick and opened from one, on a disk.
@Suite struct SealedFilesTests {
    private let folder: TestFolder
    private let content = (0..<180_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 7) }

    init() throws {
        folder = try TestFolder()
        try folder.put(content, "source")
    }

    private func carried(_ bytes: [UInt8], key: UInt8 = 1) throws -> CarriedFile {
        var hasher = FileHasher(try FileShape(size: UInt64(bytes.count)))
        try hasher.update(bytes)
        let key = try #require(SealedFileKey([UInt8](repeating: key, count: 32)))
        return CarriedFile(file: try hasher.finish().id, size: UInt64(bytes.count), key: key, slot: 0)
    }

    /// Seals what is in `source`.
    private func seal(_ carried: CarriedFile) throws -> [UInt8] {
        var source = try SealedSource(folder.path + "/source", carried)
        var sealed: [UInt8] = []
        while let bytes = try source.next() { sealed += bytes }
        return sealed
    }

    private func open(_ sealed: [UInt8], _ carried: CarriedFile, to place: String? = "place") throws {
        try folder.put(sealed, "sealed")
        let file = try OpenFile(folder.path + "/sealed", O_RDONLY)
        try SealedFiles.open(file.descriptor, carried, to: place.map { folder.path + "/" + $0 })
    }

    @Test func whatIsSealedIsOpenedForItsOwnerAlone() throws {
        let carried = try carried(content)
        let sealed = try seal(carried)
        #expect(try seal(carried) != sealed, "each writing has a header of its own")
        try open(sealed, carried)
        #expect(try folder.bytes("place") == content && folder.mode("place") == 0o600)
        unlink(folder.path + "/place")
        try open(sealed, carried, to: nil)
        let file = try OpenFile(folder.path + "/sealed", O_RDONLY)
        #expect(SealedFiles.mark(of: file.descriptor) == carried.key.mark)
        let source = try OpenFile(folder.path, O_RDONLY)
        #expect(SealedFiles.mark(of: source.descriptor) == nil && SealedFiles.mark(of: -1) == nil)
        #expect(folder.names == ["sealed", "source"], "verifying writes nothing")
    }

    @Test func nothingStaysOfWhatIsNotTheFile() throws {
        let carried = try carried(content)
        let sealed = try seal(carried)
        var flipped = sealed
        flipped[sealed.count - 20_000] ^= 4
        for changed in [flipped, Array(sealed.dropLast()), sealed + [1]] {
            #expect(throws: SealedFiles.Failure.damaged) { try open(changed, carried) }
        }
        for foreign in [[], content, try seal(self.carried(content, key: 2))] {
            #expect(throws: SealedFiles.Failure.foreign) { try open(foreign, carried) }
        }
        #expect(throws: SealedFiles.Failure.stick(EBADF)) { try SealedFiles.open(-1, carried, to: nil) }
        #expect(throws: SealedFiles.Failure.disk(.missing)) { try open(sealed, carried, to: "none/place") }
        #expect(folder.names == ["sealed", "source"])
    }

    @Test func aShelfThatHasOtherBytesIsNotSealed() throws {
        let carried = try carried(content)
        var changed = content
        changed[170_000] ^= 1
        try folder.put(changed, "source")
        #expect(throws: ShelfError.damaged) { try seal(carried) }
        try folder.put(content + [0], "source")
        #expect(throws: ShelfError.damaged) { try seal(carried) }
        unlink(folder.path + "/source")
        #expect(throws: ShelfError.missing) { try seal(carried) }
    }
}
