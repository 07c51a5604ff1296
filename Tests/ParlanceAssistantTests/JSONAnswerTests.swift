import ParlanceAssistant
import Testing

@Suite struct JSONAnswerTests {
    private struct Verdict: Decodable, Equatable, Sendable {
        let good: Bool
        let tags: [String]
    }

    /// Answers with the given texts in turn and keeps what it was asked.
    private actor Model {
        private var answers: [String]
        private(set) var asked: [ChatRequest] = []

        init(_ answers: String...) { self.answers = answers }

        func answer(_ request: ChatRequest) -> ChatAnswer {
            asked.append(request)
            return ChatAnswer(text: answers.removeFirst(), model: nil, finishReason: .stop)
        }
    }

    private static let request = ChatRequest(
        messages: [.init(.system, "s"), .init(.user, "old"), .init(.assistant, "older"), .init(.user, "Judge.")]
    )
    private static let good = #"{"good":true,"tags":["a"]}"#

    @Test(arguments: [
        good, "  \n\(good)\n", "```json\n\(good)\n```", "\n```json\r\n\(good)\r\n```\n", "```\n\(good)```",
    ])
    func itReadsJSONAloneOrInOneFence(text: String) throws {
        #expect(try JSONAnswer<Verdict>.decode(text) == Verdict(good: true, tags: ["a"]))
    }

    @Test(arguments: [
        ("", "not JSON"), ("Sure! \(good)", "not JSON"), ("\(good) Done.", "not JSON"), ("\(good)\(good)", "not JSON"),
        ("```json\n```json\n\(good)\n```\n```", "not JSON"), ("```json \(good)", "not JSON"), ("[]", "$ must be"),
        (#"{"good":true}"#, "$.tags is missing"), (#"{"good":1,"tags":[]}"#, "$.good must be Bool"),
        (#"{"good":true,"tags":["a",2]}"#, "$.tags[1] must be String"),
        (#"{"good":null,"tags":[]}"#, "$.good must be Bool"),
    ])
    func itNeverGuesses(text: String, reason: String) {
        let error = #expect(throws: ModelServerError.self) { try JSONAnswer<Verdict>.decode(text) }
        guard case .invalidJSON(text, let found) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(found.hasPrefix(reason))
    }

    @Test func aGoodAnswerIsAskedForOnce() async throws {
        let model = Model(Self.good)
        let verdict = try await JSONAnswer<Verdict>.ask(Self.request, budget: 4096) { await model.answer($0) }
        #expect(verdict.good)
        #expect(await model.asked == [Self.request])
    }

    @Test func anInvalidAnswerIsRepairedOnce() async throws {
        let model = Model(#"{"good":true}"#, Self.good)
        let verdict = try await JSONAnswer<Verdict>.ask(Self.request, budget: 4096) { await model.answer($0) }
        #expect(verdict.good)
        let second = try #require(await model.asked.last)
        #expect(second.messages.dropLast() == Self.request.messages.dropLast())
        let question = try #require(second.messages.last?.content)
        #expect(question.hasPrefix("Judge."))
        #expect(question.contains("$.tags is missing"))
        #expect(question.contains(#"{"good":true}"#))
    }

    @Test func aSecondInvalidAnswerIsAnError() async throws {
        let model = Model("no", "never")
        await #expect(throws: ModelServerError.invalidJSON(answer: "never", reason: "not JSON")) {
            try await JSONAnswer<Verdict>.ask(Self.request, budget: 4096) { await model.answer($0) }
        }
        #expect(await model.asked.count == 2)
    }

    @Test func theRepairGivesUpContextButNotTheQuestion() async throws {
        let model = Model("no", Self.good)
        let budget = 1150
        let request = ChatRequest(
            messages: [.init(.user, String(repeating: "x", count: 300)), .init(.user, "Judge.")],
            maximumTokens: 1000
        )
        _ = try await JSONAnswer<Verdict>.ask(request, budget: budget) { await model.answer($0) }
        let second = try #require(await model.asked.last)
        #expect(second.messages.count == 1)
        #expect(second.fits(budget))
    }

    @Test func withoutRoomForTheRepairTheFirstErrorCounts() async throws {
        let model = Model("no")
        await #expect(throws: ModelServerError.invalidJSON(answer: "no", reason: "not JSON")) {
            try await JSONAnswer<Verdict>.ask(Self.request, budget: 100) { await model.answer($0) }
        }
    }
}
