import ParlanceCore
import ParlanceWire
import Testing

/// Shapes, manifests and hashers of files.
@Suite struct FileContentTests {
    private static func content(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

    private static func manifest(of bytes: [UInt8]) throws -> FileManifest {
        var hasher = FileHasher(try FileShape(size: UInt64(bytes.count)))
        try hasher.update(bytes)
        return try hasher.finish()
    }

    @Test func chunksCoverTheFileWithoutGapsAndOverlaps() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let size = random.next() >> UInt64(24 + random.below(40))
            let shape = try FileShape(size: size)
            #expect(shape.chunkSize >= Limits.chunkBytes && shape.chunkSize.nonzeroBitCount == 1)
            #expect(shape.chunkSize == Limits.chunkBytes || size > UInt64(Limits.chunks * shape.chunkSize / 2))
            var end: UInt64 = 0
            for chunk in 0..<shape.count {
                let range = try #require(shape.range(of: chunk))
                #expect(range.lowerBound == end && !range.isEmpty && shape.length(of: chunk) == range.count)
                end = range.upperBound
            }
            #expect(end == size)
            let offset = random.next() % max(1, size)
            if size > 0 { #expect(shape.chunk(at: offset).flatMap(shape.range)?.contains(offset) == true) }
            #expect(shape.chunk(at: size) == nil)
            for chunk in [-1, .min, shape.count, .max] {
                #expect(shape.range(of: chunk) == nil && shape.length(of: chunk) == 0)
            }
        }
    }

    /// The list of leaves of the largest file fits a frame with room for what surrounds it.
    @Test func everyManifestFitsAFrame() throws {
        let most = try FileShape(size: UInt64(Limits.chunks * Limits.chunkBytes))
        #expect(
            most.count == Limits.chunks && most.manifestBytes == 64_000 && most.manifestBytes < Limits.frameBytes / 2
        )
        #expect(try FileShape(size: Limits.fileBytes).count <= Limits.chunks)
        #expect(throws: FileFault.tooLarge) { try FileShape(size: Limits.fileBytes + 1) }
    }

    @Test func piecesOfAnyLengthMakeOneID() throws {
        let bytes = Self.content(3 * Limits.chunkBytes + 17)
        let whole = try Self.manifest(of: bytes)
        for step in [1_021, Limits.chunkBytes - 1, Limits.chunkBytes, Limits.chunkBytes + 1, bytes.count] {
            var hasher = FileHasher(whole.shape)
            for start in stride(from: 0, to: bytes.count, by: step) {
                try hasher.update(Array(bytes[start..<min(start + step, bytes.count)]))
                try hasher.update([])
            }
            #expect(try hasher.finish() == whole)
        }
    }

    @Test func aFileThatChangesWhileItIsReadHasNoID() throws {
        var longer = FileHasher(try FileShape(size: 10))
        try longer.update(Self.content(8))
        do {
            try longer.update(Self.content(3))
            Issue.record("an eleventh byte was taken")
        } catch { #expect(error == .wrongLength) }
        do {
            _ = try longer.finish()
            Issue.record("eight bytes were enough")
        } catch { #expect(error == .wrongLength) }
    }

    @Test func aChunkIsOnlyWhatItsLeafSays() throws {
        let bytes = Self.content(2 * Limits.chunkBytes + 5)
        let manifest = try Self.manifest(of: bytes)
        let chunks = try (0..<3).map { chunk in
            let range = try #require(manifest.shape.range(of: chunk))
            return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        }
        for (number, chunk) in chunks.enumerated() {
            #expect(manifest.verifies(chunk, as: number))
            #expect(!manifest.verifies(chunk, as: (number + 1) % 3))
            #expect(
                !manifest.verifies(Array(chunk.dropLast()), as: number) && !manifest.verifies(chunk + [0], as: number)
            )
            var changed = chunk
            changed[changed.count / 2] ^= 1
            #expect(!manifest.verifies(changed, as: number))
        }
        for none in [-1, 3, Int.max, Int.min] { #expect(!manifest.verifies([], as: none)) }
    }

    /// Chunks that are equal cannot be moved: each leaf knows its place.
    @Test func equalChunksHaveDifferentLeaves() throws {
        let manifest = try Self.manifest(of: [UInt8](repeating: 0, count: 3 * Limits.chunkBytes))
        #expect(Set(manifest.leaves).count == 3)
    }

    @Test func aManifestOfAnotherFileIsRefused() throws {
        let manifest = try Self.manifest(of: Self.content(2 * Limits.chunkBytes))
        let (bytes, shape) = (manifest.bytes, manifest.shape)
        #expect(throws: FileFault.wrongLength) { try FileManifest(Array(bytes.dropLast()), of: manifest.id, shape) }
        #expect(throws: FileFault.wrongLength) { try FileManifest(bytes + bytes, of: manifest.id, shape) }
        #expect(throws: FileFault.wrongLength) { try FileManifest([], of: manifest.id, shape) }
        for index in [0, 31, 32, 63] {
            var changed = bytes
            changed[index] ^= 0x80
            #expect(throws: FileFault.wrongHash) { try FileManifest(changed, of: manifest.id, shape) }
        }
        let swapped = Array(bytes[32...]) + bytes[..<32]
        #expect(throws: FileFault.wrongHash) { try FileManifest(swapped, of: manifest.id, shape) }
        // Another size with the same number of chunks is another file.
        let shorter = try FileShape(size: shape.size - 1)
        #expect(shorter.count == shape.count)
        #expect(throws: FileFault.wrongHash) { try FileManifest(bytes, of: manifest.id, shorter) }
        #expect(throws: FileFault.wrongLength) { try FileManifest(shape, leaves: Array(manifest.leaves.dropLast())) }
    }
}
