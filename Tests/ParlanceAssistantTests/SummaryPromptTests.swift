import Foundation
import Testing

@testable import ParlanceAssistant

@Suite struct SummaryPromptTests {
    private func messages(_ texts: [String]) -> [AnswerPrompt.Source] {
        texts.map { AnswerPrompt.Source(sender: "Bob", time: "today", text: $0) }
    }

    @Test func theFirstMessagesAreLeftOutIfThereIsNoRoom() {
        let all = messages((0..<200).map { "message number \($0) " + String(repeating: "x", count: 200) })
        let (request, left) = SummaryPrompt.request(all, members: ["Ada", "Bob"])
        #expect(left > 0 && left < 200)
        #expect(request.fits(ModelServerLimits.tokenBudget - AssistantLimits.answerTokens))
        let content = request.messages[1].content
        #expect(content.contains("[1] Bob, today: message number \(left) ") && content.contains("message number 199 "))
        let few = SummaryPrompt.request(messages(["one", "two"]), members: [])
        #expect(
            few.leftOut == 0 && few.request.messages[1].content.hasSuffix("[1] Bob, today: one\n[2] Bob, today: two")
        )
        // One that has no room by itself is asked for all the same, and the server's error is told.
        #expect(SummaryPrompt.request(messages([String(repeating: "x", count: 99_999)]), members: []).leftOut == 0)
    }

    @Test func itsFormIsThatOfTheAnswer() throws {
        let text = #"{"summary":"s","decisions":[],"actions":[{"task":"t","message":1,"assignee":null}]}"#
        let answer = try JSONAnswer<SummaryPrompt.Answer>.decode(text)
        #expect(answer.actions == [SummaryPrompt.Answer.Action(task: "t", message: 1)])
        let schema = String(decoding: try JSONEncoder().encode(SummaryPrompt.schema), as: UTF8.self)
        for name in ["summary", "decisions", "actions", "task", "assignee", "deadline", "priority", "done", "message"] {
            #expect(schema.contains("\"\(name)\""))
        }
    }

    /// A summary's citations count from 1 in the order in which they come.
    @Test func citationsAreRenumbered() {
        var named: [Int] = []
        let text = AnswerPrompt.cited("a [40] b [7][40] c [99]") { number in
            guard number < 50 else { return nil }
            if !named.contains(number) { named.append(number) }
            return named.firstIndex(of: number).map { $0 + 1 }
        }
        #expect(text == "a [1] b [2][1] c " && named == [40, 7])
    }
}
