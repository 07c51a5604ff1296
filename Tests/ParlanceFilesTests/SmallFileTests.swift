import Foundation
import ParlanceCore
import ParlanceFiles
import ParlanceWire
import Testing

/// Files of one chunk: there are many of them, and each costs few syncs.
@Suite struct SmallFileTests {
    private let folder: TestFolder
    private let bytes = (0..<10_240).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    private let manifest: FileManifest

    init() throws {
        folder = try TestFolder()
        var hasher = FileHasher(try FileShape(size: UInt64(bytes.count)))
        try hasher.update(bytes)
        manifest = try hasher.finish()
    }

    private func shelf() throws -> FileShelf { try FileShelf(at: folder.path + "/files") }

    /// The process dies before each step, and once more behind the last.
    @Test(arguments: 0...3) func aSmallFileIsWholeOrFetchedAnew(steps: Int) throws {
        var shelf = try shelf()
        if steps > 0 { #expect(try shelf.begin(manifest).isEmpty) }
        if steps > 1 { #expect(try shelf.write(bytes, as: 0, of: manifest.id)) }
        if steps > 2 { #expect(shelf.finish([manifest.id]).isEmpty) }
        #expect(folder.files(in: "files").count == [0, 1, 1, 2][steps], "nothing is noted beside it")
        shelf = try self.shelf()
        if steps < 3 {
            #expect(try shelf.content(of: manifest.id) == .nothing)
            #expect(try shelf.begin(manifest).isEmpty)
            #expect(try shelf.write(bytes, as: 0, of: manifest.id))
            try shelf.rest(manifest.id)
            #expect(try shelf.begin(manifest).isEmpty, "a rest is like an end")
            #expect(try shelf.write(bytes, as: 0, of: manifest.id))
            #expect(shelf.finish([manifest.id]).isEmpty)
        }
        #expect(try shelf.content(of: manifest.id) == .whole(manifest))
        #expect(shelf.unfinished().isEmpty && folder.files(in: "files").count == 2)
    }

    @Test func ofFilesThatBecomeWholeTogetherOneMayFail() throws {
        let shelf = try shelf()
        var manifests: [FileManifest] = []
        for number in 0..<40 {
            let bytes = bytes + [UInt8(number)]
            var hasher = FileHasher(try FileShape(size: UInt64(bytes.count)))
            try hasher.update(bytes)
            manifests.append(try hasher.finish())
            _ = try shelf.begin(manifests[number])
            if number != 7 { #expect(try shelf.write(bytes, as: 0, of: manifests[number].id)) }
        }
        let ids = manifests.map(\.id)
        // Somebody removes one behind the back of the node, and something stands in the way of another.
        let parts = folder.files(in: "files").filter { $0.hasPrefix("parts/") }
        #expect(parts.count == 40)
        try FileManager.default.removeItem(atPath: "\(folder.path)/files/parts/\(hex(ids[9]))")
        let place = "\(folder.path)/files/whole/\(hex(ids[11]).prefix(2))/\(hex(ids[11]))"
        try FileManager.default.createDirectory(atPath: place + "/in the way", withIntermediateDirectories: true)
        let faults = shelf.finish(ids)
        #expect(Set(faults.keys) == [ids[7], ids[9], ids[11]], "\(faults)")
        #expect(faults[ids[7]] == .missing && faults[ids[9]] == .missing)
        for (number, id) in ids.enumerated() where faults[id] == nil {
            #expect(try shelf.content(of: id) == .whole(manifests[number]))
        }
        #expect(shelf.unfinished().allSatisfy { faults[$0] != nil })
    }

    private func hex(_ id: FileID) -> String { id.bytes.map { String(format: "%02x", $0) }.joined() }

    /// The list of hashes of a small file is not synced, so a loss of power may leave it empty.
    @Test func leavesThatWereLostAreWrittenAnew() throws {
        let shelf = try shelf()
        try folder.put(bytes, "files/incoming/new")
        #expect(try shelf.take("new") == manifest)
        let leaves = try #require(folder.files(in: "files").first { $0.hasSuffix(".leaves") })
        try folder.put([], "files/" + leaves)
        #expect(throws: ShelfError.damaged) { try shelf.content(of: manifest.id) }
        #expect(try shelf.mend(manifest.id) == manifest)
        #expect(try shelf.content(of: manifest.id) == .whole(manifest))
    }

    @Test func aSmallFileIsReadWholeAndVerified() throws {
        let shelf = try shelf()
        try folder.put(bytes, "files/incoming/new")
        _ = try shelf.take("new")
        let path = try #require(shelf.path(of: manifest.id))
        #expect(try FileDelivery.read(path, manifest.id, limit: UInt64(bytes.count)) == bytes)
        #expect(throws: ShelfError.tooLarge) {
            try FileDelivery.read(path, manifest.id, limit: UInt64(bytes.count) - 1)
        }
        #expect(throws: ShelfError.damaged) { try FileDelivery.read(path, FileID(value: .zero), limit: .max) }
        try folder.put([1], String(path.dropFirst(folder.path.count + 1)))
        #expect(throws: ShelfError.damaged) { try FileDelivery.read(path, manifest.id, limit: .max) }
    }
}
