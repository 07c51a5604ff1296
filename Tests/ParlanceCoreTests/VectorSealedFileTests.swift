import Foundation
import ParlanceCore
import ParlanceSodium
import ParlanceWire
import Testing

/// Tests sealed files on a stick against golden files (carry.md, "Sealed files").
@Suite struct VectorSealedFileTests {
    struct Sealed: Decodable, Sendable, CustomTestStringConvertible {
        var name, author, recipient, slot, nameOfFile, ownSecret, theirKey, pattern, size, id, key, mark, header: String
        var padded, bytes, sha256, entry: String
        var testDescription: String { name }
    }

    struct Shape: Decodable, Sendable, CustomTestStringConvertible {
        var name, size, padded, bytes: String
        var testDescription: String { name }
    }

    @Test(arguments: try VectorFiles.vectors("sealed-file", as: Sealed.self)) func sealed(_ vector: Sealed) throws {
        let (author, recipient) = (try peer(vector.author), try peer(vector.recipient))
        let entry = try #require(WireCarriedFile(decoding: hex(vector.entry)))
        let carried = try #require(CarriedFile(entry))
        #expect(try carried.wire.encodedBytes() == hex(vector.entry) && carried.file.bytes == hex(vector.id))
        #expect(CarriedFile.name(from: author, to: recipient, slot: carried.slot) == vector.nameOfFile)
        let own = try X25519KeyPair(secret: SecretBytes(copying: try hex(vector.ownSecret)))
        let secret = try #require(SealedFileSecret(own, try hex(vector.theirKey), from: author, to: recipient))
        #expect(secret.key(of: carried.file, size: carried.size) == carried.key)
        #expect(try carried.key.bytes == hex(vector.key) && carried.key.mark == hex(vector.mark))
        let shape = try SealedFileShape(size: carried.size)
        #expect("\(shape.padded)" == vector.padded && "\(shape.byteCount)" == vector.bytes)
        let content = SealedFileTests.content(try hex(vector.pattern), Int(carried.size))
        let file = try SealedFileTests.seal(content, carried, header: try hex(vector.header))
        #expect(file.count == Int(vector.bytes))
        #expect(SHA256.hash(file).map { String(Int($0) + 256, radix: 16).suffix(2) }.joined() == vector.sha256)
        #expect(try SealedFileTests.open(file, carried) == content)
    }

    @Test(arguments: try VectorFiles.vectors("sealed-file-shape", as: Shape.self)) func shape(_ vector: Shape) throws {
        let shape = try SealedFileShape(size: try #require(UInt64(vector.size)))
        #expect("\(shape.padded)" == vector.padded && "\(shape.byteCount)" == vector.bytes)
        let last = shape.count - 1
        #expect(shape.offset(of: last) + UInt64(shape.sealedLength(of: last)) == shape.byteCount)
    }
}
