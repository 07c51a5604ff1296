import Foundation
import ParlanceCore
import ParlanceFiles
import ParlanceStore
import ParlanceWire
import ParlanceWords
import Synchronization
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// Which files stay on the shelf.
@Suite struct ShelfKeepingTests {
    private static let now: Int64 = 2_000_000_000

    @Test func whatNothingNamesGoesAfterAnHour() async throws {
        try await ShelfScene.withFolder { folder in
            let files = try (1...4).map { try SampleFile(1_000, number: $0) }
            let named = NamedFiles(all: [files[0].id])
            let scene = try ShelfScene(in: folder, named: { () throws(StoreError) in named })
            let old = Self.now - Limits.fileGraceSeconds
            for (file, used) in zip(files, [old - 1, old - 1, old]) {
                _ = try scene.put(file)
                try scene.setUsed(file.id, used)
            }
            scene.service.perform(.begin(files[3].manifest))
            _ = try await scene.news(1)
            try ShelfScene.setTime(folder + "/files/parts/\(Self.hex(files[3].id))", old - 1)
            let incoming = [scene.service.shelf.incoming("a"), scene.service.shelf.incoming("b")]
            for (path, age) in zip(incoming, [1, 0]) {
                try Data([1]).write(to: URL(fileURLWithPath: path))
                try ShelfScene.setTime(path, Self.now - Limits.incomingFileSeconds - Int64(age))
            }
            scene.service.sweep(at: Self.now)
            #expect(
                try await scene.news(2) == [.changed(files[1].id, .nothing), .changed(files[3].id, .nothing)]
            )
            #expect(Set(scene.service.shelf.entries().map(\.id)) == [files[0].id, files[2].id])
            #expect(scene.service.shelf.unfinished().isEmpty)
            #expect(incoming.map { FileManager.default.fileExists(atPath: $0) } == [false, true])
        }
    }

    /// Its message is not in the store yet.
    @Test func whatIsAboutToBeSentStays() async throws {
        try await ShelfScene.withFolder { folder in
            let files = try (1...2).map { try SampleFile(1_000, number: $0) }
            let scene = try ShelfScene(in: folder)
            for file in files {
                _ = try scene.put(file)
                try scene.setUsed(file.id, 1_000)
            }
            let service = scene.service
            func claim(_ ids: [FileID]) async -> [UInt64]? {
                await withCheckedContinuation { done in
                    service.claim(ids) { done.resume(returning: $0?.map(\.size)) }
                }
            }
            #expect(await claim([files[0].id, files[0].id]) == [1_000, 1_000])
            service.sweep()
            #expect(try await scene.news(1) == [.changed(files[1].id, .nothing)])
            #expect(service.shelf.has(files[0].id))
            #expect(await claim([files[0].id, files[1].id]) == nil)
        }
    }

    @Test func nothingGoesIfTheStoreDoesNotAnswer() async throws {
        try await ShelfScene.withFolder { folder in
            let file = try SampleFile(1_000)
            let scene = try ShelfScene(in: folder, allowed: .init(quota: 1)) { () throws(StoreError) in
                throw StoreError(.busy, "It is locked.", advice: "Wait.")
            }
            _ = try scene.put(file)
            try scene.setUsed(file.id, 1)
            scene.service.sweep(at: Self.now)
            scene.service.keepToQuota(at: Self.now)
            // Both have been done when the next item of work is.
            await withCheckedContinuation { done in scene.service.keeper.async { done.resume() } }
            scene.service.perform(.look(file.id))
            #expect(try await scene.news(1) == [.looked(file.id, .whole(file.manifest))])
        }
    }

    @Test func whatOthersSentGoesBeforeTheQuotaIsPassed() async throws {
        try await ShelfScene.withFolder { folder in
            let files = try (1...5).map { try SampleFile(1_000, number: $0) }
            let ids = files.map(\.id)
            let named = NamedFiles(all: Set(ids), own: [ids[0]])
            let scene = try ShelfScene(
                in: folder,
                allowed: .init(quota: 2_000),
                named: { () throws(StoreError) in named }
            )
            // Of five files three are too many: the oldest is the user's own, and the newest is in use.
            let old = Self.now - Limits.fileGraceSeconds
            for (file, used) in zip(files, [old - 9, old - 2, old - 3, old - 1, old]) {
                _ = try scene.put(file)
                try scene.setUsed(file.id, used)
            }
            scene.service.keepToQuota(at: Self.now)
            #expect(
                try await scene.news(3) == [
                    .changed(ids[2], .nothing), .changed(ids[1], .nothing), .changed(ids[3], .nothing),
                ]
            )
            #expect(Set(scene.service.shelf.entries().map(\.id)) == [ids[0], ids[4]])
            // Without a quota everything stays.
            scene.service.use(.init(quota: nil))
            scene.service.keepToQuota(at: Self.now + 1_000_000)
            #expect(scene.service.shelf.has(ids[4]))
        }
    }

    /// Files that come one after the other pass the quota at some time, and not before.
    @Test func theQuotaIsKeptWhileFilesCome() async throws {
        try await ShelfScene.withFolder { folder in
            let asked = Mutex(0)
            let files = try (1...9).map { try SampleFile(1_000, number: $0) }
            let named = NamedFiles(all: Set(files.map(\.id)))
            let scene = try ShelfScene(
                in: folder,
                allowed: .init(quota: 5_500),
                named: { () throws(StoreError) in
                    asked.withLock { $0 += 1 }
                    return named
                }
            )
            for file in files {
                let name = UUID().uuidString
                try Data(file.bytes).write(to: URL(fileURLWithPath: scene.service.shelf.incoming(name)))
                await withCheckedContinuation { done in
                    scene.service.put(name, file.manifest) { _ in done.resume() }
                }
                try scene.setUsed(file.id, 1_000)
                // What follows from it is done when the next items of work are.
                await Self.turn(scene.service)
                await withCheckedContinuation { done in scene.service.keeper.async { done.resume() } }
                await Self.turn(scene.service)
                let bytes = scene.service.shelf.entries().reduce(0) { $0 + $1.size }
                #expect(bytes <= 5_500, "after each file")
            }
            #expect(scene.service.shelf.entries().count == 5)
            #expect(asked.withLock { $0 } == 5, "at the first, and at the sixth and those behind it")
        }
    }

    /// Waits for the work that was given.
    private static func turn(_ service: ShelfService) async {
        await withCheckedContinuation { done in
            service.change { _ in
                done.resume()
                return []
            }
        }
    }

    private static func hex(_ id: FileID) -> String {
        id.bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }
}
