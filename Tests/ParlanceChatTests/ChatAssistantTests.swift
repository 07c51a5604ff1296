import ParlanceControl
import ParlanceTerminal
import ParlanceWords
import Testing

@testable import ParlanceChat

/// The assistant stands beside a conversation: prompts, questions, and the messages that answer.
@Suite struct ChatAssistantTests {
    private let bob = TestScreen.direct("Bob")

    private func source(_ id: String, _ text: String) -> AssistantSource {
        AssistantSource(
            id: id,
            conversation: bob.id,
            kind: .direct,
            title: "Bob",
            sender: Person(id: "bobbob", displayName: "Bob", trust: .accepted),
            time: ControlTime(milliseconds: TestScreen.start),
            excerpt: text
        )
    }

    private func reply(_ answer: String?, _ ids: String...) -> AskReply {
        var reply = AskReply(sources: ids.map { source($0, "text of \($0)") }, model: .rules)
        reply.answer = answer
        return reply
    }

    private func turn(_ question: String, _ answer: String, _ id: String) -> TalkTurn {
        var turn = TalkTurn(
            id: 1,
            time: ControlTime(milliseconds: TestScreen.start),
            question: question,
            sources: [source(id, "text of \(id)")],
            model: .rules
        )
        turn.answer = answer
        return turn
    }

    /// A screen with the pane, after one turn that is kept.
    private func opened(_ turns: [TalkTurn]? = nil, height: Int = 24, width: Int = 80) -> TestScreen {
        var screen = TestScreen(height: height, width: width)
        let messages = ["m1", "m2"].map { TestScreen.message($0, "text of \($0)", from: "Bob") }
        screen.begin([bob], messages: messages)
        screen.type("/ask")
        screen.press(.named(.enter))
        screen.answer(TalkOperation.self, TalkReply(turns: turns ?? [turn("When?", "At nine [1].", "m1")]))
        return screen
    }

    private func ask(_ question: String, _ screen: inout TestScreen) -> AskOperation? {
        screen.type(question)
        screen.press(.named(.enter))
        return screen.calls.compactMap { $0.operation as? AskOperation }.last
    }

    @Test func itShowsWhatIsKeptAndWhatCanBeAsked() {
        let screen = opened()
        #expect(screen.lines[0].hasPrefix("Assistant: Bob"))
        #expect(screen.text.contains("When?") && screen.text.contains("At nine [1]."))
        #expect(screen.text.contains("[1] Bob, 09:13") && screen.text.contains("text of m1"))
        #expect(screen.text.contains("1 Summary  2 Open actions  3 Decisions  4 Deadlines  5 What did I miss?"))
    }

    @Test func aQuestionStreamsAndThenHasItsAnswer() throws {
        var screen = opened()
        let asked = try #require(ask("who?", &screen))
        let label = try #require(asked.turn)
        #expect(asked.question == "who?" && asked.who == bob.peer && asked.limit == nil)
        screen.tell(AnswerEvent(turn: label, text: "Bob "), AnswerEvent(turn: "other", text: "Mallory"))
        screen.tell(AnswerEvent(turn: label, text: "does [7]"))
        #expect(screen.text.contains("Bob does [7]") && !screen.text.contains("Mallory"))
        #expect(screen.text.contains("Esc cancels it"))
        screen.answer(AskOperation.self, reply("Bob does [1].", "m2"))
        #expect(screen.text.contains("Bob does [1].") && !screen.text.contains("[7]"))
    }

    @Test func aQuestionBehindTheCommandIsAskedAtOnce() {
        var screen = TestScreen()
        screen.begin([bob])
        screen.type("/ask who has the key?")
        screen.press(.named(.enter))
        #expect(screen.asked(AskOperation.self).map(\.question) == ["who has the key?"])
        #expect(screen.asked(TalkOperation.self).count == 1)
    }

    @Test func escCancelsAndThenCloses() throws {
        var screen = opened()
        let label = try #require(ask("who?", &screen)?.turn)
        screen.press(.named(.escape))
        #expect(screen.asked(AskCancelOperation.self).map(\.turn) == [label])
        #expect(screen.chat.assistant.isOpen)
        var cancelled = reply(nil, "m2")
        cancelled.problem = "You cancelled the answer."
        screen.answer(AskOperation.self, cancelled)
        #expect(screen.text.contains("You cancelled the answer."))
        screen.press(.named(.escape))
        #expect(!screen.chat.assistant.isOpen && screen.text.contains("text of m2"))
    }

    @Test func digitsAndArrowsChoosePrompts() {
        var screen = opened()
        screen.type("4")
        #expect(screen.asked(ActionsOperation.self) == [ActionsOperation(who: bob.peer, due: true)])
        // A prompt is given up at once.
        screen.press(.named(.escape))
        screen.press(.named(.right), .named(.right), .named(.right), .named(.enter))
        #expect(screen.calls.contains { $0.operation is DecisionsOperation })
        let decision = DecisionInfo(text: "We take the boat.", source: source("m2", "Agreed. We take the boat."))
        screen.answer(DecisionsOperation.self, DecisionsReply(decisions: [decision], model: .rules))
        #expect(screen.text.contains("We take the boat."))
        screen.type("5")
        #expect(screen.asked(SummaryOperation.self).map { $0.missed } == [true])
        // In a question a digit is a digit.
        screen.press(.named(.escape))
        screen.type("at 4?")
        #expect(screen.asked(ActionsOperation.self).isEmpty)
    }

    @Test func aMessageThatAnswersCanBeGoneTo() {
        var screen = opened()
        screen.press(.named(.up))
        #expect(screen.chat.assistant.source?.id == "m1")
        screen.press(.named(.enter))
        #expect(!screen.chat.assistant.isOpen && screen.chat.history.selected == "m1")
        screen = opened()
        screen.press(.alt("1"))
        #expect(!screen.chat.assistant.isOpen && screen.chat.history.selected == "m1")
    }

    @Test func whatRestsOnAMessageGoesWithIt() {
        var screen = opened([turn("When?", "At nine [1].", "m1"), turn("Who?", "Bob [1].", "m2")])
        screen.tell(WithdrawnEvent(id: "m1"))
        #expect(!screen.text.contains("At nine") && screen.text.contains("Bob [1]."))
        // What else rests on it, only the daemon knows.
        #expect(screen.calls.contains { $0.operation is TalkOperation })
        screen.answer(TalkOperation.self, TalkReply(turns: []))
        #expect(!screen.text.contains("Bob [1]."))
        screen.take(.disconnected())
        #expect(screen.chat.assistant.entries.isEmpty)
    }

    @Test func whileItIsOffItSaysHowToTurnItOn() {
        var screen = TestScreen()
        screen.begin([bob])
        screen.type("/ask")
        screen.press(.named(.enter))
        let off = ControlFailure(
            code: "notYet",
            message: "The assistant is off.",
            advice: "To have it read along on this computer: parlance assistant on"
        )
        screen.refuse(TalkOperation.self, off)
        #expect(screen.text.contains("parlance assistant on") && !screen.text.contains("1 Summary"))
    }

    @Test func aQuestionThatIsRefusedComesBack() {
        var screen = opened()
        _ = ask("who?", &screen)
        screen.refuse(AskOperation.self, .connectionLost)
        #expect(screen.chat.assistant.editor.text == "who?" && screen.chat.assistant.asked == nil)
    }

    @Test(arguments: [(6, 20), (8, 30), (24, 59)])
    func smallScreensShowIt(height: Int, width: Int) {
        var screen = opened(height: height, width: width)
        screen.press(.named(.pageUp), .named(.pageDown), .named(.up))
        #expect(screen.lines.count == height)
        screen.type("who has it?")
        #expect(screen.lines[height - 1].contains("has it?"))
    }

    /// What a prompt of another pane finds is not shown here, though both asked for a summary.
    @Test func aPromptAnswersOnlyItsOwnPane() throws {
        var screen = opened()
        screen.press(.text("1"))
        let old = try #require(screen.calls.last { $0.operation is SummaryOperation }?.purpose)
        for _ in 0..<2 { screen.press(.named(.escape)) }
        screen.type("/ask")
        screen.press(.named(.enter))
        screen.answer(TalkOperation.self, TalkReply(turns: []))
        screen.press(.text("1"))
        let new = try #require(screen.calls.last { $0.operation is SummaryOperation }?.purpose)
        #expect(old != new)
    }

    /// The kept turns that were read before an answer came do not take it away.
    @Test func anAnswerStaysThoughOlderTurnsComeLate() throws {
        var screen = TestScreen(height: 24, width: 80)
        screen.begin([bob], messages: [TestScreen.message("m1", "text of m1", from: "Bob")])
        screen.type("/ask who has it?")
        screen.press(.named(.enter))
        var came = reply("Bob has it [1].", "m1")
        came.kept = 2
        screen.answer(AskOperation.self, came)
        screen.answer(TalkOperation.self, TalkReply(turns: [turn("When?", "At nine [1].", "m1")]))
        #expect(screen.text.contains("Bob has it [1].") && screen.text.contains("At nine [1]."))
    }

    @Test func foreignTextSteersNothing() throws {
        let hostile = "nine\u{1B}[2J\u{202E}"
        var screen = opened([turn("When?", hostile, "m1")])
        // What is being written, and what was kept.
        #expect(screen.text.contains("nine"))
        let label = try #require(ask("who?", &screen)?.turn)
        screen.tell(AnswerEvent(turn: label, text: hostile + " sharp"))
        #expect(screen.text.contains("sharp"))
        #expect(!screen.text.unicodeScalars.contains("\u{1B}") && !screen.text.unicodeScalars.contains("\u{202E}"))
    }

    /// Without a picture the answer is told in lines, and the next line is a message again.
    @Test func thePlainChatTellsTheAnswer() throws {
        var plain = PlainChat(who: nil, isPipe: false, clock: TestScreen.clock(TestScreen.start))
        let clock = TestScreen.clock(TestScreen.start)
        _ = plain.handle(.connected, at: clock)
        _ = plain.handle(.replied(.conversations, .success(ConversationsReply(conversations: [bob]))), at: clock)
        let effects = plain.typed("/ask who has the key?", number: 1, at: clock)
        var purposes: [ChatPurpose] = []
        for case .call(let operation, let purpose) in effects {
            #expect(!(operation is TalkOperation))
            if operation is AskOperation { purposes.append(purpose) }
        }
        let purpose = try #require(purposes.first)
        _ = plain.handle(.replied(purpose, .success(reply("Bob [1].", "m2"))), at: clock)
        let answers = plain.lines().compactMap { if case .answered(let reply) = $0 { reply.answer } else { nil } }
        #expect(answers == ["Bob [1]."])
        let next = plain.typed("thanks", number: 2, at: clock)
        #expect(
            next.contains { if case .call(let send as SendOperation, _) = $0 { send.text == "thanks" } else { false } }
        )
        let alone = plain.typed("/ask", number: 3, at: clock)
        #expect(alone.contains { if case .call(is TalkOperation, _) = $0 { true } else { false } })
        _ = plain.handle(.replied(.talk(who: bob.peer ?? "", newest: 0), .success(TalkReply(turns: []))), at: clock)
        #expect(plain.lines().contains { if case .talk = $0 { true } else { false } })
        #expect(plain.unsent.isEmpty)
    }
}
