import CZlib
import ParlanceRandom
import Testing

@testable import ParlanceAssistant
@testable import ParlanceEmbedding

@Suite struct ZipArchiveTests {
    /// A file for an archive of the tests; what is not given is as it should be.
    struct File {
        var name: String
        var contents: [UInt8]
        var isDeflated = false
        var statedSize: Int?
        var flags = 0
        var method: Int?
    }

    static func archive(_ files: [File]) -> [UInt8] {
        var bytes: [UInt8] = []
        var directory: [UInt8] = []
        for file in files {
            let data = file.isDeflated ? deflated(file.contents) : file.contents
            let method = file.method ?? (file.isDeflated ? 8 : 0)
            let sizes = number(data.count, 4) + number(file.statedSize ?? file.contents.count, 4)
            let lengths = number(file.name.utf8.count, 2) + number(0, 2)
            let common = number(20, 2) + number(file.flags, 2) + number(method, 2) + number(0, 8) + sizes + lengths
            directory += number(0x0201_4B50, 4) + number(20, 2) + common + number(0, 10) + number(bytes.count, 4)
            directory += Array(file.name.utf8)
            bytes += number(0x0403_4B50, 4) + common + Array(file.name.utf8) + data
        }
        let end = number(0x0605_4B50, 4) + number(0, 4) + number(files.count, 2) + number(files.count, 2)
        return bytes + directory + end + number(directory.count, 4) + number(bytes.count, 4) + number(0, 2)
    }

    private static func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: $0 < 8 ? value >> (8 * $0) : 0) }
    }

    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: Int(compressBound(UInt(bytes.count))))
        var count = UInt(output.count)
        compress2(&output, &count, bytes, UInt(bytes.count), 9)
        // Without the header and the checksum of zlib.
        return Array(output[2..<Int(count) - 4])
    }

    private func contents(_ name: String, of bytes: [UInt8]) throws(ModelError) -> [UInt8] {
        let archive = try ZipArchive(reading: bytes)
        var contents: [UInt8] = []
        try archive.read(archive.entry(named: name)) { contents += $0 }
        return contents
    }

    private static let text = Array(String(repeating: "stored and deflated ", count: 9000).utf8)

    @Test(arguments: [false, true])
    func itReadsAFile(isDeflated: Bool) throws {
        let bytes = Self.archive([
            File(name: "x/other.txt", contents: [1, 2, 3]),
            File(name: "x/y/vocab.txt", contents: Self.text, isDeflated: isDeflated),
            File(name: "empty", contents: [], isDeflated: isDeflated),
        ])
        #expect(try contents("vocab.txt", of: bytes) == Self.text)
        #expect(try contents("other.txt", of: bytes) == [1, 2, 3])
        #expect(try contents("empty", of: bytes) == [])
    }

    @Test func itReadsBeforeAComment() throws {
        let bytes = Self.archive([File(name: "a", contents: [7])])
        #expect(try contents("a", of: bytes + [UInt8](repeating: 0x20, count: 300)) == [7])
    }

    @Test func itTakesOnlyAWholeName() throws {
        let bytes = Self.archive([
            File(name: "xvocab.txt", contents: [1]), File(name: "../../b/vocab.txt", contents: [2]),
        ])
        #expect(try contents("vocab.txt", of: bytes) == [2])
        #expect(throws: ModelError.missingEntry(name: "ocab.txt")) { try contents("ocab.txt", of: bytes) }
    }

    @Test func itRefusesWhatItDoesNotUnderstand() {
        let encrypted = Self.archive([File(name: "a", contents: [1], flags: 1)])
        #expect(throws: ModelError.missingEntry(name: "a")) { try contents("a", of: encrypted) }
        let other = Self.archive([File(name: "a", contents: [1], method: 12)])
        #expect(throws: ModelError.missingEntry(name: "a")) { try contents("a", of: other) }
        #expect(throws: ModelError.malformedArchive(reason: "no list of files")) { try contents("a", of: []) }
        #expect(throws: ModelError.malformedArchive(reason: "no list of files")) { try contents("a", of: Self.text) }
    }

    @Test(arguments: [
        (File(name: "a", contents: text, isDeflated: true, statedSize: 10), "a file is longer than stated"),
        (File(name: "a", contents: text, isDeflated: true, statedSize: 1 << 30), "a file is shorter than stated"),
        (File(name: "a", contents: text, statedSize: 10), "a stored file of two lengths"),
        (File(name: "a", contents: [0xFF, 0xFF], method: 8), "broken compressed data"),
        (File(name: "a", contents: [3, 0, 9], method: 8), "bytes after the end of a file"),
    ])
    func itRefusesAFileOfAnotherLength(file: File, reason: String) {
        #expect(throws: ModelError.malformedArchive(reason: reason)) { try contents("a", of: Self.archive([file])) }
    }

    @Test func changedBytesDoNoHarm() {
        var random = SplitMix.printingSeed()
        let good = Self.archive([
            File(name: "x/a", contents: random.bytes(40), isDeflated: true), File(name: "b", contents: [1, 2, 3]),
        ])
        for _ in 0..<2000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = random.bytes(1)[0]
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                bytes.removeFirst(Int.random(in: 0...bytes.count, using: &random))
            }
            for name in ["a", "b"] {
                // Any typed error will do.
                guard let found = try? contents(name, of: bytes) else { continue }
                #expect(found.count < 1 << 16)
            }
        }
    }
}
