import Foundation
import ParlanceControl
import Testing

/// `parlance picture` against a node.
@Suite(.timeLimit(.minutes(30))) struct PictureCommandTests {
    private func run(_ arguments: [String], _ fixture: ServerFixture) async throws -> CommandTests.Outcome {
        try await CommandTests.run(["picture"] + arguments, socket: fixture.path)
    }

    @Test func itShowsChoosesAndSaves() async throws {
        try await ServerFixture.with { fixture in
            let shown = try await run([], fixture)
            #expect(shown.output == "There is a picture of you, chosen 2025-11-21 01:41.\n")
            let json = try await run(["--json"], fixture)
            #expect(json.output.contains(#""picture":{"id":"face","chosen":"2025-11-21T"#), "\(json.output)")
            let place = fixture.folder + "/face"
            let saved = try await run(["--save", place, "Bob"], fixture)
            #expect(saved.output == "Saved as \(place).\n", "\(saved.errors)")
            #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: place))) == [1, 2])
            let chosen = try await run([place], fixture)
            #expect(chosen.code == 0 && chosen.output.contains("see this picture of you now"), "\(chosen.errors)")
            let removed = try await run(["--remove"], fixture)
            #expect(
                removed.output
                    == "Nobody is given a picture of you any more. Who is away keeps the old one until you are linked again.\n"
            )
        }
    }

    @Test func whatCannotBeIsRefused() async throws {
        try await ServerFixture.with { fixture in
            let missing = try await run([fixture.folder + "/none"], fixture)
            #expect(missing.code != 0 && missing.errors.contains("cannot be read"), "\(missing.errors)")
            let large = fixture.folder + "/large"
            try Data(count: PictureOperation.mostBytes + 1).write(to: URL(fileURLWithPath: large))
            let refused = try await run([large], fixture)
            #expect(refused.code == 65 && refused.errors.contains("The picture is too large"), "\(refused.errors)")
            let both = try await run(["--remove", large], fixture)
            #expect(both.code == 64, "\(both.errors)")
            let exists = try await run(["--save", large], fixture)
            #expect(exists.code != 0 && exists.errors.contains("add --force"), "\(exists.errors)")
            let replaced = try await run(["--save", large, "--force"], fixture)
            #expect(replaced.code == 0, "\(replaced.errors)")
            #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: large))) == [1, 2])
            let alone = try await run(["--force"], fixture)
            #expect(alone.code == 64, "\(alone.errors)")
        }
    }
}
