import Dispatch
import Foundation
import ParlanceCore
import ParlanceFiles
import ParlanceStore
import ParlanceWaiting
import ParlanceWire
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// The work of the shelf, with real files.
@Suite struct ShelfServiceTests {
    @Test func workOnAFileIsDoneInOrder() async throws {
        try await ShelfScene.withFolder { folder in
            let (scene, file) = (try ShelfScene(in: folder), try SampleFile(200_000))
            let count = file.manifest.shape.count
            scene.service.perform(.look(file.id))
            scene.service.perform(.begin(file.manifest))
            for chunk in 0..<count { scene.service.perform(.keep(file.id, chunk: chunk, pieces: file.pieces(chunk))) }
            scene.service.perform(.finish(file.id))
            scene.service.perform(.look(file.id))
            let expected: [ShelfNews] =
                [.looked(file.id, .nothing), .begun(file.id, .success(ChunkSet(total: count)))]
                + (0..<count).map { .kept(file.id, chunk: $0, .written) }
                + [.finished(file.id, nil), .looked(file.id, .whole(file.manifest))]
            #expect(try await scene.news(expected.count) == expected)
            scene.service.perform(.read(ReadID(1), file.id, 65_000..<131_000))
            #expect(try await scene.news(1) == [.read(ReadID(1), Array(file.bytes[65_000..<131_000]))])
            let path = try #require(scene.service.shelf.path(of: file.id))
            #expect(FileManager.default.contents(atPath: path) == Data(file.bytes))
        }
    }

    @Test func aWrongChunkIsNotWritten() async throws {
        try await ShelfScene.withFolder { folder in
            let (scene, file) = (try ShelfScene(in: folder), try SampleFile(200_000))
            scene.service.perform(.keep(file.id, chunk: 0, pieces: file.pieces(0)))
            scene.service.perform(.begin(file.manifest))
            scene.service.perform(.keep(file.id, chunk: 0, pieces: file.pieces(1)))
            scene.service.perform(.keep(file.id, chunk: 0, pieces: Array(file.pieces(0).dropLast())))
            scene.service.perform(.keep(file.id, chunk: 4, pieces: file.pieces(0)))
            scene.service.perform(.finish(file.id))
            scene.service.perform(.look(file.id))
            scene.service.perform(.drop(file.id))
            scene.service.perform(.look(file.id))
            let empty = ChunkSet(total: 4)
            #expect(
                try await scene.news(8) == [
                    .kept(file.id, chunk: 0, .failed(.missing)), .begun(file.id, .success(empty)),
                    .kept(file.id, chunk: 0, .wrong), .kept(file.id, chunk: 0, .wrong),
                    .kept(file.id, chunk: 4, .wrong), .finished(file.id, .missing),
                    .looked(file.id, .part(file.manifest, empty)), .looked(file.id, .nothing),
                ]
            )
            #expect(scene.service.shelf.unfinished().isEmpty)
        }
    }

    @Test func whatHasNoRoomOrIsNotAllowedIsNotBegun() async throws {
        try await ShelfScene.withFolder { folder in
            let scene = try ShelfScene(in: folder)
            let shape = try FileShape(size: Limits.fileBytes)
            let huge = try FileManifest(shape, leaves: Array(repeating: Bytes32.zero, count: shape.count))
            scene.service.perform(.begin(huge))
            guard case .begun(huge.id, .failure(.full(let needed, let free))) = try await scene.news(1).first else {
                Issue.record("this disk has room for 1 TiB")
                return
            }
            #expect(needed == Limits.fileBytes + Limits.diskReserveBytes && free < needed)
            let file = try SampleFile(1_000)
            scene.service.use(.init(fileLimit: 999))
            scene.service.perform(.begin(file.manifest))
            #expect(try await scene.news(1) == [.begun(file.id, .failure(.failed(EFBIG)))])
            scene.service.use(.init(fileLimit: 1_000))
            scene.service.perform(.begin(file.manifest))
            #expect(try await scene.news(1) == [.begun(file.id, .success(ChunkSet(total: 1)))])
        }
    }

    @Test func aRestartGoesOnWhereItWas() async throws {
        try await ShelfScene.withFolder { folder in
            let file = try SampleFile(200_000)
            let first = try ShelfScene(in: folder)
            first.service.perform(.begin(file.manifest))
            for chunk in [0, 2] { first.service.perform(.keep(file.id, chunk: chunk, pieces: file.pieces(chunk))) }
            // Less than what is noted by itself: stopping notes it.
            await first.service.stop()
            let scene = try ShelfScene(in: folder)
            var held = ChunkSet(total: 4)
            held.insert(0)
            held.insert(2)
            scene.service.perform(.look(file.id))
            #expect(try await scene.news(1) == [.looked(file.id, .part(file.manifest, held))])
            // What is there is served before anybody goes on with it.
            scene.service.perform(.read(ReadID(1), file.id, 131_072..<140_000))
            scene.service.perform(.read(ReadID(2), file.id, 65_000..<66_000))
            #expect(
                try await scene.news(2) == [
                    .read(ReadID(1), Array(file.bytes[131_072..<140_000])), .read(ReadID(2), nil),
                ]
            )
            scene.service.perform(.begin(file.manifest))
            for chunk in [1, 3] { scene.service.perform(.keep(file.id, chunk: chunk, pieces: file.pieces(chunk))) }
            scene.service.perform(.finish(file.id))
            #expect(try await scene.news(4).last == .finished(file.id, nil))
        }
    }

    @Test func aFileThatIsPutOnTheShelfMeanwhileIsWhole() async throws {
        try await ShelfScene.withFolder { folder in
            let (scene, file) = (try ShelfScene(in: folder), try SampleFile(70_000))
            scene.service.perform(.begin(file.manifest))
            _ = try await scene.news(1)
            #expect(try scene.put(file) == file.manifest)
            scene.service.perform(.keep(file.id, chunk: 0, pieces: file.pieces(0)))
            scene.service.perform(.begin(file.manifest))
            scene.service.perform(.finish(file.id))
            #expect(
                try await scene.news(3) == [
                    .kept(file.id, chunk: 0, .written), .begun(file.id, .success(ChunkSet(all: 2))),
                    .finished(file.id, nil),
                ]
            )
        }
    }

    @Test func bytesThatChangedAreNotServed() async throws {
        try await ShelfScene.withFolder { folder in
            let (scene, file) = (try ShelfScene(in: folder), try SampleFile(70_000))
            _ = try scene.put(file)
            let path = try #require(scene.service.shelf.path(of: file.id))
            try Data(file.bytes.dropLast()).write(to: URL(fileURLWithPath: path))
            scene.service.perform(.read(ReadID(1), file.id, 69_000..<70_000))
            #expect(try await scene.news(1) == [.read(ReadID(1), nil)])
            // Its manifest does not fit it any more, so it can be fetched again.
            scene.service.perform(.look(file.id))
            #expect(try await scene.news(1) == [.looked(file.id, .nothing)])
            #expect(!scene.service.shelf.has(file.id))
        }
    }

    /// The bytes of a file are good, and nobody else may have them.
    @Test func aFileWithoutItsManifestIsWhole() async throws {
        try await ShelfScene.withFolder { folder in
            let (scene, file) = (try ShelfScene(in: folder), try SampleFile(70_000))
            _ = try scene.put(file)
            let path = try #require(scene.service.shelf.path(of: file.id))
            try FileManager.default.removeItem(atPath: path + ".leaves")
            scene.service.perform(.look(file.id))
            #expect(try await scene.news(1) == [.looked(file.id, .whole(file.manifest))])
            try Data(repeating: 7, count: 64).write(to: URL(fileURLWithPath: path + ".leaves"))
            scene.service.perform(.look(file.id))
            #expect(try await scene.news(1) == [.looked(file.id, .whole(file.manifest))])
            #expect(try scene.service.shelf.manifest(of: file.id) == file.manifest)
        }
    }

    @Test func aFileIsPutInItsPlaceInTheOrderOfTheWork() async throws {
        try await ShelfScene.withFolder { folder in
            let (scene, file) = (try ShelfScene(in: folder), try SampleFile(1_000))
            let gate = DispatchSemaphore(value: 0)
            scene.service.change { _ in
                gate.wait()
                return []
            }
            let (service, manifest) = (scene.service, file.manifest)
            try Data(file.bytes).write(to: URL(fileURLWithPath: service.shelf.incoming("new")))
            #expect(try service.shelf.look(at: "new") == manifest)
            // Nothing is moved before the work that was given earlier is done.
            service.put("new", manifest) { _ in }
            #expect(!service.shelf.has(file.id))
            gate.signal()
            #expect(try await scene.news(1) == [.changed(file.id, .whole(manifest))])
            // What is not there any more is refused.
            let refused: ShelfError? = await withCheckedContinuation { done in
                service.put("new", manifest) { result in
                    if case .failure(let error) = result {
                        done.resume(returning: error)
                    } else {
                        done.resume(returning: nil)
                    }
                }
            }
            #expect(refused == .missing)
        }
    }

    @Test func readsDoNotWaitForWrites() async throws {
        try await ShelfScene.withFolder { folder in
            let (scene, file) = (try ShelfScene(in: folder), try SampleFile(1_000))
            _ = try scene.put(file)
            let gate = DispatchSemaphore(value: 0)
            scene.service.change { _ in
                gate.wait()
                return [file.id]
            }
            scene.service.perform(.read(ReadID(1), file.id, 0..<1_000))
            #expect(try await scene.news(1) == [.read(ReadID(1), file.bytes)])
            gate.signal()
            #expect(try await scene.news(1) == [.changed(file.id, .whole(file.manifest))])
        }
    }

    @Test func linksWaitForADiskThatIsBehind() async throws {
        try await ShelfScene.withFolder { folder in
            let (scene, file) = (try ShelfScene(in: folder), try SampleFile(1_000))
            let gate = DispatchSemaphore(value: 0)
            scene.service.change { _ in
                gate.wait()
                return []
            }
            let piece = Data(count: Limits.waitingFileBytes / 2)
            #expect(!scene.service.isBehind)
            scene.service.perform(.keep(file.id, chunk: 0, pieces: [piece]))
            #expect(!scene.service.isBehind)
            scene.service.perform(.keep(file.id, chunk: 0, pieces: [piece]))
            #expect(scene.service.isBehind)
            gate.signal()
            _ = try await scene.news(2)
            #expect(!scene.service.isBehind)
        }
    }
}
