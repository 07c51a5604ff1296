import ParlanceControl
import Testing

/// `parlance workspace invite` as people type it.
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
}
