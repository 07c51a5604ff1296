import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// Messages of a group that nobody can get any more are shown as failed, never as waiting.
    @Suite struct StrandedTests {
        @Test func whatNobodyIsThereToGetHasFailed() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                #expect(try await pair.ada.parlance("group", "create", "Duo", "Bob").code == 0)
                try await pair.ada.send("heard", to: "Duo")
                try await pair.bob.reads(["heard"], in: "Duo")
                try await pair.ada.deliversAll()
                try await pair.bob.kill()
                try await pair.ada.sees("Bob", "not connected") { !$0.connected }
                let sent = try await pair.ada.send("to nobody", to: "Duo")
                #expect(try await pair.ada.outbox().map(\.id) == [sent.id])
                #expect(try await pair.ada.parlance("group", "remove", "Duo", "Bob").code == 0)

                let shown = try await pair.ada.messages(in: "Duo")
                #expect(shown.map(\.status) == [nil, .failed])
                let reason = "all its recipients have left the group"
                #expect(try await pair.ada.parlance("history", "Duo").output.contains("to nobody  [failed: \(reason)]"))
                #expect(try await pair.ada.outbox().isEmpty)
                let refusal = Refusal.given("Nobody else is in this group any more", "parlance group add")
                refusal.check(try await pair.ada.parlance("send", "Duo", "hello?"), of: "writing to nobody")
                refusal.check(try await pair.ada.parlance("reply", sent.id, "hello?"), of: "answering to nobody")

                // When Bob is added again he gets the history, and the message has no longer failed.
                try await pair.bob.start()
                #expect(try await pair.ada.parlance("group", "add", "Duo", "Bob").code == 0)
                try await pair.bob.reads(["heard", "to nobody"], in: "Duo", within: .seconds(40))
                try await pair.ada.shows(sent.id, in: "Duo", "without a failure") { $0.status == nil }
                try await pair.ada.send("here again", to: "Duo")
                try await pair.bob.reads(["heard", "to nobody", "here again"], in: "Duo")
            }
        }

        /// Who is no member can still take back what nobody else is shown, and try nothing again.
        private func cancels(
            _ id: String,
            but other: String,
            _ node: LabNode,
            _ watcher: Watcher
        ) async throws {
            #expect(try await node.parlance("outbox", "cancel", id).code == 0)
            try await watcher.sees("withdrawn") { $0["id"]?.text == id }
            #expect(try await node.outbox().map(\.id) == [other])
            #expect(try await node.messages(in: "Crew").map(\.text) == ["in time", "too late"])
            for retried in [other, "last"] {
                Refusal.given("That message can no longer be sent", "parlance outbox cancel")
                    .check(try await node.parlance("outbox", "retry", retried), of: "trying it again")
            }
        }

        /// Bob goes on writing without knowing that he was removed.
        @Test func whatSomebodyRemovedWroteHasFailedForHim() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                let alone = try await crew.ada.group("Crew")
                #expect(alone?.members.count == 3)
                try await crew.bob.send("in time", to: "Crew")
                for node in crew.all { try await node.reads(["in time"], in: "Crew") }
                try await crew.bob.kill()
                #expect(try await crew.ada.parlance("group", "remove", "Crew", "Bob").code == 0)
                try await crew.cleo.has("Crew") { $0.members.count == 2 }
                for node in [crew.ada, crew.cleo] { try await node.kill() }
                try await crew.bob.start()
                let watcher = try await Watcher(crew.bob, events: "peer,changed,withdrawn")
                let other = try await crew.bob.send("sorry", to: "Crew")
                let sent = try await crew.bob.send("too late", to: "Crew")
                try await crew.ada.start()
                try await crew.bob.has("Crew", within: .seconds(40)) { !$0.isMember }

                let reason = "an admin removed you from the group before receiving it"
                let late = try await crew.bob.shows(sent.id, in: "Crew", "failed") {
                    $0.waitingReason?.english == reason
                }
                #expect(late.text == "too late" && late.status == .failed)
                try await watcher.sees("changed") { $0["id"]?.text == sent.id && $0["status"]?.text == "failed" }
                #expect(try await crew.bob.messages(in: "Crew").map(\.text) == ["in time", "sorry", "too late"])
                let failed = try await crew.bob.outbox()
                #expect(failed.map(\.id) == [other.id, sent.id] && failed.allSatisfy { $0.final == true })
                #expect(failed.map(\.why.english) == [reason, reason])
                let counts = try await crew.bob.status().counts
                #expect(counts.failed == 2 && counts.outbox == 0)
                try await cancels(other.id, but: sent.id, crew.bob, watcher)
                #expect(try await crew.ada.messages(in: "Crew").map(\.text) == ["in time"])
                // The message can be asked about, although nothing can be done to it.
                let info = try await crew.bob.parlance("info", String(sent.id.prefix(12)))
                #expect(info.code == 0 && info.output.contains("too late"), "\(info.errors)")
                for command in [["edit", sent.id, "again"], ["reply", sent.id, "again"], ["delete", sent.id]] {
                    Refusal.given("That message counts for nobody", "sent again")
                        .check(try await crew.bob.parlance(command), of: "doing something to it")
                }
                // It is the newest of his own, though it counts for nobody.
                for last in ["last", "last:Crew"] {
                    #expect(try await crew.bob.ask(InfoOperation(id: last)).message.id == sent.id)
                }
                Refusal.given("That message counts for nobody", "sent again")
                    .check(try await crew.bob.parlance("delete", "last"), of: "deleting the last one")
                // The message is also in a history that is read page by page.
                #expect(try await crew.bob.history(with: "Crew", page: 1).filter { $0.note == nil }.count == 2)

                // After Bob is added again, he still sees the message, and nobody else does.
                #expect(try await crew.ada.parlance("group", "add", "Crew", "Bob").code == 0)
                try await crew.bob.has("Crew", within: .seconds(40)) { $0.isMember }
                try await eventually("Bob can write again") {
                    try await crew.bob.parlance("send", "Crew", "back").code == 0
                }
                try await crew.ada.reads(["in time", "back"], in: "Crew")
                #expect(try await crew.bob.messages(in: "Crew").map(\.text) == ["in time", "too late", "back"])
                try await crew.bob.shows(sent.id, in: "Crew", "failed") { $0.status == .failed }

                // Once he has taken it back, nobody sees it.
                let removed = try await crew.bob.parlance("outbox", "cancel", sent.id)
                let words = "Removed from your history and the outbox. Nobody else sees it.\n"
                #expect(removed.code == 0 && removed.output.hasSuffix(words), "\(removed)")
                #expect(try await crew.bob.outbox().allSatisfy { $0.id != sent.id })
                #expect(try await crew.bob.messages(in: "Crew").map(\.text) == ["in time", "back"])
            }
        }
    }
}
