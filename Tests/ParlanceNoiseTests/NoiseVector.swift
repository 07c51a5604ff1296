import Foundation
import ParlanceNoise
import ParlanceSodium
import Testing

/// One vector in cacophony's format, and its file.
struct NoiseVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Message: Decodable, Sendable {
        var payload, ciphertext: String
    }

    var source: String?
    var protocolName: String
    var initPrologue, initStatic, initEphemeral: String
    var respPrologue, respStatic, respEphemeral: String
    var initPsks, respPsks: [String]?
    var handshakeHash: String?
    var messages: [Message]

    var testDescription: String { "\(protocolName) from \(source ?? "an unnamed source")" }

    /// The pattern with the full protocol name; an unsupported name fails the test and is not skipped.
    var pattern: NoisePattern {
        get throws {
            try #require(NoisePattern.allCases.first { $0.protocolName == protocolName }, "unknown: \(protocolName)")
        }
    }

    func handshake(_ role: NoiseRole) throws -> HandshakeState {
        let isInitiator = role == .initiator
        let psks = (isInitiator ? initPsks : respPsks) ?? []
        #expect(psks.count <= 1)
        return try HandshakeState(
            role: role,
            pattern: pattern,
            prologue: hex(isInitiator ? initPrologue : respPrologue),
            staticKey: X25519KeyPair(secret: SecretBytes(copying: hex(isInitiator ? initStatic : respStatic))),
            ephemeralKey: X25519KeyPair(secret: SecretBytes(copying: hex(isInitiator ? initEphemeral : respEphemeral))),
            psk: psks.first.map { SecretBytes(copying: hex($0)) }
        )
    }

    /// The vectors of every JSON file in `protocol/vectors/noise`.
    static func all() throws -> [NoiseVector] {
        struct File: Decodable { var vectors: [NoiseVector] }
        struct NothingFound: Error { var path: String }
        let folder = Repository.root.appending(path: "protocol/vectors/noise")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
            .sorted { $0.path < $1.path }
        guard !files.isEmpty else { throw NothingFound(path: folder.path) }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try files.flatMap { file in
            let vectors = try decoder.decode(File.self, from: Data(contentsOf: file)).vectors
            guard !vectors.isEmpty else { throw NothingFound(path: file.path) }
            return vectors
        }
    }
}

/// The folder of this checkout.
enum Repository {
    /// The folder that contains `Tests`, found from the path of this file, even if `Tests` is reached through a
    /// symbolic link.
    static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
