import Testing

@testable import ParlanceAssistant

@Suite struct AnswerTests {
    @Test func commonWordsOfAQuestionAreLeftOut() {
        #expect(QuestionWords.of("When does the ferry leave from Sylt?") == ["ferry", "leave", "sylt"])
        #expect(QuestionWords.of("Wann fährt die Fähre?") == ["fährt", "fähre"])
        #expect(QuestionWords.of("What is it?") == ["what", "is", "it"])
        #expect(QuestionWords.of(" ?! ").isEmpty)
        #expect(
            QuestionWords.of((0..<99).map { "word\($0)" }.joined(separator: " ")).count == AssistantLimits.questionWords
        )
    }

    @Test func otherFormsOfAWordAreSearchedFor() {
        #expect(QuestionWords.query("ferries") == "\"ferr\"*")
        #expect(QuestionWords.query("leave") == "\"leav\"*")
        #expect(QuestionWords.query("pier") == "\"pier\"")
        #expect(QuestionWords.query("ch376xx") == "\"ch376xx\"")
    }

    @Test func whatSharesItsWordsSaysMost() {
        let texts = [
            "The pump in the engine room leaks again.", "ok", "Somebody left a red umbrella upstairs.",
            "The engine room pump needs a new seal.", "I ordered the seal for the pump.",
        ]
        let most = Centrality.most(texts, count: 2)
        #expect(most.count == 2 && most.allSatisfy { [0, 3, 4].contains($0) }, "\(most)")
        #expect(Centrality.most([], count: 3).isEmpty && Centrality.most(["ok", "hm"], count: 3).isEmpty)
    }

    @Test func anExcerptIsOneShortParagraph() {
        #expect(Excerpt.of("a\nb\r\nc") == "a b c")
        #expect(Excerpt.of(String(repeating: "x", count: 1_000)).count == AssistantLimits.excerptCharacters)
        // One character of 64 KiB.
        let tower = "e" + String(repeating: "\u{301}", count: 32_768)
        #expect(Excerpt.of(tower).utf8.count < 5 * AssistantLimits.excerptCharacters)
    }
}
