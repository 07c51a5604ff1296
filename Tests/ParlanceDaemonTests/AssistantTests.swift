import Foundation
import ParlanceWaiting
import Testing

@testable import ParlanceControl
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

extension AssistantProgramTests {
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
                // What somebody who is blocked wrote is not given.
                #expect(try await pair.ada.parlance("block", "Bob").code == 0)
                #expect(try await pair.ada.ask(ActionsOperation()).actions.isEmpty)
                #expect(try await pair.ada.ask(AskOperation(question: "ferry")).sources.isEmpty)
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
                try await eventually("it is on again") {
                    let info = try await pair.ada.ask(AssistantOperation())
                    return info.on && info.reading == nil
                }
                #expect(try await tasks(pair.ada).map { $0.hasSuffix("true") } == [true])
                #expect(try await pair.ada.ask(ActionsOperation(due: true)).actions.isEmpty)
                #expect(try await pair.ada.ask(AssistantOperation(on: false)).on == false)
                let refused = try await pair.ada.parlance("actions")
                #expect(refused.code == 1 && refused.errors.contains("parlance assistant on"), "\(refused)")
                let files = try FileManager.default.contentsOfDirectory(atPath: pair.ada.folder.path)
                #expect(!files.contains { $0.hasPrefix("assistant") }, "\(files)")
            }
        }

        /// Two citations; in JSON only if it is asked a second time.
        private static let answer = #"""
            import json
            def answer(asked):
                content = asked["messages"][1]["content"]
                if not asked.get("response_format"):
                    return "At nine [1][7]." if "[1] Bob" in content and asked["model"] == "small" else "What?"
                good = {"summary": "It leaves [1][9].", "decisions": [{"text": "none", "message": 9}],
                    "actions": [{"task": "be there", "assignee": "Mallory", "deadline": "soon", "priority": "high",
                        "done": False, "message": 1}]}
                return json.dumps(good) if "was not valid" in content else "Sure: " + json.dumps(good)
            """#

        @Test func aChatModelAnswersFromTheMessagesAlone() async throws {
            let server = try ModelServer(Self.answer)
            defer { server.end() }
            let address = server.address
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await pair.bob.send("The ferry to Sylt leaves at nine from pier three.", to: "Ada")
                try await turnOn(pair.ada)
                try await eventually("it is read") { try await pair.ada.ask(AssistantOperation()).messages ?? 0 > 0 }
                let used = try await pair.ada.ask(ModelServerOperation(address: address))
                #expect(used.chat == ModelInfo(name: "small", address: address))
                let reply = try await pair.ada.ask(AskOperation(question: "When does the ferry leave?"))
                #expect(reply.answer == "At nine [1]." && reply.problem == nil && reply.sources.count == 1)
                #expect(reply.model == ModelInfo(name: "small", address: address))
                // A summary is JSON, repaired once. What names no message, no member and no day is left out.
                let summary = try await pair.ada.ask(SummaryOperation(who: "Bob"))
                #expect(summary.answer == "It leaves [1]." && summary.problem == nil, "\(summary)")
                #expect(summary.points.count == 1 && summary.decisions.isEmpty)
                let action = try #require(summary.actions.first)
                #expect(action.task == "be there" && action.assignee == nil && action.deadline == nil)
                // Without the server the messages stand for themselves, and it says why.
                server.end()
                try await eventually("it is gone") {
                    let alone = try await pair.ada.ask(AskOperation(question: "When does the ferry leave?"))
                    return alone.answer == nil && alone.sources.count == 1 && alone.model == .rules
                        && alone.problem != nil
                }
                // Nothing is asked elsewhere.
                let outside = try await pair.ada.parlance("assistant", "server", "http://192.0.2.7:80")
                #expect(outside.code == 65 && outside.errors.contains("--outside"), "\(outside)")
                #expect(try await pair.ada.ask(ModelServerOperation()).chat == nil)
            }
        }

        /// What was missed came after the user's own last message.
        @Test func whatWasMissedCameAfterOnesOwnLastMessage() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await turnOn(pair.ada)
                try await pair.bob.send("The pump in the engine room leaks.", to: "Ada")
                try await eventually("it comes") {
                    try await pair.ada.ask(SummaryOperation(who: "Bob", missed: true)).messages > 0
                }
                try await pair.ada.send("I look at it.", to: "Bob")
                let none = try await pair.ada.ask(SummaryOperation(who: "Bob", missed: true))
                #expect(none.messages == 0 && none.since != nil, "\(none)")
                try await pair.bob.send("The seal of the pump is broken, we order a new one.", to: "Ada")
                try await eventually("it is missed") {
                    let missed = try await pair.ada.ask(SummaryOperation(who: "Bob", missed: true))
                    return missed.messages == 1 && missed.points.map(\.excerpt).allSatisfy { $0.contains("seal") }
                }
            }
        }

        private static let model = ProcessInfo.processInfo.environment["PARLANCE_MODEL"]

        /// Words alone are searched for by their meaning too: not fields, and not on later pages.
        @Test(.enabled(if: model != nil, "needs PARLANCE_MODEL, a folder with the model"))
        func wordsAloneAreSearchedForByTheirMeaning() async throws {
            let model = try #require(Self.model)
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await pair.bob.send("The ferry leaves at nine.", to: "Ada")
                try await pair.bob.send("A ship was seen.", to: "Ada")
                try await turnOn(pair.ada)
                let without = try await pair.ada.ask(SearchOperation(query: "ship departure time", near: true))
                #expect(without.near == nil, "without the model")
                #expect(try await pair.ada.ask(ModelInstallOperation(path: model)).model == .miniLM)
                try await eventually("all is read") {
                    let info = try await pair.ada.ask(AssistantOperation())
                    return info.messages ?? 0 >= 2 && info.reading == nil
                }
                let found = try await pair.ada.ask(SearchOperation(query: "ship departure time", near: true))
                #expect(found.hits.isEmpty && found.near?.model == .miniLM, "\(found)")
                #expect(found.near?.sources.contains { $0.excerpt == "The ferry leaves at nine." } == true)
                let both = try await pair.ada.ask(SearchOperation(query: "ship", near: true))
                #expect(both.hits.map(\.excerpt.text) == ["A ship was seen."])
                #expect(both.near?.sources.map(\.id).contains(both.hits[0].id) != true, "it is among the hits")
                for query in ["ship from:Bob", "shi*", "\"a ship\""] {
                    #expect(try await pair.ada.ask(SearchOperation(query: query, near: true)).near == nil, "\(query)")
                }
                #expect(try await pair.ada.ask(SearchOperation(query: "ship", offset: 1, near: true)).near == nil)
                let refused = try await pair.ada.parlance("search", "--meaning", "ship from:Bob")
                #expect(refused.code == 65 && refused.errors.contains("words alone"), "\(refused)")
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
