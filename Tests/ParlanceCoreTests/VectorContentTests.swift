import Foundation
import ParlanceCore
import ParlanceWire
import Testing

/// Tests the content of files against golden files (files.md, "Content").
@Suite struct VectorContentTests {
    struct Shape: Decodable, Sendable, CustomTestStringConvertible {
        var name, size: String
        var chunkSize: String?
        var chunks: Int?
        var testDescription: String { name }
    }

    @Test(arguments: try VectorFiles.vectors("file-shape", as: Shape.self)) func shape(_ vector: Shape) throws {
        let size = try number(vector.size)
        guard let chunkSize = vector.chunkSize else {
            #expect(size > Limits.fileBytes)
            #expect(throws: FileFault.tooLarge) { try FileShape(size: size) }
            return
        }
        let shape = try FileShape(size: size)
        #expect(try UInt64(shape.chunkSize) == number(chunkSize) && shape.count == vector.chunks)
        #expect(shape.count <= Limits.chunks)
    }

    struct File: Decodable, Sendable, CustomTestStringConvertible {
        var name, size, pattern, id, text: String
        var leaves: [String]?
        var testDescription: String { name }
    }

    @Test(arguments: try VectorFiles.vectors("file", as: File.self)) func file(_ vector: File) throws {
        let shape = try FileShape(size: number(vector.size))
        let pattern = try hex(vector.pattern)
        // A multiple of the pattern, so that the next piece continues it.
        let block = Array(repeatElement(pattern, count: max(1, 1_000_000 / pattern.count)).joined())
        var hasher = FileHasher(shape)
        while hasher.done < shape.size {
            try hasher.update(Array(block.prefix(Int(clamping: shape.size - hasher.done))))
        }
        let manifest = try hasher.finish()
        #expect(try manifest.id.bytes == hex(vector.id) && manifest.id.text == vector.text)
        if let leaves = vector.leaves { #expect(try manifest.leaves.map(\.bytes) == leaves.map(hex)) }
        #expect(try FileManifest(manifest.bytes, of: manifest.id, shape) == manifest)
    }

    struct Chunks: Decodable, Sendable, CustomTestStringConvertible {
        var name, bytes: String
        var total: Int
        var chunks: [Int]?
        var testDescription: String { name }
    }

    @Test(arguments: try VectorFiles.vectors("chunk-set", as: Chunks.self)) func chunks(_ vector: Chunks) throws {
        let bytes = try hex(vector.bytes)
        guard let chunks = vector.chunks else {
            #expect(throws: FileFault.self) { try ChunkSet(bytes, total: vector.total) }
            return
        }
        var set = ChunkSet(total: vector.total)
        for chunk in chunks { set.insert(chunk) }
        #expect(try ChunkSet(bytes, total: vector.total) == set && set.bytes == bytes && set.chunks == chunks)
    }
}
