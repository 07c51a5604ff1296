import Foundation
import ParlanceWaiting
import ParlanceWire
import Testing

@testable import ParlanceControl
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

extension ProgramTests {
    /// Conversations that are cleared, deleted and hidden, and what takes room.
    @Suite struct ClearingTests {
        private func clear(_ verb: String, _ who: String, _ node: LabNode) async throws -> String {
            let done = try await node.parlance("conversation", verb, who, "--yes")
            #expect(done.code == 0, "\(done)")
            return done.output
        }

        /// The messages of a group, without the lines that say how it changed.
        private func written(_ group: String, _ node: LabNode) async throws -> [String] {
            try await node.history(with: group).filter { $0.note == nil }.map(\.text)
        }

        @Test func aClearedConversationIsEmptyHereAndStaysSo() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await pair.bob.send("secret", to: "Ada")
                try await eventually("it comes") { try await pair.ada.texts(with: "Bob").contains("secret") }
                let before = try await pair.bob.texts(with: "Ada")
                // Nothing goes unasked.
                let unsure = try await pair.ada.parlance("conversation", "clear", "Bob")
                let bobsID = try #require(try await pair.ada.peer("Bob")?.id)
                #expect(
                    unsure.code == 64
                        && unsure.errors.contains("parlance conversation clear \(bobsID.prefix(12)) --yes"),
                    "\(unsure)"
                )
                #expect(try await pair.ada.texts(with: "Bob") == before)
                #expect(try await clear("clear", "Bob", pair.ada) == "Bob is cleared.\n")
                try await eventually("nothing is here") { try await pair.ada.texts(with: "Bob").isEmpty }
                #expect(try await pair.ada.parlance("search", "secret").output.contains("secret") == false)
                try await pair.ada.kill()
                try await pair.ada.start()
                try await pair.bob.send("new", to: "Ada")
                try await eventually("what is new comes") { try await pair.ada.texts(with: "Bob") == ["new"] }
                #expect(try await pair.bob.texts(with: "Ada") == before + ["new"])
                #expect(try await pair.ada.conversation(with: "Bob")?.hidden == nil)
            }
        }

        @Test func whatWaitsIsSaidAndDelivered() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await pair.bob.kill()
                try await pair.ada.send("for Bob", to: "Bob")
                let reply = try await pair.ada.ask(ConversationDeleteOperation(who: "Bob"))
                #expect(reply.waiting == 1 && reply.hidden == true && reply.title == "Bob")
                let again = try await pair.ada.parlance("conversation", "delete", "Bob", "--yes")
                #expect(again.output == "Bob is deleted. 1 entry of yours stays until it is delivered.\n")
                try await pair.bob.start()
                try await eventually("it is delivered") { try await pair.bob.texts(with: "Ada").contains("for Bob") }
            }
        }

        @Test func aDeletedConversationComesBackWhenSomebodyWrites() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let watcher = try await Watcher(pair.ada)
                #expect(try await clear("delete", "Bob", pair.ada) == "Bob is deleted.\n")
                try await watcher.sees("preference") { $0["title"]?.text == "Bob" && $0["hidden"] == .bool(true) }
                let listed = try await pair.ada.parlance("conversations").output
                #expect(!listed.contains("Bob") && listed.contains("Not shown: 1 that are hidden or left."))
                #expect(try await pair.ada.parlance("conversations", "--all").output.contains("hidden"))
                try await pair.bob.send("I am back", to: "Ada")
                try await watcher.sees("preference") { $0["title"]?.text == "Bob" && $0["hidden"] == nil }
                #expect(try await pair.ada.texts(with: "Bob") == ["I am back"])
                #expect(try await pair.ada.parlance("conversations").output.contains("Bob"))
            }
        }

        @Test func aDeletedGroupComesBackOnRequest() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                #expect(try await clear("delete", "Crew", crew.ada) == "Crew is deleted.\n")
                let watcher = try await Watcher(crew.ada)
                let id = try await crew.bob.send("anybody here?", to: "Crew").id
                try await eventually("Ada has it") {
                    try await crew.bob.ask(InfoOperation(id: id)).recipients.contains {
                        $0.person.displayName == "Ada" && $0.delivered
                    }
                }
                #expect(try await crew.ada.conversation(with: "Crew")?.hidden == true)
                _ = try await crew.bob.ask(EditOperation(id: id, text: "anybody there?"))
                let shown = try await crew.ada.parlance("conversation", "show", "Crew")
                #expect(shown.output == "Crew is in your list.\n")
                try await eventually("what came is gone") { try await written("Crew", crew.ada).isEmpty }
                let next = try await crew.bob.send("and now?", to: "Crew").id
                // The first message that is told is the one that is wanted.
                #expect(try await watcher.sees("message")["id"]?.text == next)
                #expect(try watcher.events("changed").isEmpty)
                #expect(try await written("Crew", crew.ada) == ["and now?"])
            }
        }

        @Test func aHiddenConversationKeepsWhatItHas() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await pair.bob.send("unread", to: "Ada")
                try await eventually("Ada has it") {
                    try await pair.ada.status().counts.unread > 0
                }
                let before = try await pair.ada.texts(with: "Bob")
                let hidden = try await pair.ada.parlance("conversation", "hide", "Bob")
                #expect(hidden.output == "Bob is hidden until something new is written in it.\n")
                #expect(try await pair.ada.texts(with: "Bob") == before)
                #expect(try await pair.ada.conversation(with: "Bob")?.hidden == true)
                #expect(try await pair.ada.status().counts.unread == 0)
                #expect(try await pair.ada.parlance("conversation", "show", "Bob").code == 0)
                #expect(try await pair.ada.status().counts.unread > 0)
                #expect(try await pair.ada.conversation(with: "Bob")?.hidden == nil)
                #expect(
                    try await pair.ada.parlance("conversation", "hide", "Bob", "--json").output.contains(
                        "\"hidden\":true"
                    )
                )
                try await pair.ada.kill()
                try await pair.ada.start()
                #expect(try await pair.ada.conversation(with: "Bob")?.hidden == true)
                try await pair.ada.send("hello", to: "Bob")
                #expect(try await pair.ada.conversation(with: "Bob")?.hidden == nil)
            }
        }

        @Test func theDiskIsToldByConversation() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                try await crew.ada.send(String(repeating: "long ", count: 2_000), to: "Crew")
                let disk = try await crew.ada.ask(DiskOperation())
                let entry = try #require(disk.conversations.first)
                #expect(entry.title == "Crew" && entry.messageBytes > 10_000 && entry.messages > 0)
                #expect(disk.conversations.map(\.bytes) == disk.conversations.map(\.bytes).sorted(by: >))
                #expect(disk.store > 10_000 && (disk.free ?? 0) > 0)
                #expect(disk.reserve == Limits.diskReserveFileBytes)
                let text = try await crew.ada.parlance("disk").output
                #expect(text.contains("Crew") && text.contains("The database: ") && text.contains("Free on the disk: "))
                #expect(text.contains("room can be made when the disk is full: 1.0 MiB"))
                #expect(try await crew.ada.parlance("disk", "--json").output.contains("\"messageBytes\""))
                try await eventually("it is delivered") { try await crew.ada.ask(OutboxOperation()).total == 0 }
                _ = try await clear("clear", "Crew", crew.ada)
                try await eventually("there is room again") {
                    let entry = try await crew.ada.ask(DiskOperation()).conversations.first { $0.title == "Crew" }
                    return entry.map { $0.messageBytes < 10_000 } ?? false
                }
            }
        }

        @Test func whatIsNotThereIsRefused() async throws {
            try await Lab.run { lab in
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                for verb in ["clear", "delete", "hide", "show"] {
                    let words = ["conversation", verb, "Bob"] + (verb == "clear" || verb == "delete" ? ["--yes"] : [])
                    let refused = try await node.parlance(words)
                    Refusal.given("Nobody here is called").check(refused, of: verb)
                }
            }
        }
    }
}
