import ParlanceAssistant
import ParlanceRandom
import Testing

@Suite struct ChatRequestTests {
    private static let context: [ChatMessage] = [
        .init(.user, "one one one"), .init(.assistant, "two two two"), .init(.user, "three three"),
        .init(.assistant, "four four"),
    ]
    private static let request = ChatRequest(
        messages: [.init(.system, "Be brief.")] + context + [.init(.user, "Why?")],
        maximumTokens: 10
    )

    @Test func itCountsBytesThenMessagesThenTheAnswer() {
        #expect(ChatRequest.estimatedTokens(of: "") == 0)
        #expect(ChatRequest.estimatedTokens(of: "abcd") == 2)
        #expect(ChatRequest.estimatedTokens(of: "漢字") == 2)
        #expect(ChatRequest(messages: [.init(.user, "abc")], maximumTokens: 5).estimatedTokens == 12)
        let schema = ChatRequest(messages: [.init(.user, "abc")], maximumTokens: 5, schema: ["type": "object"])
        #expect(schema.estimatedTokens == 12 + 6)
    }

    @Test func aRequestThatFitsStaysAsItIs() throws {
        #expect(Self.request.fits(Self.request.estimatedTokens))
        #expect(try Self.request.fitting(Self.request.estimatedTokens) == Self.request)
    }

    @Test func theOldestContextGoesFirst() throws {
        let shorter = try Self.request.fitting(Self.request.estimatedTokens - 1)
        #expect(shorter.messages.map(\.content) == ["Be brief.", "three three", "four four", "Why?"])
    }

    @Test func theSystemPromptAndTheQuestionNeverGo() throws {
        let least = ChatRequest(messages: [.init(.system, "Be brief."), .init(.user, "Why?")], maximumTokens: 10)
        #expect(try Self.request.fitting(least.estimatedTokens) == least)
        let error = ModelServerError.overBudget(tokens: least.estimatedTokens, budget: least.estimatedTokens - 1)
        #expect(throws: error) { try Self.request.fitting(least.estimatedTokens - 1) }
    }

    @Test func theAnswerHasALimit() {
        #expect(ChatRequest(messages: [], maximumTokens: .max).maximumTokens == ModelServerLimits.answerTokens)
        #expect(ChatRequest(messages: [], maximumTokens: -1).maximumTokens == 1)
    }

    @Test func whatIsTrimmedFitsAndKeepsItsOrder() throws {
        var random = SplitMix.printingSeed()
        let roles: [ChatMessage.Role] = [.system, .user, .assistant]
        for _ in 0..<200 {
            let messages = (0..<Int.random(in: 1...12, using: &random)).map { number in
                let filler = String(repeating: "x", count: Int.random(in: 0...60, using: &random))
                return ChatMessage(roles.randomElement(using: &random) ?? .user, "\(number)\(filler)")
            }
            let request = ChatRequest(messages: messages, maximumTokens: 1)
            let budget = Int.random(in: 0...request.estimatedTokens, using: &random)
            guard let short = try? request.fitting(budget) else { continue }
            #expect(short.fits(budget))
            let kept = messages.filter { short.messages.contains($0) }
            #expect(kept == short.messages)
            #expect(short.messages.filter { $0.role == .system } == messages.filter { $0.role == .system })
            #expect(short.messages.last { $0.role == .user } == messages.last { $0.role == .user })
        }
    }
}
