import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

/// `parlance picture` against a node.
@Suite(.timeLimit(.minutes(30))) struct PictureCommandTests {
    private func run(_ arguments: [String], _ fixture: ServerFixture) async throws -> CommandTests.Outcome {
        try await fixture.run(["picture"] + arguments)
    }

    /// One pixel.
    private static let png = [UInt8](
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAA"
                + "DElEQVR42mNgZGIGAAAOAAfpkjfUAAAAAElFTkSuQmCC"
        ) ?? Data()
    )

    @Test func itShowsChoosesAndSaves() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let none = try await run([], fixture)
            #expect(none.output == "There is no picture of you.\n", "\(none)")
            let (own, place) = (fixture.folder + "/own.png", fixture.folder + "/face")
            try Data(Self.png).write(to: URL(fileURLWithPath: own))
            let chosen = try await run([own], fixture)
            #expect(chosen.code == 0 && chosen.output.contains("see this picture of you now"), "\(chosen.errors)")
            let shown = try await run([], fixture)
            let mark = try #require(try await fixture.ada.call(PictureOperation()).picture)
            let time = LocalClock(now: LocalClock.system().now) { _ in 0 }.short(mark.chosen)
            #expect(shown.output == "There is a picture of you, chosen \(time).\n")
            let json = try await run(["--json"], fixture)
            let start = #""picture":{"id":"\#(mark.id)","chosen":"\#(mark.chosen.description.prefix(11))"#
            #expect(json.output.contains(start), "\(json.output)")
            let content = Data(Self.png).base64EncodedString()
            _ = try await fixture.bob.call(PictureOperation(new: content))
            try await eventually("Ada has Bob's picture") {
                try await fixture.ada.call(PictureOperation(who: "Bob")).picture != nil
            }
            let saved = try await run(["--save", place, "Bob"], fixture)
            #expect(saved.output == "Saved as \(place).\n", "\(saved.errors)")
            #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: place))) == Self.png)
            let removed = try await run(["--remove"], fixture)
            #expect(
                removed.output
                    == "Nobody is given a picture of you any more. Who is away keeps the old one until you are linked again.\n"
            )
            #expect(try await fixture.ada.call(PictureOperation()).picture == nil)
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
            #expect(fixture.node.asked(PictureOperation.self).isEmpty)
            let both = try await run(["--remove", large], fixture)
            #expect(both.code == 64, "\(both.errors)")
            _ = try await fixture.ada.call(PictureOperation(new: Data(Self.png).base64EncodedString()))
            let exists = try await run(["--save", large], fixture)
            #expect(exists.code != 0 && exists.errors.contains("add --force"), "\(exists.errors)")
            let replaced = try await run(["--save", large, "--force"], fixture)
            #expect(replaced.code == 0, "\(replaced.errors)")
            #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: large))) == Self.png)
            let alone = try await run(["--force"], fixture)
            #expect(alone.code == 64, "\(alone.errors)")
        }
    }
}
