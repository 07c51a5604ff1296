import Foundation
import ParlanceControl
import ParlanceWire
import Testing

/// `parlance workspace invite` and `parlance workspace import` as people type them.
@Suite struct WorkspaceCommandTests {
    @Test func anInvitationIsShownWithWhatEndsIt() async throws {
        try await ServerFixture.with { fixture in
            let made = try await CommandTests.run(
                ["workspace", "invite", "--uses", "20", "--until", "2026-12-24"],
                socket: fixture.path
            )
            #expect(made.code == 0 && made.output.contains("lets in 20 people, until "), "\(made)")
            #expect(made.output.contains("parlance workspace invite --end abcdefgh"))
            let shown = try await CommandTests.run(["workspace", "show"], socket: fixture.path)
            #expect(shown.output.contains("invitation abcdefgh of Bob: 3 of 20 left, until "), "\(shown)")
            let both = try await CommandTests.run(
                ["workspace", "invite", "--uses", "1", "--end", "abc"],
                socket: fixture.path
            )
            #expect(both.code == 64 && both.errors.contains("--end cannot be given together"), "\(both)")
        }
    }

    @Test func aListIsReadFromAFileOrFromStandardInput() async throws {
        try await ServerFixture.with { fixture in
            let file = fixture.folder + "/office.csv"
            try Data("Bob,x\n".utf8).write(to: URL(fileURLWithPath: file))
            for (word, input) in [(file, nil), ("-", "Bob,x\n")] {
                let done = try await CommandTests.run(
                    ["workspace", "import", word],
                    socket: fixture.path,
                    input: input
                )
                #expect(done.code == 0 && done.output.contains("Admitted to the workspace: 2"), "\(done)")
                #expect(done.output.contains("Left out: Eve is excluded"))
                #expect(done.output.contains("Not named: somebody else here is called Cyd."))
            }
            let missing = try await CommandTests.run(["workspace", "import", file + "x"], socket: fixture.path)
            #expect(missing.code != 0 && missing.errors.contains("cannot be read"), "\(missing)")
            try Data(count: Limits.importedBytes + 1).write(to: URL(fileURLWithPath: file))
            let long = try await CommandTests.run(["workspace", "import", file], socket: fixture.path)
            #expect(long.code == 65 && long.errors.contains("more than \(Limits.importedBytes) bytes"), "\(long)")
            try Data([0xFF, 0xFE]).write(to: URL(fileURLWithPath: file))
            let binary = try await CommandTests.run(["workspace", "import", file], socket: fixture.path)
            #expect(binary.code == 65 && binary.errors.contains("not valid UTF-8"), "\(binary)")
        }
    }
}
