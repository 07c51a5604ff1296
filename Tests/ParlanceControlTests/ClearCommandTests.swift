import ParlanceWaiting
import Testing

@testable import ParlanceControl

/// `parlance conversation ...` and `parlance disk`, with the built command.
@Suite(.timeLimit(.minutes(30))) struct ClearCommandTests {
    @Test(arguments: ["clear", "delete"]) func nothingGoesUnasked(verb: String) async throws {
        try await ServerFixture.with("Bob") { fixture in
            _ = try await fixture.hear("hello", from: fixture.bob)
            let piped = try await fixture.run("conversation", verb, "Bob")
            #expect(piped.code == 64 && piped.output.isEmpty)
            #expect(piped.errors.contains("This removes everything that is in "))
            // What is done is what the question was about, whoever is called Bob by then.
            let id = fixture.bob.id.prefix(12)
            #expect(piped.errors.contains("To do it: parlance conversation \(verb) \(id) --yes"))
            let json = try await fixture.run("conversation", verb, "Bob", "--json")
            #expect(json.code == 64 && json.errors.hasPrefix("{\"error\""))
            let no = try await fixture.run("conversation", verb, "Bob", typed: "no\n")
            #expect(no.code == 64 && no.output.contains("You did not say yes."))
            #expect(try await fixture.texts == ["hello"])
            let yes = try await fixture.run("conversation", verb, "Bob", typed: "yes\n")
            #expect(
                yes.code == 0 && yes.output.contains("Bob is \(verb == "clear" ? "cleared" : "deleted")."),
                "\(yes)"
            )
            let asked =
                fixture.node.asked(ConversationClearOperation.self).map(\.who)
                + fixture.node.asked(ConversationDeleteOperation.self).map(\.who)
            #expect(asked == [fixture.bob.id])
            #expect(try await fixture.texts == [])
        }
    }

    @Test func theyAreDoneAndSaid() async throws {
        try await ServerFixture.with("Bob") { fixture in
            try await fixture.bobLeaves()
            for text in ["one", "two"] { _ = try await fixture.write(text) }
            let cleared = try await fixture.run("conversation", "clear", "Bob", "--yes")
            #expect(
                cleared.output == "Bob is cleared. 2 entries of yours stay until they are delivered.\n"
            )
            let deleted = try await fixture.run("conversation", "delete", "Bob", "--yes", "--json")
            for member in ["\"hidden\":true", "\"waiting\":2"] {
                #expect(deleted.output.contains(member), "\(deleted)")
            }
            let hidden = try await fixture.run("conversation", "hide", "Bob")
            #expect(hidden.output == "Bob is hidden until something new is written in it.\n")
            #expect(try await fixture.ada.conversation(with: "Bob").hidden == true)
            let shown = try await fixture.run("conversation", "show", "Bob")
            #expect(shown.output == "Bob is in your list.\n")
            #expect(try await fixture.ada.conversation(with: "Bob").hidden == nil)
        }
    }

    /// Whoever types it is asked; scripts go on as ever.
    @Test func aGroupIsNotLeftUnasked() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let question = "You leave Crew and get no more messages of this group."
            func group(admin: Bool) async throws -> String {
                let id = try await fixture.ada.call(GroupCreateOperation(title: "Crew", who: ["Bob"])).id
                if admin { _ = try await fixture.ada.call(GroupAdminOperation(group: id, who: ["Bob"])) }
                return id
            }
            // The only admin is refused without a question.
            let crew = try await group(admin: false)
            let alone = try await fixture.run("group", "leave", "Crew", typed: "no\n")
            #expect(alone.code == 65 && alone.output.contains("You are the only admin of this group."), "\(alone)")
            #expect(!alone.output.contains(question), "\(alone)")
            _ = try await fixture.ada.call(GroupAdminOperation(group: crew, who: ["Bob"]))
            let no = try await fixture.run("group", "leave", "Crew", typed: "no\n")
            #expect(no.code == 64 && no.output.contains(question) && no.output.contains("You did not say yes."))
            #expect(!no.output.contains("You are the only admin"), "\(no)")
            #expect(try await fixture.ada.call(GroupShowOperation(group: crew)).isMember)
            let yes = try await fixture.run("group", "leave", "Crew", typed: "yes\n")
            #expect(yes.code == 0 && yes.output.contains(question), "\(yes)")
            #expect(yes.output.hasSuffix("You have left Crew.\r\n"), "\(yes)")
            for (words, typed) in [(["--yes"], "no\n"), ([], nil)] as [([String], String?)] {
                let other = try await group(admin: true)
                let unasked = try await fixture.run(["group", "leave", other] + words, typed: typed)
                #expect(unasked.code == 0 && !(unasked.output + unasked.errors).contains(question), "\(unasked)")
                #expect(try await !fixture.ada.call(GroupShowOperation(group: other)).isMember)
            }
        }
    }

    @Test func theDiskIsATable() async throws {
        try await ServerFixture.with("Bob") { fixture in
            _ = try await fixture.write(String(repeating: "x", count: 2_048))
            let disk = try await fixture.run("disk")
            let row = disk.output.split(separator: "\n").first { $0.hasPrefix("Bob") }
            #expect(row?.contains("2.") == true && row?.contains("KiB") == true, "\(disk)")
            #expect(disk.output.contains("Messages kept for others: 0 (0 B)"), "\(disk)")
            #expect(disk.output.contains("Pictures of people: 0 B"), "\(disk)")
            fixture.node.change(DiskOperation.self) { $0.pictures = 3_072 }
            #expect(try await fixture.run("disk").output.contains("Pictures of people: 3.0 KiB"))
            #expect(!disk.output.contains("The index for searching"), "there is none")
            #expect(try await fixture.run("disk", "--json").output.hasPrefix("{\"conversations\":[{"))
        }
    }
}
