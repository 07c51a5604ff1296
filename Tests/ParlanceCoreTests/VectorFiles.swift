import Foundation
import ParlanceWire
import Testing

/// The golden files of `protocol/vectors`: every file of a kind is run, so a new file is one more test.
enum VectorFiles {
    struct NothingFound: Error { var kind: String }
    private struct Label: Decodable { var kind: String }
    private struct File<Vector: Decodable>: Decodable { var vectors: [Vector] }

    /// The folder that contains `Tests`, found from the path of this file, even if `Tests` is reached through a
    /// symbolic link.
    static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func paths() throws -> [URL] {
        try ["couriers", "events", "files", "frames", "identity", "workspaces"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(
                at: root.appending(path: "protocol/vectors/\(folder)"),
                includingPropertiesForKeys: nil
            )
        }
        .filter { $0.pathExtension == "json" }
        .sorted { $0.path < $1.path }
    }

    static func kinds() throws -> [String] {
        try paths().map { try JSONDecoder().decode(Label.self, from: Data(contentsOf: $0)).kind }
    }

    /// The vectors of every file of a kind.
    static func vectors<Vector: Decodable>(_ kind: String, as _: Vector.Type = Vector.self) throws -> [Vector] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let vectors = try paths().flatMap { path -> [Vector] in
            let data = try Data(contentsOf: path)
            guard try decoder.decode(Label.self, from: data).kind == kind else { return [] }
            return try decoder.decode(File<Vector>.self, from: data).vectors
        }
        guard !vectors.isEmpty else { throw NothingFound(kind: kind) }
        return vectors
    }
}

struct NotHex: Error { var text: String }

/// The bytes of a hexadecimal text.
func hex(_ text: String) throws -> [UInt8] {
    guard text.utf8.count.isMultiple(of: 2) else { throw NotHex(text: text) }
    var bytes: [UInt8] = []
    var rest = Substring(text)
    while !rest.isEmpty {
        guard let byte = UInt8(rest.prefix(2), radix: 16) else { throw NotHex(text: text) }
        bytes.append(byte)
        rest = rest.dropFirst(2)
    }
    return bytes
}

/// Identifiers from their hexadecimal text.
func peer(_ text: String) throws -> PeerID { try #require(PeerID(hex(text))) }
func event(_ text: String) throws -> EventID { try #require(EventID(hex(text))) }
func conversation(_ text: String) throws -> ConversationID { try #require(ConversationID(hex(text))) }
func number(_ text: String) throws -> UInt64 { try #require(UInt64(text)) }
func log(_ author: String, _ replica: String) throws -> LogID {
    LogID(author: try peer(author), replica: try #require(ReplicaID(hex(replica))))
}
