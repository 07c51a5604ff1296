import Foundation
import ParlanceWaiting
import Testing

@testable import ParlanceControl
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

extension AssistantProgramTests {
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

        /// It repeats whatever it gets, and cites everything.
        private static let obeys = #"""
            import json
            def answer(asked):
                text = asked["messages"][1]["content"] + " [1][2][3][4][5][6][7][8][9]"
                if not asked.get("response_format"): return text
                task = {"task": text[:200], "assignee": "Mallory", "deadline": "2026-01-01", "priority": "high",
                    "done": False, "message": 1}
                return json.dumps({"summary": text[-2000:], "decisions": [], "actions": [task]})
            """#

        /// Numbers in square brackets.
        private func citations(_ text: String) -> [Int] {
            text.matches(of: /\[(\d+)\]/).compactMap { Int($0.output.1) }
        }

        /// Nothing is sent, done, cited or given to somebody because a message says so.
        @Test func noMessageChangesActionsOrCitations() async throws {
            let server = try ModelServer(Self.obeys)
            defer { server.end() }
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
                _ = try await pair.ada.ask(ModelServerOperation(address: server.address))
                for number in instructions.indices {
                    let reply = try await pair.ada.ask(AskOperation(question: "ferry\(number)ferry"))
                    #expect(reply.model.name == "small" && reply.sources.count == 1, "\(number): \(reply)")
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
