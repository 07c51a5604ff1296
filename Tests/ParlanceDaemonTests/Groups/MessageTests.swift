import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// Edits, deletions, reactions and answers are shown to the others.
    @Suite struct MessageTests {
        @Test func repliesEditsReactionsAndDeletionsShowAtTheOthers() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                let watcher = try await Watcher(crew.cleo)
                let first = try await crew.ada.send("lunch at noon?", to: "Crew").id
                try await crew.bob.shows(first, in: "Crew", "from Ada") { $0.text == "lunch at noon?" }
                let reply = try await crew.bob.parlance(
                    "reply",
                    "--json",
                    String(first.prefix(8)),
                    "--",
                    "-h",
                    "gladly"
                )
                let second = try #require(try JSONParser.parse(Array(reply.output.utf8.dropLast()))["id"]?.text)
                let answer = try await crew.cleo.shows(second, in: "Crew", "with its quote") { $0.answers != nil }
                #expect(answer.text == "-h gladly")
                #expect(answer.answers?.text == "lunch at noon?" && answer.answers?.id == first)
                #expect(answer.answers?.sender.displayName == "Ada")
                #expect(
                    try await crew.cleo.parlance("history", "Crew").output.contains("Bob  > Ada: lunch at noon?")
                )

                let edited = try await crew.ada.parlance("edit", first, "lunch at one?")
                #expect(edited.output == "Edited: lunch at one?\n", "\(edited.errors)")
                try await crew.cleo.shows(first, in: "Crew", "edited") {
                    $0.text == "lunch at one?" && $0.versions == 2
                }
                try await watcher.sees("changed") { $0["id"]?.text == first && $0["text"]?.text == "lunch at one?" }
                let info = try await crew.cleo.parlance("info", first).output
                #expect(info.contains("lunch at noon?") && info.contains("VERSION"), "\(info)")

                let liked = try await crew.bob.parlance("react", first, "👍")
                #expect(liked.output == "Reactions: 👍 you\n", "\(liked.errors)")
                _ = try await crew.cleo.parlance("react", first, "👍")
                let both = try await crew.ada.shows(first, in: "Crew", "with both reactions") {
                    $0.reactions?.first?.count == 2
                }
                #expect(Set(both.reactions?[0].people.map(\.displayName) ?? []) == ["Bob", "Cleo"])
                _ = try await crew.bob.parlance("react", "--remove", first, "👍")
                try await crew.ada.shows(first, in: "Crew", "without Bob's reaction") {
                    $0.reactions?.first?.people.map(\.displayName) == ["Cleo"]
                }

                #expect(try await crew.ada.parlance("delete", first).code == 0)
                let gone = try await crew.bob.shows(first, in: "Crew", "deleted") { $0.deleted != nil }
                #expect(gone.text.isEmpty && gone.deleted?.by.displayName == "Ada")
                let shown = try await crew.cleo.soonHistory("Crew") { $0.contains("(deleted by Ada)") }
                #expect(!shown.contains("lunch at"), "\(shown)")
                Refusal.given("has been deleted").check(
                    try await crew.ada.parlance("edit", first, "no, wait"),
                    of: "editing what was deleted"
                )
                // An admin may delete the messages of others.
                #expect(try await crew.ada.parlance("delete", second).code == 0)
                try await crew.bob.shows(second, in: "Crew", "deleted") { $0.deleted?.by.displayName == "Ada" }
            }
        }

        @Test func mentionsAreCountedAndShown() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                let watcher = try await Watcher(crew.bob)
                let sent = try await crew.ada.send("@Bob, the plans please", to: "Crew")
                try await crew.ada.send("and @nobody else", to: "Crew")
                let event = try await watcher.sees("message") { $0["id"]?.text == sent.id }
                #expect(event["mentionsMe"] == .bool(true))
                #expect(event["group"]?.text == "Crew")
                try await crew.bob.reads(["@Bob, the plans please", "and @nobody else"], in: "Crew")
                let bobs = try #require(try await crew.bob.groups().first)
                #expect(bobs.mentions == 1 && bobs.unread >= 2)
                try await crew.cleo.reads(["@Bob, the plans please", "and @nobody else"], in: "Crew")
                let cleos = try await crew.cleo.messages(in: "Crew")[0]
                #expect(cleos.mentionsMe == nil && cleos.mentions?.map(\.displayName) == ["Bob"])
                #expect(
                    try await crew.bob.parlance("history", "Crew", "--peek").output.contains("please (mentions you)")
                )
                #expect(try await crew.bob.parlance("conversations").output.contains("MENTIONS"))
                _ = try await crew.bob.parlance("read", "Crew")
                #expect(try await crew.bob.groups().first?.mentions == 0)
            }
        }

        @Test func whatSomebodyBlockedWroteIsFoldedAway() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                let sent = try await crew.bob.send("spam", to: "Crew")
                try await crew.cleo.shows(sent.id, in: "Crew", "from Bob") { $0.text == "spam" }
                #expect(try await crew.cleo.parlance("block", "Bob").code == 0)
                let folded = try await crew.cleo.soonHistory("Crew") { $0.contains("whom you have blocked") }
                #expect(folded.contains("(a message of Bob, whom you have blocked; --blocked shows it)"))
                #expect(!folded.contains("spam"))
                #expect(try await crew.cleo.parlance("history", "Crew", "--blocked").output.contains("spam"))
            }
        }

        /// What was read, and when somebody was last here, is on disk: a crash and a restart change neither.
        @Test func whatWasReadAndSeenSurvivesACrash() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let began = ControlTime(milliseconds: try await pair.ada.status().started.milliseconds)
                let sent = try await pair.ada.send("see you at noon", to: "Bob")
                try await pair.ada.deliversAll()
                #expect(try await pair.bob.conversation(with: "Ada")?.unread ?? 0 > 0)
                #expect(try await pair.bob.parlance("history", "Ada").output.contains("see you at noon"))
                try await pair.bob.kill()
                try await pair.ada.kill()
                try await pair.bob.start()
                #expect(try await pair.bob.conversation(with: "Ada")?.unread == 0)
                let seen = try #require(try await pair.bob.peer("Ada")?.lastSeen)
                #expect(seen.milliseconds >= began.milliseconds)
                try await pair.ada.start()
                try await pair.ada.shows(sent.id, in: "Bob", "read") { $0.status == .read }
            }
        }

        @Test func twoPeopleHaveAllOfItToo() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let sent = try await pair.ada.send("see you at noon", to: "Bob")
                try await pair.ada.deliversAll()
                #expect(try await pair.bob.parlance("react", sent.id, "👍").code == 0)
                #expect(try await pair.ada.parlance("edit", sent.id, "see you at one").code == 0)
                try await pair.ada.shows(sent.id, in: "Bob", "with Bob's reaction") { $0.reactions?.count == 1 }
                try await pair.bob.shows(sent.id, in: "Ada", "edited") { $0.text == "see you at one" }
                _ = try await pair.bob.parlance("read", "Ada")
                try await pair.ada.shows(sent.id, in: "Bob", "read") { $0.status == .read }
                let info = try await pair.ada.parlance("info", sent.id).output
                #expect(info.contains("see you at noon") && info.contains("read"), "\(info)")
                Refusal.given("Only the author").check(
                    try await pair.bob.parlance("delete", sent.id),
                    of: "deleting another's message"
                )
            }
        }
    }
}

extension LabNode {
    /// Waits until `parlance history` prints what is expected, and returns the whole output.
    func soonHistory(_ who: String, where condition: (String) -> Bool) async throws -> String {
        var last = ""
        return try await soon("\(name)'s history of \(who) is as expected", last: last) {
            last = try await parlance("history", who).output
            return condition(last) ? last : nil
        }
    }
}
