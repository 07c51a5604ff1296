import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// Searching with the real programs.
    @Suite struct SearchTests {
        private static func texts(_ node: LabNode, _ query: String) async throws -> Set<String> {
            Set(try await node.ask(SearchOperation(query: query)).hits.map(\.excerpt.text))
        }

        @Test func namesAndDaysNarrowASearch() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let sent = try await pair.ada.send("the blue key", to: "Bob")
                let answer = try await pair.bob.send("a red key", to: "Ada")
                try await eventually("Ada has the answer") {
                    try await pair.ada.history(with: "Bob").contains { $0.id == answer.id }
                }
                #expect(try await Self.texts(pair.ada, "key") == ["the blue key", "a red key"])
                for query in ["key from:Bob", "key from:bob in:Bob", "from:Bob red", "key from:Bob after:today"] {
                    #expect(try await Self.texts(pair.ada, query) == ["a red key"], "\(query)")
                }
                #expect(try await Self.texts(pair.ada, "key from:me") == ["the blue key"])
                #expect(try await Self.texts(pair.ada, "key from:Ada from:Bob").count == 2)
                #expect(try await Self.texts(pair.ada, "key before:today").isEmpty)
                #expect(try await Self.texts(pair.ada, "after:yesterday key").count == 2)
                let hit = try #require(try await pair.ada.ask(SearchOperation(query: "blue")).hits.first)
                #expect(hit.id == sent.id && hit.title == "Bob" && hit.kind == .direct && hit.sender.me == true)
                #expect(hit.excerpt.marks == [.init(from: 4, to: 8)] && hit.conversation == sent.conversation)
                let files = try await pair.ada.ask(SearchOperation(query: "key has:file"))
                #expect(files.hits.isEmpty && files.found == 0)
                let printed = try await pair.ada.parlance("search", "key", "from:me").output
                #expect(printed.contains("Bob\n") && printed.contains("the blue key"))
                let around = try await pair.ada.parlance("history", "Bob", "--around", String(sent.id.prefix(12)))
                #expect(around.code == 0 && around.output.contains("a red key"))
                for (query, why) in [
                    ("key from:Nobody", "Nobody"), ("\"key", "not closed"), ("key after:soon", "needs a day"),
                    ("...", "no letter"),
                ] {
                    Refusal.given(why).check(try await pair.ada.parlance("search", query), of: query)
                }
            }
        }

        @Test func blockedPeopleAreNotFoundAndLeftGroupsAre() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                let text = "the pepper is in the galley"
                let id = try await crew.bob.send(text, to: "Crew").id
                try await eventually("Ada has it") {
                    try await crew.ada.history(with: "Crew").contains { $0.id == id }
                }
                #expect(try await Self.texts(crew.ada, "pepper in:Crew") == [text])
                #expect(try await crew.ada.parlance("block", "Bob").code == 0)
                #expect(try await Self.texts(crew.ada, "pepper").isEmpty)
                #expect(try await crew.ada.parlance("unblock", "Bob").code == 0)
                #expect(try await Self.texts(crew.ada, "pepper") == [text])
                // What history shows of a group that was left is found too.
                #expect(try await crew.bob.parlance("group", "leave", "Crew").code == 0)
                #expect(try await crew.bob.history(with: "Crew").contains { $0.id == id })
                #expect(try await Self.texts(crew.bob, "pepper in:Crew") == [text])
                // Deleted text is not.
                let gone = try await crew.ada.send("salt too", to: "Crew").id
                #expect(try await Self.texts(crew.ada, "salt") == ["salt too"])
                #expect(try await crew.ada.parlance("delete", gone).code == 0)
                #expect(try await Self.texts(crew.ada, "salt").isEmpty)
            }
        }
    }
}
