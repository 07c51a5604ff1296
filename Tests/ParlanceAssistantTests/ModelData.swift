import Foundation

@testable import ParlanceAssistant

/// The files that the tests of the model read.
enum ModelData {
    /// What the reference makes of a text.
    struct Tokens: Decodable {
        let text: String
        let ids: [Int32]
    }

    struct Embedding: Decodable {
        let text: String
        let vector: [Float]
    }

    /// A folder with model.safetensors and vocab.txt, if the environment names one.
    static let folder = ProcessInfo.processInfo.environment["PARLANCE_MODEL"]

    private static let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Data")

    static func vocabulary() throws -> [UInt8] { Array(try Data(contentsOf: data.appending(path: "vocab.txt"))) }

    static func tokens() throws -> [Tokens] { try lines("tokens.jsonl") }

    static func embeddings() throws -> [Embedding] { try lines("vectors.jsonl") }

    private static func lines<Line: Decodable>(_ name: String) throws -> [Line] {
        let decoder = JSONDecoder()
        return try Data(contentsOf: data.appending(path: name)).split(separator: 0x0A).map { line in
            try decoder.decode(Line.self, from: Data(line))
        }
    }

    /// A new empty folder, which is gone after the closure.
    static func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "model-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }
}
