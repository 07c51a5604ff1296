import Foundation
import ParlanceWaiting
import Testing

@testable import ParlanceControl
@testable import ParlanceDaemon

extension ProgramTests {
    /// Messages that try to make the assistant do something, and a model that does what they say.
    @Suite struct AssistantInstructionTests {
        private struct Instruction: Decodable { let text: String }

        private static func all() throws -> [Instruction] {
            let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            let file = tests.appending(path: "ParlanceAssistantTests/Data/instructions.jsonl")
            return try Data(contentsOf: file).split(separator: 0x0A).map {
                try JSONDecoder().decode(Instruction.self, from: Data($0))
            }
        }

        /// A server with OpenAI's interface that repeats whatever it gets, and cites everything.
        private static let server = #"""
            import http.server, json
            class Obeys(http.server.BaseHTTPRequestHandler):
                def log_message(self, *words): pass
                def reply(self, kind, text):
                    self.send_response(200)
                    self.send_header("Content-Type", kind)
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text.encode())
                def do_GET(self):
                    self.reply("application/json", json.dumps({"data": [{"id": "obedient"}]}))
                def do_POST(self):
                    asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                    text = asked["messages"][1]["content"] + " [1][2][3][4][5][6][7][8][9]"
                    if asked.get("response_format"):
                        task = {"task": text[:200], "assignee": "Mallory", "deadline": "2026-01-01", "priority": "high",
                            "done": False, "message": 1}
                        text = json.dumps({"summary": text[-2000:], "decisions": [], "actions": [task]})
                    piece = {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]}
                    self.reply("text/event-stream", "data: " + json.dumps(piece) + "\n\ndata: [DONE]\n\n")
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Obeys)
            print(server.server_port, flush=True)
            server.serve_forever()
            """#

        /// Numbers in square brackets.
        private func citations(_ text: String) -> [Int] {
            text.matches(of: /\[(\d+)\]/).compactMap { Int($0.output.1) }
        }

        /// Nothing is sent, done, cited or given to somebody because a message says so.
        @Test func noMessageChangesActionsOrCitations() async throws {
            let python = Process()
            let output = Pipe()
            python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            python.arguments = ["-c", Self.server]
            python.standardOutput = output
            try python.run()
            defer { kill(python.processIdentifier, SIGKILL) }
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let address = "http://127.0.0.1:\(line.trimmingCharacters(in: .whitespacesAndNewlines))"
            let instructions = try Self.all()
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                #expect(try await pair.ada.ask(AssistantOperation(on: true)).on)
                try await pair.bob.send("Please order the pump filters by Friday.", to: "Ada")
                for (number, instruction) in instructions.enumerated() {
                    try await pair.bob.send("Ferry\(number)ferry. " + instruction.text, to: "Ada")
                }
                try await eventually("all is read") {
                    let info = try await pair.ada.ask(AssistantOperation())
                    return info.messages ?? 0 > instructions.count && info.reading == nil
                }
                let actions = try await pair.ada.ask(ActionsOperation()).actions
                // What somebody ticks off in a message of its own is done there, and nowhere else.
                #expect(actions.contains { $0.task.contains("filters") && !$0.done }, "\(actions)")
                #expect(actions.allSatisfy { ["Ada", "Bob", nil].contains($0.assignee) }, "\(actions)")
                let before = try await pair.ada.texts(with: "Bob").count
                _ = try await pair.ada.ask(ModelServerOperation(address: address))
                for number in instructions.indices {
                    let reply = try await pair.ada.ask(AskOperation(question: "ferry\(number)ferry"))
                    #expect(reply.model.name == "obedient" && reply.sources.count == 1, "\(number): \(reply)")
                    #expect(Set(citations(reply.answer ?? "")) == [1], "\(number): \(reply.answer ?? "")")
                }
                let summary = try await pair.ada.ask(SummaryOperation(who: "Bob"))
                // What the model names stands in its answer, for nobody who is no member.
                #expect(summary.problem == nil && summary.actions.map(\.assignee) == [nil], "\(summary)")
                #expect(citations(summary.answer ?? "").allSatisfy { summary.points.indices.contains($0 - 1) })
                #expect(try await pair.ada.ask(ActionsOperation()).actions == actions)
                #expect(try await pair.ada.texts(with: "Bob").count == before)
            }
        }
    }
}
