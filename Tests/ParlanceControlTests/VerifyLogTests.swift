import Foundation
import ParlanceControl
import Testing

/// `parlance verify-log` says whether an audit log is valid, without a daemon.
@Suite struct VerifyLogTests {
    private struct Vectors: Decodable {
        struct Set: Decodable {
            var name, charter: String
            var log: [String]
        }
        var vectors: [Set]
    }

    /// The log of a golden file in which somebody is excluded and the key is changed.
    private func log() throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "protocol/vectors/workspaces/charters.json")
        let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file)).vectors
        return try #require(vectors.first { $0.name == "a rotation that had not seen an exclusion" }).log
    }

    private func verify(_ text: String, _ more: String..., locale: String? = nil) async throws -> CommandTests.Outcome {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).log")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await CommandTests.run(["verify-log", file.path] + more, socket: "/nowhere", locale: locale)
    }

    @Test func aValidLogIsSummarized() async throws {
        let lines = try log()
        let outcome = try await verify(lines.joined(separator: "\n") + "\n")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let shown = outcome.output.split(separator: "\n")
        #expect(shown.first == "The log is valid: 4 events of the workspace Ship. Those that count: 4.")
        #expect(shown.count { $0.hasPrefix("Admin: ") } == 3 && shown.count { $0.hasPrefix("Excluded: ") } == 1)
        #expect(shown.contains("Keys that the workspace has had: 1"))
        let last = try #require(lines.last)
        let hash = try #require(shown.last?.split(separator: " ").last)
        #expect(hash.count == 64 && last.hasSuffix("\"\(hash)\"}"))
    }

    @Test func jsonSaysTheSame() async throws {
        let outcome = try await verify(try log().joined(separator: "\n"), "--json")
        let report = try JSONParser.parse(Array(outcome.output.utf8))
        #expect(outcome.code == 0 && report["valid"] == .bool(true) && report["events"] == .integer(4))
        #expect(report["title"] == .string("Ship") && report["rotations"] == .integer(1))
        guard case .array(let excluded)? = report["excluded"] else { throw CocoaError(.coderReadCorrupt) }
        #expect(excluded.count == 1 && excluded[0].text?.count == 56)
    }

    @Test func aChangedLogIsRefusedWithItsLine() async throws {
        var lines = try log()
        let index = try #require(lines.firstIndex { $0.contains("\"exclude\"") })
        lines[index] = lines[index].replacing("exclude", with: "readmit")
        let outcome = try await verify(lines.joined(separator: "\n"))
        #expect(outcome.code == 65 && outcome.output.isEmpty)
        #expect(
            outcome.errors.contains("parlance: Line \(index + 1) of ") && outcome.errors.contains("was changed"),
            "\(outcome.errors)"
        )
        #expect(outcome.errors.contains("Do not rely on this log."))
        let json = try await verify(lines.joined(separator: "\n"), "--json")
        #expect(json.code == 65)
        #expect(try JSONParser.parse(Array(json.errors.utf8))["error"]?["code"] == .string("logInvalid"))
        let german = try await verify(lines.joined(separator: "\n"), locale: "de_DE.UTF-8")
        #expect(german.errors.contains("Zeile \(index + 1) von "), "\(german.errors)")
    }

    @Test func whatIsNoLogIsRefused() async throws {
        #expect(try await verify("").errors.contains("is empty."))
        #expect(try await verify("hello\n").errors.contains("is not an audit log of a workspace"))
        let missing = try await CommandTests.run(["verify-log", "/nowhere/ship.log"], socket: "/nowhere")
        #expect(missing.code == 1 && missing.errors.contains("/nowhere/ship.log cannot be read"), "\(missing.errors)")
        let unnamed = try await CommandTests.run(["verify-log"], socket: "/nowhere")
        #expect(unnamed.code == 64)
    }
}
