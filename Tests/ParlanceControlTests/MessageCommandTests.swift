import ParlanceErrorCode
import ParlanceWaiting
import ParlanceWords
import Testing

@testable import ParlanceControl

/// Messages and groups on the command line, with the built command and two nodes.
@Suite(.timeLimit(.minutes(30))) struct MessageCommandTests {
    /// Whether the command has said that it sent a message. How soon Bob has it depends on the machine.
    private func isSent(_ outcome: CommandTests.Outcome) -> Bool {
        outcome.code == 0
            && outcome.output.wholeMatch(of: /(Delivered to Bob|Saved, and on its way)\. \(\w{12}\)\n/) != nil
    }

    @Test func writesAndReadsAConversation() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let empty = try await fixture.run("history", "Bob")
            #expect(empty.output.contains("No messages with Bob yet"))
            let sent = try await fixture.run("send", "Bob", "see", "you \u{1B}[2J")
            #expect(isSent(sent), "\(sent)")
            let piped = try await fixture.run("send", "Bob", "-", input: "line one\nline two\n")
            #expect(isSent(piped), "\(piped)")
            try await eventually("Bob has both") {
                try await fixture.bob.texts(with: "Ada") == ["see you \u{1B}[2J", "line one\nline two"]
            }
            try await eventually("Ada hears that he has them") {
                try await fixture.ada.messages(with: "Bob").allSatisfy { $0.status == .delivered }
            }
            let history = try await fixture.run("history", "Bob")
            #expect(history.output.contains("see you \\u{1B}[2J  [delivered]"), "\(history)")
            #expect(!history.output.contains("\u{1B}"))
            let json = try await fixture.run("history", "Bob", "--limit", "1", "--json")
            let page = try JSONParser.parse(Array(json.output.utf8))
            #expect(page["more"] == .bool(true))
            #expect(page["conversation"]?["title"] == .string("Bob"))
        }
    }

    @Test func everythingBehindTheRecipientIsText() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let texts = [
                (["--", "-h"], "-h"), (["-helpful", "is no option"], "-helpful is no option"),
                (["--", "--json"], "--json"), (["--", "see", "--version"], "see --version"),
                (["-5", "below"], "-5 below"), (["-abc", "--x=1"], "-abc --x=1"), (["--", "--text"], "--text"),
                (["a", "--", "b"], "a -- b"), (["-", "x"], "- x"),
            ]
            for (words, text) in texts {
                let sent = try await fixture.run(["send", "Bob"] + words)
                #expect(isSent(sent), "\(words): \(sent)")
                #expect(try await fixture.texts.last == text)
            }
            let json = try await fixture.run("send", "--json", "Bob", "--", "--json")
            #expect(try JSONParser.parse(Array(json.output.utf8))["status"] == .string("sending"))
            #expect(try await fixture.texts.last == "--json")
            let help = try await fixture.run("send", "--help")
            #expect(help.output.contains("Options come before WHO"))
        }
    }

    @Test func commandsAboutAMessageSayWhatItIsNow() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let id = try await fixture.write("see you at noon")
            let edited = try await fixture.run("edit", id, "--", "-h", "see you at one")
            #expect(edited.output == "Edited: -h see you at one\n")
            let reply = try await fixture.run("reply", id, "--", "--json")
            #expect(isSent(reply), "\(reply)")
            let answer = try await fixture.ada.messages(with: "Bob").last
            #expect(
                answer?.text == "--json" && answer?.answers?.id.hasPrefix(id) == true,
                "\(String(describing: answer))"
            )
            let liked = try await fixture.run("react", id, "👍")
            #expect(liked.output == "Reactions: 👍 you\n")
            let unliked = try await fixture.run("react", id, "👍", "--remove")
            #expect(unliked.output == "No reactions.\n")
            try await fixture.bobLeaves()
            let late = try await fixture.write("late")
            let info = try await fixture.run("info", late)
            #expect(info.output.contains(/\nBob  waits  .*Bob is offline\n/), "\(info)")
            let unknown = try await fixture.run("info", "zzzzzzzzzzzz")
            #expect(unknown.code == 65 && unknown.errors.contains("No message here has that ID."), "\(unknown)")
            for command in [["reply", id], ["edit", id, "--"], ["react", id], ["delete"]] {
                #expect(try await fixture.run(command).code == 64, "\(command)")
            }
        }
    }

    @Test func groupsAreShownWithWhoHasWhat() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let made = try await fixture.run("group", "create", "Crew", "Bob")
            #expect(made.output == "Created the group Crew. Members: you and Bob.\nBob joins at once.\n")
            try await eventually("Bob has all of the group") {
                try await fixture.ada.call(GroupShowOperation(group: "Crew")).members.allSatisfy { $0.lacks == 0 }
            }
            try await fixture.bobLeaves()
            _ = try await fixture.write("nobody hears this", to: "Crew")
            let twice = try await fixture.run("group", "create", "Twins", "Bob", "bob")
            #expect(
                twice.output.hasSuffix(
                    " and Bob.\nSomebody was named twice and is a member once.\nBob joins when connected.\n"
                )
            )
            let alone = try await fixture.run("group", "create", "Diary")
            #expect(alone.output == "Created the group Diary. Members: you.\n")
            let crew = try await fixture.ada.call(GroupShowOperation(group: "Crew"))
            let shown = try await fixture.run("group", "show", "Crew")
            let lines = shown.output.split(separator: "\n")
            #expect(lines.first == "Crew (\(crew.id.prefix(12)))")
            #expect(lines.dropFirst().first?.split(separator: " ").prefix(4) == ["NAME", "ID", "ROLE", "TRUST"])
            let (own, his) = (fixture.ada.id.prefix(8), fixture.bob.id.prefix(8))
            #expect(lines.contains { $0.hasPrefix("Ada (you)  \(own)  admin") && $0.hasSuffix("everything") })
            let held = "at least \(crew.events - 1) of \(crew.events)"
            #expect(lines.contains { $0.hasPrefix("Bob        \(his)") && $0.hasSuffix(held) }, "\(shown)")
            let topic = try await fixture.run("group", "topic", "Crew", "the", "dock")
            #expect(topic.output == "The topic of Crew: the dock\n")
            let leave = try await fixture.run("group", "leave", "Crew")
            #expect(leave.code == 65 && leave.errors.contains("You are the only admin of this group."), "\(leave)")
            for command in [
                ["group", "add", "Crew"], ["group", "topic", "Crew", "x", "--clear"], ["group", "nonsense"],
            ] {
                #expect(try await fixture.run(command).code == 64, "\(command)")
            }
        }
    }

    @Test func refusalsOfWhatWasGivenAre65AndOthers1() async throws {
        try await ServerFixture.with("Bob", "Bob") { fixture in
            let blank = try await fixture.run("send", fixture.bob.id, " ")
            #expect(blank.code == 65)
            #expect(blank.errors.hasPrefix("parlance: An empty message was not sent.\n"), "\(blank)")
            // Nobody can have such a name, so an older node or a defect would have to say it.
            fixture.node.answer(SendOperation.self) { _, result in
                result.mapError { error in
                    var error = error
                    error.candidates = error.candidates?.map { candidate in
                        .init(id: candidate.id, displayName: "Bob \u{1B}[31m", trust: candidate.trust)
                    }
                    return error
                }
            }
            let ambiguous = try await fixture.run("send", "Bob", "x")
            #expect(ambiguous.code == 65)
            for person in fixture.people {
                #expect(ambiguous.errors.contains("\(person.id.prefix(8))  Bob \\u{1B}[31m (accepted"), "\(ambiguous)")
            }
            let page = try await fixture.run("open")
            #expect(page.code == 1 && page.errors.contains("The node serves no page."), "\(page)")
        }
    }
}
