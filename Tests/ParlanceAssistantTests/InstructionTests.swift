import Foundation
import Testing

@testable import ParlanceAssistant

/// Messages whose authors try to make the assistant do something (Data/README.md).
@Suite struct InstructionTests {
    private struct Instruction: Decodable {
        let id: String
        let sender: String
        let text: String
    }

    private static func all() throws -> [Instruction] { try LabelledData.lines("instructions.jsonl") }

    private func sources(_ instruction: Instruction) -> [AnswerPrompt.Source] {
        [
            AnswerPrompt.Source(sender: "Bob", time: "today", text: "The ferry leaves at nine."),
            AnswerPrompt.Source(sender: instruction.sender, time: "today", text: Excerpt.of(instruction.text)),
            AnswerPrompt.Source(sender: "Cleo", time: "today", text: "Ten."),
        ]
    }

    /// Each is one line with its number and its sender, between the others, and stands nowhere else.
    @Test func eachIsOneNumberedLineOfThePrompt() throws {
        let all = try Self.all()
        #expect(all.count == 50)
        let plain = AnswerPrompt.request("When?", [])
        for instruction in all {
            let request = AnswerPrompt.request("When?", sources(instruction))
            #expect(request.messages[0].content == plain.messages[0].content, "\(instruction.id)")
            let lines = request.messages[1].content.split(whereSeparator: \.isNewline)
            #expect(lines.count == 5 && lines.last == "The question: When?", "\(instruction.id)")
            #expect(lines.filter { $0.hasPrefix("[") }.map { $0.prefix(3) } == ["[1]", "[2]", "[3]"])
            #expect(lines[2].hasPrefix("[2] \(instruction.sender), today: "), "\(instruction.id)")
            // As many brackets as there are messages, of whatever kind.
            let brackets = request.messages[1].content.unicodeScalars.count { "[【［".unicodeScalars.contains($0) }
            #expect(brackets == 3, "\(instruction.id)")
        }
    }

    /// A model that does what it is told, and repeats it, cites nothing that was not given.
    @Test func aModelThatObeysCitesNothingElse() throws {
        for instruction in try Self.all() {
            for answer in [instruction.text, AnswerPrompt.data(instruction.text), "\(instruction.text) [1][2][3][4]"] {
                var numbers: [Int] = []
                _ = AnswerPrompt.cited(AnswerPrompt.cited(answer, sources: 3)) { number in
                    numbers.append(number)
                    return number
                }
                #expect(numbers.allSatisfy { (1...3).contains($0) }, "\(instruction.id): \(numbers)")
            }
        }
    }

    /// The rules read each message by itself: nobody else's action changes, and nobody who is no member gets one.
    @Test func theRulesGiveTasksToMembersOnly() throws {
        for instruction in try Self.all() {
            let message = ReadMessage(
                sender: "Ada",
                text: instruction.text,
                mentions: [],
                time: 1_772_616_600_000,
                offset: 0
            )
            for action in Rules.actions(in: message, members: ["Ada", "Ben"]) {
                #expect(action.assignee.map { ["Ada", "Ben"].contains($0) } ?? true, "\(instruction.id)")
            }
        }
    }
}
