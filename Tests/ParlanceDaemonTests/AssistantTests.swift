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

        /// A server with OpenAI's interface: it lists one model, and answers each question with two citations.
        private static let server = #"""
            import http.server, json, sys
            class Answers(http.server.BaseHTTPRequestHandler):
                def log_message(self, *words): pass
                def reply(self, kind, text):
                    self.send_response(200)
                    self.send_header("Content-Type", kind)
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text.encode())
                def do_GET(self):
                    self.reply("application/json", json.dumps({"data": [{"id": "small"}]}))
                def do_POST(self):
                    asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                    known = "[1] Bob" in asked["messages"][1]["content"] and asked["model"] == "small"
                    text = "At nine [1][7]." if known else "What?"
                    if asked.get("response_format"):
                        good = {"summary": "It leaves [1][9].", "decisions": [{"text": "none", "message": 9}],
                            "actions": [{"task": "be there", "assignee": "Mallory", "deadline": "soon", "priority": "high",
                                "done": False, "message": 1}]}
                        isRepair = "was not valid" in asked["messages"][1]["content"]
                        text = json.dumps(good) if isRepair else "Sure: " + json.dumps(good)
                    piece = {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]}
                    self.reply("text/event-stream", "data: " + json.dumps(piece) + "\n\ndata: [DONE]\n\n")
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
            print(server.server_port, flush=True)
            server.serve_forever()
            """#

        @Test func aChatModelAnswersFromTheMessagesAlone() async throws {
            let python = Process()
            let output = Pipe()
            python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            python.arguments = ["-c", Self.server]
            python.standardOutput = output
            try python.run()
            defer { kill(python.processIdentifier, SIGKILL) }
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let address = "http://127.0.0.1:\(line.trimmingCharacters(in: .whitespacesAndNewlines))"
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
                kill(python.processIdentifier, SIGKILL)
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
