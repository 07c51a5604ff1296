import ParlanceControl
import ParlanceWords
import Testing

extension ProgramTests {
    /// Bad input about groups and messages: the error says what is wrong and what to do, and nothing is done.
    @Suite struct GroupInputTests {
        @Test func ambiguousTitlesListTheCandidates() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                for title in ["crew", "Bob", "ada"] {
                    let refused = try await crew.ada.parlance("group", "create", title, "Cleo")
                    Refusal.given("--force").check(refused, of: "a title that is taken")
                }
                _ = try await crew.ada.parlance("group", "create", "--force", "Crew", "Bob")
                _ = try await crew.ada.parlance("group", "create", "--force", "Bob", "Cleo")
                let groups = try await crew.ada.groups()
                let twins = groups.filter { $0.title == "Crew" }.map { String($0.id.prefix(8)) }
                #expect(twins.count == 2)
                for command in [["send", "Crew", "hi"], ["history", "Crew"], ["read", "Crew"]] {
                    Refusal.given(
                        "\"Crew\" could be 2 conversations",
                        "beginning of an ID",
                        "\(twins[0])  Crew (group)"
                    )
                    .check(try await crew.ada.parlance(command), of: "\(command)")
                }
                let list = try await crew.ada.parlance("conversations").output
                #expect(twins.allSatisfy { list.contains("Crew (\($0))") }, "\(list)")
                Refusal.given("\"Crew\" could be 2 groups", "\(twins[0])  Crew (group)", "\(twins[1])  Crew (group)")
                    .check(try await crew.ada.parlance("group", "rename", "Crew", "x"), of: "renaming one of two")
                Refusal.given("You are in a group called \"Crew\" already", "Choose another alias")
                    .check(try await crew.ada.parlance("alias", "Cleo", "Crew"), of: "the title of a group as an alias")
                // She has called both so.
                let group = try #require(groups.first { $0.title == "Bob" }).id
                for name in ["Bob", "bob"] {
                    Refusal.given("could be 2 conversations", "\(group.prefix(8))  Bob (group)")
                        .check(try await crew.ada.parlance("send", name, "hi"), of: "writing to \(name)")
                }
                #expect(try await crew.ada.parlance("send", String(group.prefix(8)), "to the group").code == 0)
                try await crew.cleo.reads(["to the group"], in: group)
                let json = try await crew.ada.parlance("send", "--json", "Crew", "hi")
                let error = try JSONParser.parse(Array(json.errors.utf8.dropLast()))["error"]
                guard case .array(let candidates) = error?["candidates"] else {
                    Issue.record("no candidates in \(json.errors)")
                    return
                }
                #expect(candidates.compactMap { $0["displayName"]?.text } == ["Crew", "Crew"])
            }
        }

        /// A message without recipients does not wait.
        @Test func aMessageInAGroupOfOneIsForNobody() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                _ = try await crew.ada.parlance("group", "create", "Diary")
                let sent = try await crew.ada.parlance("send", "Diary", "dear")
                #expect(sent.code == 0 && sent.output.contains("for nobody"), "\(sent)")
                let json = try await crew.ada.parlance("send", "--json", "Diary", "diary")
                #expect(try JSONParser.parse(Array(json.output.utf8.dropLast()))["status"] == nil, "\(json)")
                #expect(try await crew.ada.parlance("outbox").output == "Nothing waits.\n")
                #expect(try await crew.ada.messages(in: "Diary").map(\.text) == ["dear", "diary"])
            }
        }

        @Test func rightsHaveClearErrors() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                let (ada, bob) = (crew.ada, crew.bob)
                let sent = try await ada.send("mine", to: "Crew")
                try await bob.shows(sent.id, in: "Crew", "from Ada") { $0.text == "mine" }
                let long = String(repeating: "x", count: 201)
                let cases: [(LabNode, [String], Refusal)] = [
                    (bob, ["group", "add", "Crew", "Ada"], .given("Only an admin", "Ask Ada")),
                    (bob, ["group", "remove", "Crew", "Cleo"], .given("Only an admin", "Ask Ada")),
                    (bob, ["group", "admin", "Crew", "Bob"], .given("Only an admin", "Ask Ada")),
                    (ada, ["group", "leave", "Crew"], .given("only admin", "parlance group admin")),
                    (ada, ["group", "add", "Crew", "Nobody"], .given("Nobody here is called")),
                    (ada, ["group", "create", "x", "Nobody"], .given("Nobody here is called")),
                    (ada, ["group", "create", long], .given("has 201 bytes; it can have 200", "a shorter one")),
                    (ada, ["group", "create", " "], .given("needs something to read")),
                    (ada, ["group", "rename", "Crew", "a\u{1B}b"], .given("is one line, without control characters")),
                    (ada, ["group", "topic", "Crew", long], .given("has 201 bytes; it can have 200")),
                    (ada, ["group", "show", "Nothing"], .given("no group called \"Nothing\"")),
                    (ada, ["group", "show", "Bob"], .given("no group called \"Bob\"")),
                    (ada, ["group", "leave", "Nothing"], .given("no group called \"Nothing\"")),
                    (bob, ["edit", sent.id, "yours"], .given("Only the author can edit a message")),
                    (bob, ["delete", sent.id], .given("Only the author, or an admin")),
                    (bob, ["react", sent.id, " "], .given("exactly one emoji")),
                    (bob, ["react", sent.id, "OK"], .given("exactly one emoji", "Did you mean :ok:?", " :ok:")),
                    (bob, ["react", sent.id, "qqq"], .given("exactly one emoji", "To answer in words")),
                    (bob, ["react", sent.id, "👍👍"], .given("exactly one emoji")),
                    (bob, ["reply", sent.id, " "], .given("empty message was not sent")),
                    (bob, ["reply", "abcdefg", "x"], .given("too short for a message's ID", "8 or more")),
                    (bob, ["reply", "aaaaaaaaaaaa", "x"], .given("No message here has that ID", "--ids")),
                    (bob, ["info", "????????"], .given("No message here has that ID")),
                ]
                for (node, arguments, refusal) in cases {
                    refusal.check(try await node.parlance(arguments), of: arguments.joined(separator: " "))
                }
                #expect(try await bob.messages(in: "Crew").map(\.text) == ["mine"])
                #expect(try await ada.groups().map(\.title) == ["Crew"])
                let note = try #require(try await bob.history(with: "Crew").first { $0.note != nil }).id
                Refusal.given("a notice, not a message").check(try await bob.parlance("reply", note, "x"), of: "a line")
            }
        }
    }
}

extension LabNode {
    /// The groups in the list of conversations.
    func groups() async throws -> [ConversationInfo] {
        try await ask(ConversationsOperation()).conversations.filter { $0.kind == .group }
    }
}
