import ArgumentParser
import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import parlance

/// What a command suggests reaches the daemon that it was given.
@Suite(.timeLimit(.minutes(30))) struct GivenOptionsTests {
    @Test(
        arguments: [
            ("--profile work peers", " --profile work"), ("peers --profile=work", " --profile work"),
            ("history --socket /s --data-dir d Bob", " --data-dir d --socket /s"), ("send Bob -- --profile x", ""),
            ("peers --profile a --profile b", " --profile b"), ("--any-user --socket /s id", " --socket /s --any-user"),
            ("send --profile work Bob hi", " --profile work"), ("peers --json", ""),
            ("--profile work", " --profile work"),
            ("--profile work pers", " --profile work"), ("group --profile work crate x", " --profile work"),
        ]
    )
    func theyAreFound(_ line: String, _ given: String) {
        #expect(CommandWords(line.split(separator: " ").map(String.init)).given == given)
    }

    @Test func theyAreQuotedForTheShell() {
        #expect(CommandOptions.given(in: ["--data-dir", "/no where"]) == " --data-dir '/no where'")
        #expect(CommandOptions.given(in: ["--profile=-x"]) == " --profile=-x")
    }

    /// Every command but the one that needs no daemon.
    @Test func allCommandsHaveThem() {
        let configuration = ParlanceCommand.configuration
        let all = configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
        let names = all.filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }
        #expect(CommandOptions.commands == Set(names).subtracting(["verify-log"]))
    }

    @Test func theyStandInWhatIsSuggested() async throws {
        try await ServerFixture.with(as: .ship) { fixture in
            let own = "parlance --socket \(fixture.path)"
            func run(_ words: [String]) async throws -> CommandTests.Outcome {
                try await CommandTests.run(["--socket", fixture.path] + words, socket: nil)
            }
            // What the command says itself, and what it lists.
            let overview = try await run([])
            #expect(overview.output.contains("\n  \(own) send WHO TEXT "), "\(overview)")
            #expect(overview.output.hasSuffix("More about your node: \(own) status\n"))
            let status = try await run(["status"]).output
            #expect(status.contains("(\(own) ") && !status.contains("parlance outbox"), "\(status)")
            _ = try await fixture.ada.call(WorkspacePolicyOperation(name: "admission", value: "approve"))
            let invited = try await run(["workspace", "invite", "--uses", "20"]).output
            let invitation = try #require(try await fixture.ship.charter?.invitations.first).id.prefix(8)
            #expect(invited.contains("\(own) workspace invite --end \(invitation)\n"), "\(invited)")
            #expect(invited.contains("The others join with: parlance workspace join CODE\n"), "\(invited)")
            let unasked = try await run(["workspace", "leave"])
            #expect(unasked.errors.hasSuffix("To do it: \(own) workspace leave --yes\n"), "\(unasked)")
            let misspelt = try await run(["sned", "Bob"])
            #expect(misspelt.errors.hasSuffix("Did you mean: \(own) send\n"), "\(misspelt)")
            let option = try await run(["send", "Bob", "--fiel", "x"])
            #expect(option.errors.contains("To send it as text: \(own) send WHO -- TEXT"), "\(option)")
            // What the daemon says.
            let refused = try await run(["workspace", "exclude", "Eve"])
            #expect(refused.code == 65 && refused.errors.contains("See \"\(own) peers\""), "\(refused)")
        }
    }

    /// What somebody has written is no suggestion of ours.
    @Test func aMessageStaysAsItIs() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let options = ["--socket", fixture.path]
            let sent = try await CommandTests.run(["send"] + options + ["Bob", "Try: parlance peers"], socket: nil)
            #expect(sent.code == 0, "\(sent)")
            let shown = try await CommandTests.run(["history"] + options + ["Bob"], socket: nil)
            #expect(shown.output.contains("Try: parlance peers"), "\(shown)")
        }
    }
}
