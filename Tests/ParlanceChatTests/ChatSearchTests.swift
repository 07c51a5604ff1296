import ParlanceControl
import ParlanceRandom
import ParlanceTerminal
import ParlanceWords
import Testing

@testable import ParlanceChat

/// The search finds messages, and the conversation is shown around the one that is chosen.
@Suite struct ChatSearchTests {
    private let bob = TestScreen.direct("Bob")
    private let crew = TestScreen.group("Crew")

    private func message(_ minute: Int64, in conversation: String = "g-Crew") -> MessageInfo {
        TestScreen.message("m\(minute)", "text \(minute)", from: "Cleo", in: conversation, minute: minute)
    }

    private func hit(
        _ id: String,
        _ text: String = "the pump is back",
        at mark: Range<Int> = 4..<8,
        in conversation: String = "g-Crew"
    ) -> SearchHit {
        SearchHit(
            id: id,
            conversation: conversation,
            kind: .group,
            title: "Crew",
            sender: Person(id: "cleocleo", displayName: "Cleo", trust: .accepted),
            time: ControlTime(milliseconds: TestScreen.start),
            excerpt: .init(text: text, marks: [.init(from: mark.lowerBound, to: mark.upperBound)])
        )
    }

    private func ids(_ screen: TestScreen) -> [String] { screen.chat.open?.messages.map(\.id) ?? [] }

    /// A screen on which something was found.
    private func searched(_ hits: [SearchHit], more: Bool = false) -> TestScreen {
        var screen = TestScreen()
        screen.begin([bob, crew], messages: [TestScreen.message("b1", "hello", from: "Bob")])
        screen.type("half a line")
        screen.press(.control("f"))
        screen.type("pump")
        screen.press(.named(.enter))
        screen.answer(SearchOperation.self, SearchReply(hits: hits, found: hits.count + (more ? 9 : 0), more: more))
        return screen
    }

    /// A screen that has gone to the message 100 of 200.
    private func gone() -> TestScreen {
        var screen = searched([hit("m100")])
        screen.press(.named(.enter))
        let request = screen.askedPage()
        #expect(request?.part == .around("m100"))
        #expect(request?.who == crew.id)
        var page = HistoryReply(conversation: crew, messages: (90..<110).map { message($0) }, more: true)
        page.newer = true
        screen.take(.replied(.page(request!), .success(page)))
        return screen
    }

    @Test func whatIsWrittenIsAskedAndShown() {
        var screen = searched([hit("m1"), hit("m2", "a pump", at: 2..<6)])
        #expect(screen.lines[0] == "Search: pump")
        #expect(screen.lines[2...5] == ["Crew, Cleo, 09:13", "  the pump is back", "Crew, Cleo, 09:13", "  a pump"])
        #expect(screen.chat.search.hit?.id == "m1")
        screen.press(.named(.down))
        #expect(screen.chat.search.hit?.id == "m2")
        // Another query is asked before anything is opened.
        screen.type("s")
        #expect(screen.chat.search.hit == nil)
        screen.press(.named(.enter))
        #expect(screen.asked(SearchOperation.self).map(\.query) == ["pumps"])
        screen.press(.named(.escape))
        #expect(screen.text.contains("> half a line"))
    }

    @Test func anAnswerToAnEarlierQueryChangesNothing() {
        var screen = TestScreen()
        screen.begin([bob])
        screen.press(.control("f"))
        screen.type("a")
        screen.press(.named(.enter))
        screen.type("b")
        screen.press(.named(.enter))
        screen.answer(SearchOperation.self, SearchReply(hits: [hit("old")], found: 1, more: false))
        #expect(screen.text.contains("Searching"))
        screen.answer(SearchOperation.self, SearchReply(hits: [hit("new")], found: 1, more: false))
        #expect(screen.chat.search.hit?.id == "new")
    }

    @Test func furtherPagesAreAskedFor() {
        var screen = searched((0..<5).map { hit("m\($0)") }, more: true)
        screen.press(.named(.pageDown))
        let asked = screen.calls.compactMap { $0.operation as? SearchOperation }
        #expect(asked.map(\.offset) == [5])
        screen.answer(SearchOperation.self, SearchReply(hits: [hit("m4"), hit("m5")], found: 6, more: false))
        screen.press(.named(.down), .named(.down))
        #expect(screen.chat.search.hit?.id == "m5")
        #expect(screen.asked(SearchOperation.self).isEmpty)
    }

    @Test func theConversationIsShownAroundTheMessage() {
        var screen = gone()
        #expect(screen.chat.history.selected == "m100")
        #expect(screen.text.contains("text 100"))
        // Nothing that comes now stands right below what is much older.
        screen.tell(MessageEvent(message(300)))
        #expect(ids(screen).last == "m109")
        // The draft of the conversation before stays with it.
        #expect(!screen.text.contains("half a line"))
    }

    @Test(arguments: [true, false]) func theMessageStandsInTheMiddle(isHere: Bool) {
        var screen = TestScreen(height: 24)
        screen.begin([crew], messages: (isHere ? 90..<150 : 140..<150).map { message($0) }, more: true)
        screen.press(.control("f"))
        screen.type("pump")
        screen.press(.named(.enter))
        screen.answer(SearchOperation.self, SearchReply(hits: [hit("m120")], found: 1, more: false))
        screen.press(.named(.enter))
        if !isHere {
            var page = HistoryReply(conversation: crew, messages: (90..<140).map { message($0) }, more: true)
            page.newer = true
            screen.take(.replied(.page(screen.askedPage()!), .success(page)))
        }
        let row = screen.lines.firstIndex { $0.contains("text 120") }
        #expect(row.map { (9...13).contains($0) } == true, "row \(row ?? -1)")
        // It stays where it is.
        screen.tell(MessageEvent(message(151)))
        #expect(screen.lines.firstIndex { $0.contains("text 120") } == row)
    }

    @Test func newerMessagesFollowUntilTheEndIsReached() {
        var screen = gone()
        screen.press(.named(.pageDown))
        let second = screen.askedPage()
        #expect(second?.part == .after("m109"))
        let edge = screen.lines.last { $0.contains("text 1") }
        screen.answer(second, (110..<150).map { message($0) }, of: crew, more: true)
        #expect(ids(screen) == (90..<150).map { "m\($0)" })
        #expect(screen.lines.last { $0.contains("text 1") } == edge)
        for _ in 0..<4 { screen.press(.named(.pageDown)) }
        let last = screen.askedPage()
        #expect(last?.part == .after("m149"))
        screen.tell(MessageEvent(message(153)), WithdrawnEvent(id: "m151"))
        screen.answer(last, (150..<153).map { message($0) }, of: crew)
        #expect(ids(screen) == ((90..<151).map { "m\($0)" } + ["m152", "m153"]))
        screen.tell(MessageEvent(message(154)))
        #expect(ids(screen).last == "m154")
    }

    @Test func escapeGoesToTheNewest() {
        var screen = gone()
        screen.press(.named(.escape), .named(.escape))
        let request = screen.askedPage()
        #expect(request?.part == .newest)
        screen.answer(request, (180..<200).map { message($0) }, of: crew, more: true)
        #expect(ids(screen) == (180..<200).map { "m\($0)" })
        screen.tell(MessageEvent(message(200)))
        #expect(ids(screen).last == "m200")
    }

    @Test func aMessageThatIsHereIsSelected() {
        var screen = gone()
        screen.press(.control("f"))
        screen.answer(SearchOperation.self, SearchReply(hits: [], found: 0, more: false))
        screen.press(.control("c"))
        screen.type("other")
        screen.press(.named(.enter))
        screen.answer(SearchOperation.self, SearchReply(hits: [hit("m95")], found: 1, more: false))
        screen.press(.named(.enter))
        #expect(screen.askedPage() == nil)
        #expect(screen.chat.history.selected == "m95")
        #expect(screen.text.contains("text 95"))
    }

    /// The next page comes after the user has gone to the end.
    @Test func aLatePageDoesNotHoldTheScreenBack() {
        var screen = gone()
        screen.press(.named(.pageDown))
        let late = screen.askedPage()
        screen.press(.named(.escape))
        screen.answer(late, (110..<150).map { message($0) }, of: crew, more: true)
        screen.answer(screen.askedPage(), (180..<200).map { message($0) }, of: crew, more: true)
        #expect(ids(screen) == (180..<200).map { "m\($0)" })
        #expect(screen.text.contains("text 199"))
    }

    @Test func thePageKeysLeaveTheMessage() {
        var screen = gone()
        screen.answer(screen.askedPage(), [], of: crew)
        screen.press(.named(.pageUp))
        #expect(screen.chat.history.selected == nil)
    }

    /// What was deleted while the daemon was away is not shown when it is back.
    @Test func theShownPartIsReadAgainAfterARestart() {
        var screen = gone()
        screen.press(.named(.pageUp))
        _ = screen.askedPage()
        screen.take(.disconnected(), .connected)
        screen.answer(screen.askedPage(), (180..<200).map { message($0) }, of: crew, more: true)
        guard screen.chat.history.scroll > 0 else { return }
        let again = screen.askedPage()
        guard case .around = again?.part else {
            Issue.record("\(String(describing: again)) is asked for")
            return
        }
        var page = HistoryReply(conversation: crew, messages: (90..<108).map { message($0) }, more: true)
        page.newer = true
        if let again { screen.take(.replied(.page(again), .success(page))) }
        #expect(ids(screen) == (90..<108).map { "m\($0)" })
    }

    @Test func allIsReadThoughTheEndIsNotHere() {
        var screen = gone()
        screen.press(.named(.escape))
        screen.type("/read")
        screen.press(.named(.enter))
        #expect(screen.asked(ReadOperation.self).map(\.through) == [nil])
    }

    /// The draft of a conversation is sent, though a message is selected.
    @Test func enterSendsTheDraft() {
        var screen = searched([])
        screen.press(.named(.escape), .control("f"))
        screen.answer(SearchOperation.self, SearchReply(hits: [hit("b1", in: "c-Bob")], found: 1, more: false))
        screen.press(.named(.enter), .named(.enter))
        #expect(screen.asked(SendOperation.self).map(\.text) == ["half a line"])
    }

    @Test func aReactionKeepsTheHit() {
        var screen = searched([hit("m1")])
        var message = message(1)
        message.text = "look, the pump is back"
        screen.tell(ChangedEvent(message))
        #expect(screen.chat.search.hit?.id == "m1")
        screen.take(.disconnected())
        #expect(!screen.text.contains("the pump"))
    }

    /// What was deleted or edited is not shown in an excerpt any more.
    @Test func whatWasDeletedLeavesTheHits() {
        var screen = searched([hit("m1", "secret", at: 0..<6), hit("m2")])
        var deleted = message(1)
        deleted.text = ""
        screen.tell(ChangedEvent(deleted))
        #expect(!screen.text.contains("secret"))
        screen.tell(WithdrawnEvent(id: "m2"))
        #expect(screen.text.contains("No message found."))
        screen.press(.named(.enter))
        #expect(screen.askedPage() == nil)
    }

    @Test func withoutADaemonTheQueryStays() {
        var screen = searched([])
        screen.take(.disconnected())
        screen.type("s")
        screen.press(.named(.enter))
        #expect(screen.text.contains("The daemon does not answer."))
        screen.take(.connected)
        screen.press(.named(.enter))
        screen.refuse(SearchOperation.self, .connectionLost)
        screen.press(.named(.enter))
        #expect(screen.asked(SearchOperation.self).map(\.query) == ["pumps"])
    }

    @Test func theHitIsSeenInANarrowWindow() {
        let text = "many words before it, and then more of them, and then the pump is back"
        let scalars = Array(text.unicodeScalars)
        let start = scalars.indices.first { scalars[$0...].starts(with: Array("pump".unicodeScalars)) } ?? 0
        for width in 20...90 {
            let excerpt = SearchHit.Excerpt(text: text, marks: [.init(from: start, to: start + 4)])
            let line = ExcerptText.line(excerpt, width: width)
            let end = (line.firstIndex { $0.style == .strong } ?? line.count - 1) + 1
            #expect(Array(line[..<end]).width <= width)
        }
    }

    /// Whatever is pressed and whatever comes, what is shown is a run of the history.
    @Test(arguments: 0..<40) func whatIsShownIsARunOfTheHistory(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        var history = (0..<400).map { message($0) }
        var screen = searched([hit("m\(Int.random(in: 0..<400, using: &random))")])
        screen.press(.named(.enter))
        for _ in 0..<200 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: screen.press(.named(.pageUp))
            case 1: screen.press(.named(.pageDown))
            case 2: screen.press(.named(.escape))
            case 3: screen.press(.named([.up, .down].randomElement(using: &random) ?? .up))
            case 4:
                // Some come late, and stand above others.
                let count = Int64(history.count)
                var new = message(Bool.random(using: &random) ? count : Int64.random(in: 0..<count, using: &random))
                new.id = "x\(count)"
                new.position = (new.position ?? "") + new.id
                history.append(new)
                history.sort { $0.place < $1.place }
                screen.tell(MessageEvent(new))
            default: serve(&screen, history)
            }
        }
        for _ in 0..<5 { serve(&screen, history) }
        let shown = ids(screen)
        let all = history.map(\.id)
        guard let first = all.firstIndex(of: shown.first ?? "") else {
            Issue.record("seed \(seed): nothing of the history is shown")
            return
        }
        #expect(Array(all[first...].prefix(shown.count)) == shown, "seed \(seed)")
        screen.press(.named(.escape), .named(.escape), .named(.escape))
        for _ in 0..<5 { serve(&screen, history) }
        #expect(ids(screen).last == all.last, "seed \(seed)")
    }

    /// Answers like the daemon.
    private func serve(_ screen: inout TestScreen, _ history: [MessageInfo]) {
        guard let request = screen.askedPage() else { return }
        let place = { (id: String) in history.firstIndex { $0.id == id } ?? 0 }
        let range: Range<Int>
        switch request.part {
        case .newest: range = max(0, history.count - request.limit)..<history.count
        case .before(let id): range = max(0, place(id) - request.limit)..<place(id)
        case .after(let id): range = place(id) + 1..<min(history.count, place(id) + 1 + request.limit)
        case .around(let id):
            range = max(0, place(id) - request.limit / 2)..<min(history.count, place(id) + request.limit / 2)
        }
        let isAfter = if case .after = request.part { true } else { false }
        let more = isAfter ? range.upperBound < history.count : range.lowerBound > 0
        var page = HistoryReply(conversation: crew, messages: Array(history[range]), more: more)
        if case .around = request.part, range.upperBound < history.count { page.newer = true }
        screen.take(.replied(.page(request), .success(page)))
    }
}
