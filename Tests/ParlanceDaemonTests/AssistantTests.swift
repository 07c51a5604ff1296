import Foundation
import ParlanceWaiting
import Testing

@testable import ParlanceControl
@testable import ParlanceDaemon

extension ProgramTests {
    /// The assistant of a running daemon, without a model.
    @Suite struct AssistantTests {
        private func tasks(_ node: LabNode) async throws -> [String] {
            try await node.ask(ActionsOperation(who: "Bob")).actions.map { "\($0.task) \($0.done)" }
        }

        private func turnOn(_ node: LabNode) async throws {
            #expect(try await node.ask(AssistantOperation(on: true)).on)
            try await eventually("all is read") { try await node.ask(AssistantOperation()).reading == nil }
        }

        @Test func whatWasWrittenBeforeIsFoundAndWhatComesToo() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await pair.bob.send("Please order the pump filters by Friday.", to: "Ada")
                try await pair.bob.send("Agreed, we go with the blue paint.", to: "Ada")
                try await pair.bob.send("The ferry to Sylt leaves at nine from pier three.", to: "Ada")
                try await eventually("they come") { try await pair.ada.texts(with: "Bob").count >= 3 }
                try await turnOn(pair.ada)
                let actions = try await pair.ada.ask(ActionsOperation())
                #expect(actions.actions.count == 1 && actions.model == .rules, "\(actions)")
                #expect(actions.actions.first?.task.contains("filters") == true)
                #expect(actions.actions.first?.deadline?.count == 10)
                let decisions = try await pair.ada.ask(DecisionsOperation()).decisions
                #expect(decisions.map(\.text) == ["Agreed, we go with the blue paint"])
                // Another form of a word, and words in another order.
                let answer = try await pair.ada.ask(AskOperation(question: "From which pier do the ferries leave?"))
                #expect(answer.sources.first?.excerpt == "The ferry to Sylt leaves at nine from pier three.")
                #expect(try await pair.ada.ask(AskOperation(question: "Who plays the violin?")).sources.isEmpty)
                // What comes later, and what changes.
                try await pair.bob.send("I will call the yard tomorrow.", to: "Ada")
                try await eventually("it is read") { try await tasks(pair.ada).count == 2 }
                let call = try #require(
                    try await pair.ada.ask(ActionsOperation()).actions.first { $0.assignee == "Bob" }
                )
                let deleted = try await pair.bob.parlance("delete", call.source.id)
                #expect(deleted.code == 0, "\(deleted)")
                try await eventually("it goes with its message") { try await tasks(pair.ada).count == 1 }
                let summary = try await pair.ada.ask(SummaryOperation(who: "Bob"))
                #expect(summary.points.contains { $0.excerpt.contains("ferry") } && summary.actions.count == 1)
            }
        }

        @Test func whatIsDoneStaysDoneOverAStartAndOffForgetsIt() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await turnOn(pair.ada)
                try await pair.bob.send("Please order the pump filters by Friday.", to: "Ada")
                try await eventually("it is read") { try await tasks(pair.ada).count == 1 }
                let id = try #require(try await pair.ada.ask(ActionsOperation()).actions.first?.id)
                let done = try await pair.ada.parlance("actions", "done", id)
                #expect(done.code == 0 && done.output.hasPrefix("[x]"), "\(done)")
                try await pair.ada.kill()
                try await pair.ada.start()
                try await eventually("it is on again") { try await pair.ada.ask(AssistantOperation()).reading == nil }
                #expect(try await tasks(pair.ada).allSatisfy { $0.hasSuffix("true") })
                #expect(try await pair.ada.ask(ActionsOperation(due: true)).actions.isEmpty)
                #expect(try await pair.ada.ask(AssistantOperation(on: false)).on == false)
                let refused = try await pair.ada.parlance("actions")
                #expect(refused.code == 1 && refused.errors.contains("parlance assistant on"), "\(refused)")
                let files = try FileManager.default.contentsOfDirectory(atPath: pair.ada.folder.path)
                #expect(!files.contains { $0.hasPrefix("assistant") }, "\(files)")
            }
        }

        /// What is urgent comes first, and only what is unread.
        @Test func unreadMessagesAreOrderedByUrgency() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await turnOn(pair.ada)
                _ = try await pair.ada.ask(ReadOperation(who: "Bob"))
                try await pair.bob.send("Nice weather here.", to: "Ada")
                try await pair.bob.send("URGENT: the bilge pump is down, Ada, please come at once!", to: "Ada")
                try await pair.bob.send("See you.", to: "Ada")
                try await eventually("they are ordered") {
                    let found = try await pair.ada.ask(PriorityOperation()).messages
                    return found.count == 3 && found[0].priority == .high && found[0].source.excerpt.contains("bilge")
                }
            }
        }
    }
}
