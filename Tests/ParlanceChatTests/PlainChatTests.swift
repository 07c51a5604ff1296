import ParlanceControl
import ParlanceTerminal
import ParlanceWords
import Testing

@testable import ParlanceChat

/// What the plain chat tells, and what it sends.
@Suite struct PlainChatTests {
    static func texts(_ numbers: Range<Int>, unread: Range<Int> = 0..<0) -> [MessageInfo] {
        numbers.map { number in
            var message = TestScreen.message("m\(number)", "text \(number)", from: "Bob", minute: Int64(number))
            if unread.contains(number) { message.unread = true }
            return message
        }
    }

    @Test func itTellsTheEndOfTheHistoryAndEverythingUnreadOnce() {
        var plain = TestPlain()
        plain.begin(
            [TestScreen.direct("Bob", unread: 5), TestScreen.group("Night watch", unread: 3)],
            messages: Self.texts(0..<40, unread: 35..<40)
        )
        let news = plain.news()
        #expect(news.first == "Night watch: 3 unread. To read: /open Night watch")
        #expect(news.dropFirst().first == "Bob ✓: online")
        #expect(news.dropFirst(2) == (25..<40).map { "Bob: text \($0)" }[...])
        #expect(plain.asked(ReadOperation.self).last?.through == "m39")
        plain.take(.event(MessageEvent(Self.texts(40..<41)[0])), .timePassed)
        #expect(plain.news() == ["Bob: text 40"])
        #expect(plain.asked(ReadOperation.self).last?.through == "m40")
    }

    @Test func aTypedLineIsSentAndItsStatusFollows() {
        var plain = TestPlain()
        plain.begin([TestScreen.direct("Bob")], messages: Self.texts(0..<1))
        _ = plain.news()
        plain.type("?")
        #expect(plain.asked(SendOperation.self) == [SendOperation(who: "bobbob", text: "?")])
        #expect(plain.asked(TypingOperation.self).isEmpty && plain.news().isEmpty)
        plain.take(.event(MessageEvent(TestScreen.message("own", "?", minute: 5, status: .sending))))
        #expect(plain.news() == ["Ada: ?"])
        let sent = StatusEvent(conversation: "c-Bob", title: "Bob", status: .delivered, through: "own", sequence: 6)
        plain.take(.event(sent))
        #expect(plain.news() == ["[delivered]"])
        plain.take(.event(sent))
        #expect(plain.news().isEmpty)
    }

    @Test func whatIsNotSentIsGivenBack() {
        var plain = TestPlain(who: "Bob")
        plain.type("too early")
        #expect(plain.news() == ["The daemon does not answer. The text stays here.", "Not sent: too early"])
        plain.begin([TestScreen.direct("Bob")])
        _ = plain.news()
        plain.type("hello")
        plain.answer(SendOperation.self, .failure(ControlFailure(code: "x", message: "No.", advice: "Ask.")))
        #expect(plain.news() == ["No. Ask.", "Not sent: hello"])
        plain.type("again")
        #expect(plain.asked(SendOperation.self).map(\.text) == ["again"])
        plain.type("/mut")
        #expect(plain.news().count == 2)
    }

    /// A program has to know which of its lines failed, whatever was opened meanwhile.
    @Test func linesThatWereNotSentAreKnownByTheirNumbers() {
        var plain = TestPlain()
        plain.begin([TestScreen.direct("Bob"), TestScreen.group("Crew")], messages: Self.texts(0..<1))
        for line in ["one", "two", "/nonsense", "/pin", "/open Crew", "/who"] { plain.type(line) }
        #expect(plain.chat.unsent == [3])
        let no = ControlFailure(code: "x", message: "No.", advice: "")
        let now = ControlTime(milliseconds: TestScreen.start)
        let sent = SendReply(id: "a", conversation: "c-Bob", sequence: 1, time: now, status: .sending)
        _ = plain.news()
        plain.answer(SendOperation.self, .success(sent))
        plain.answer(SendOperation.self, .failure(no))
        plain.answer(PinOperation.self, .failure(no))
        #expect(plain.chat.unsent == [2, 3, 4])
        #expect(plain.news().filter { $0.hasPrefix("Not sent") } == ["Not sent: two"])
        plain.type("")
        #expect(plain.chat.unsent == [2, 3, 4])
    }

    /// Nobody has seen which conversation is the first one.
    @Test func aPipeWritesToNobodyWhoWasNotNamed() {
        var plain = TestPlain(isPipe: true)
        plain.begin([TestScreen.direct("Bob")], messages: Self.texts(0..<1))
        // There are no keys, so nothing tells to press one.
        #expect(plain.news() == ["No conversation is open. To open one: /open WHO", "All commands: /help"])
        for line in ["Lunch?", "/open Bob", "hello"] { plain.type(line) }
        #expect(plain.chat.unsent == [1])
        #expect(plain.asked(SendOperation.self).map(\.text) == ["hello"])
        #expect(plain.news().contains("No conversation is open. To open one: /open WHO"))
    }

    /// What a line wanted to show and could not is known by its number too.
    @Test func linesThatOpenNothingAreKnownByTheirNumbers() {
        var plain = TestPlain()
        plain.begin([TestScreen.direct("Bob")], messages: Self.texts(0..<1))
        for line in ["one", "/open Nobody"] { plain.type(line) }
        let no = ControlFailure(code: "unknownPeer", message: "Nobody is called Nobody.", advice: "")
        plain.answer(HistoryOperation.self, .failure(no))
        #expect(plain.chat.unsent == [2])
    }

    /// What was for an answer must not become the aim of the next line.
    @Test func afterAFailedAnswerCommandsAreCommands() {
        var plain = TestPlain()
        plain.begin([TestScreen.direct("Bob"), TestScreen.group("Crew")], messages: Self.texts(0..<1))
        plain.type("/reply ok")
        plain.answer(ReplyOperation.self, .failure(ControlFailure(code: "x", message: "No.", advice: "")))
        #expect(plain.news().suffix(2) == ["No.", "Not sent: ok"])
        plain.type("/open Crew")
        #expect(plain.asked(ReplyOperation.self).isEmpty && plain.asked(SendOperation.self).isEmpty)
        #expect(plain.asked(HistoryOperation.self).last?.who == "Crew")
    }

    @Test func afterAReconnectOnlyWhatIsNewIsTold() {
        var plain = TestPlain()
        let bob = TestScreen.direct("Bob")
        plain.begin([bob], messages: Self.texts(20..<60), more: true)
        _ = plain.news()
        plain.take(.disconnected(), .connected)
        let page = HistoryReply(conversation: bob, messages: Self.texts(5..<61), more: true)
        plain.answer(HistoryOperation.self, .success(page))
        #expect(plain.news() == ["Bob: text 60"])
    }

    @Test func aMessageThatComesLateIsTold() {
        var plain = TestPlain()
        plain.begin([TestScreen.direct("Bob")], messages: Self.texts(20..<60), more: true)
        _ = plain.news()
        plain.take(.event(MessageEvent(Self.texts(3..<4)[0])))
        #expect(plain.news() == ["Bob: text 3"])
    }

    @Test func whatComesWhileAConversationOpensIsToldOnce() {
        var plain = TestPlain(who: "Bob")
        plain.take(.connected)
        plain.take(.event(MessageEvent(Self.texts(5..<6)[0])))
        plain.take(.event(MessageEvent(TestScreen.message("g1", "hello all", from: "Cleo", in: "g-Crew"))))
        #expect(plain.news().isEmpty)
        let page = HistoryReply(conversation: TestScreen.direct("Bob"), messages: Self.texts(4..<6), more: false)
        plain.answer(HistoryOperation.self, .success(page))
        #expect(plain.news() == ["Bob ✓: online", "Bob: text 4", "Bob: text 5", "<g-Crew> Cleo: hello all"])
    }

    /// What keeps the node from others is told once, also where the people are known before the conversations.
    @Test func aProblemOfTheNodeIsToldOnce() {
        let full = NodeStatus.Problem(code: "disk", message: "The disk is full.", advice: "Make room.")
        let told = "The disk is full. Make room."
        for conversations in [[], [TestScreen.direct("Bob")]] {
            var plain = TestPlain()
            plain.take(.connected)
            plain.answer(PeersOperation.self, .success(PeersReply(peers: [], problems: [full])))
            plain.answer(ConversationsOperation.self, .success(ConversationsReply(conversations: conversations)))
            let news = plain.news()
            #expect(news.count { $0.contains("The disk is full.") } == 1, "\(news)")
            #expect(conversations.isEmpty || news.contains(told))
            plain.take(.timePassed)
            #expect(plain.news().isEmpty)
        }
    }

    /// Messages are told though nothing could be opened.
    @Test func whatComesAfterAFailedOpenIsTold() {
        var plain = TestPlain(who: "Zed")
        plain.take(.connected)
        plain.take(.event(MessageEvent(Self.texts(5..<6)[0])))
        let failure = ControlFailure(code: "unknownPeer", message: "Nobody here is called Zed.", advice: "")
        plain.answer(HistoryOperation.self, .failure(failure))
        #expect(plain.news() == ["Nobody here is called Zed.", "<c-Bob> Bob: text 5"])
        plain.take(.event(MessageEvent(Self.texts(6..<7)[0])))
        #expect(plain.news() == ["<c-Bob> Bob: text 6"])
    }

    @Test func whatHappensElsewhereIsTold() {
        var plain = TestPlain()
        plain.begin([TestScreen.direct("Bob"), TestScreen.group("Crew")], messages: Self.texts(0..<1))
        _ = plain.news()
        var message = TestScreen.message("g1", "hello all", from: "Cleo", in: "g-Crew")
        plain.take(.event(MessageEvent(message)))
        #expect(plain.news() == ["<g-Crew> Cleo: hello all"])
        message.muted = true
        plain.take(.event(MessageEvent(message)))
        plain.take(.event(WithdrawnEvent(id: "g1")))
        #expect(plain.news().isEmpty)
        plain.take(.event(WithdrawnEvent(id: "m0")))
        #expect(plain.news() == ["(withdrawn)"])
    }

    @Test func commandsAnswerInLines() {
        var plain = TestPlain()
        plain.begin([TestScreen.direct("Bob"), TestScreen.group("Crew")], messages: Self.texts(0..<1))
        _ = plain.news()
        plain.type("/help")
        let help = plain.news()
        #expect(help.contains { $0.hasPrefix("/mute") } && !help.contains { $0.contains("Ctrl-") })
        plain.type("/search text")
        #expect(plain.calls.contains { ($0.operation as? SearchOperation)?.query == "text" })
        plain.type("typed meanwhile")
        #expect(plain.asked(SendOperation.self).map(\.text) == ["typed meanwhile"])
        plain.answer(SearchOperation.self, .success(SearchReply(hits: [], found: 0, more: false)))
        #expect(plain.news() == ["found 0"])
        plain.type("/open Crew")
        plain.answer(
            HistoryOperation.self,
            .success(HistoryReply(conversation: TestScreen.group("Crew"), messages: [], more: false))
        )
        #expect(plain.news() == ["Crew", "No messages yet. Say hi to Crew."])
    }
}
