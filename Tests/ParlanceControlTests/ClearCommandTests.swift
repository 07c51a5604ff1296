import Synchronization
import Testing

@testable import ParlanceControl
@testable import parlance

/// `parlance conversation ...` and `parlance disk`, with the built command.
@Suite(.timeLimit(.minutes(30))) struct ClearCommandTests {
    private func run(
        _ words: [String],
        _ fixture: ServerFixture,
        typed: String? = nil
    ) async throws -> CommandTests.Outcome {
        let terminal = typed.map { _ in ["TERM": "xterm"] }
        return try await CommandTests.run(words, socket: fixture.path, input: typed, terminal: terminal)
    }

    @Test(arguments: ["clear", "delete"]) func nothingGoesUnasked(verb: String) async throws {
        try await ServerFixture.with { fixture in
            let piped = try await run(["conversation", verb, "Bob"], fixture)
            #expect(piped.code == 64 && piped.output.isEmpty)
            #expect(piped.errors.contains("This removes everything that is in "))
            // What is done is what the question was about, whoever is called Bob by then.
            let id = TestNode.bob.id.prefix(12)
            #expect(piped.errors.contains("To do it: parlance conversation \(verb) \(id) --yes"))
            let json = try await run(["conversation", verb, "Bob", "--json"], fixture)
            #expect(json.code == 64 && json.errors.hasPrefix("{\"error\""))
            let no = try await run(["conversation", verb, "Bob"], fixture, typed: "no\n")
            #expect(no.code == 64 && no.output.contains("You did not say yes."))
            let yes = try await run(["conversation", verb, "Bob"], fixture, typed: "yes\n")
            #expect(
                yes.code == 0 && yes.output.contains("Bob is \(verb == "clear" ? "cleared" : "deleted")."),
                "\(yes)"
            )
            #expect(fixture.node.state.withLock { $0.changed } == [TestNode.bob.id])
        }
    }

    @Test func theyAreDoneAndSaid() async throws {
        try await ServerFixture.with { fixture in
            let cleared = try await run(["conversation", "clear", "Bob", "--yes"], fixture)
            #expect(
                cleared.output == "Bob is cleared. 2 entries of yours stay until they are delivered.\n"
            )
            let deleted = try await run(["conversation", "delete", "Bob", "--yes", "--json"], fixture)
            #expect(deleted.output.contains("\"hidden\":true") && deleted.output.contains("\"waiting\":0"))
            let hidden = try await run(["conversation", "hide", "Bob"], fixture)
            #expect(hidden.output.hasSuffix("is hidden until something new is written in it.\n"))
            let shown = try await run(["conversation", "show", "Bob"], fixture)
            #expect(shown.output.hasSuffix("is in your list.\n"))
        }
    }

    /// Whoever types it is asked; scripts go on as ever. The group of the test node refuses it in any case.
    @Test func aGroupIsNotLeftUnasked() async throws {
        try await ServerFixture.with { fixture in
            let question = "You leave Crew and get no more messages of this group."
            // The only admin is refused without a question.
            let alone = try await run(["group", "leave", "Crew"], fixture, typed: "no\n")
            #expect(alone.code == 65 && alone.output.contains("You are the only admin of this group."), "\(alone)")
            #expect(!alone.output.contains(question), "\(alone)")
            var crew = TestGroup.crew
            crew.id = "Crew"
            crew.members[1].admin = true
            fixture.node.state.withLock { $0.groups = [crew] }
            let no = try await run(["group", "leave", "Crew"], fixture, typed: "no\n")
            #expect(no.code == 64 && no.output.contains(question) && no.output.contains("You did not say yes."))
            #expect(!no.output.contains("You are the only admin"), "\(no)")
            let yes = try await run(["group", "leave", "Crew"], fixture, typed: "yes\n")
            #expect(yes.code == 65 && yes.output.contains("You are the only admin of this group."), "\(yes)")
            for (words, typed) in [(["--yes"], "no\n"), ([], nil)] as [([String], String?)] {
                let unasked = try await run(["group", "leave", "Crew"] + words, fixture, typed: typed)
                #expect(unasked.code == 65 && !(unasked.output + unasked.errors).contains(question), "\(unasked)")
            }
        }
    }

    @Test func theDiskIsATable() async throws {
        try await ServerFixture.with { fixture in
            let disk = try await run(["disk"], fixture)
            #expect(disk.output.contains("Bob") && disk.output.contains("2.0 KiB"))
            #expect(disk.output.contains("Messages kept for others: 0 (0 B)"))
            #expect(disk.output.contains("Pictures of people: 3.0 KiB"))
            #expect(!disk.output.contains("The index for searching"), "there is none")
            #expect(try await run(["disk", "--json"], fixture).output.hasPrefix("{\"conversations\":[{"))
        }
    }
}
