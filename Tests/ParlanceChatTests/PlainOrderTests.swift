import ParlanceControl
import ParlanceTerminal
import ParlanceWords
import Testing

@testable import ParlanceChat

/// The plain chat tells forward only, each message once, and carries out lines in their order.
@Suite struct PlainOrderTests {
    private static let bob = TestScreen.direct("Bob")
    private static let no = ControlFailure(code: "unknownPeer", message: "Nobody here is called so.", advice: "")

    private static func told(_ numbers: Range<Int>) -> [String] { numbers.map { "Bob: text \($0)" } }

    /// Answers what it asks of a history until it asks no more.
    ///
    /// - Returns: how many pages that were.
    @discardableResult
    private static func serve(_ plain: inout TestPlain, _ all: [MessageInfo], most: Int = 60) -> Int {
        var pages = 0
        while let asked = plain.calls.lazy.compactMap({ $0.operation as? HistoryOperation }).first, pages < 50 {
            let end = asked.before.flatMap { before in all.firstIndex { $0.id == before } } ?? all.count
            let start = max(0, end - min(most, asked.limit ?? most))
            let page = HistoryReply(conversation: bob, messages: Array(all[start..<end]), more: start > 0)
            plain.answer(HistoryOperation.self, .success(page))
            pages += 1
        }
        return pages
    }

    /// Something that comes while a conversation is opened lets its newest page be read once more, before the older ones.
    @Test func whatIsUnreadIsToldForwardThoughEventsCome() {
        var plain = TestPlain(who: "Bob")
        let all = PlainChatTests.texts(0..<160, unread: 20..<160)
        plain.take(.connected)
        plain.take(.event(MessageEvent(TestScreen.message("g1", "hello all", from: "Cleo", in: "g-Crew"))))
        #expect(Self.serve(&plain, all) > 2)
        let news = plain.news()
        #expect(news.filter { $0.hasPrefix("Bob: ") } == Self.told(10..<160))
        #expect(news.last == "<g-Crew> Cleo: hello all")
        #expect(plain.asked(ReadOperation.self).last?.through == "m159")
    }

    @Test func aPageThatIsRefusedHoldsNothingBack() {
        var plain = TestPlain(who: "Bob")
        plain.take(.connected)
        let page = HistoryReply(
            conversation: Self.bob,
            messages: PlainChatTests.texts(100..<160, unread: 100..<160),
            more: true
        )
        plain.answer(HistoryOperation.self, .success(page))
        #expect(plain.news().isEmpty)
        plain.answer(HistoryOperation.self, .failure(Self.no))
        #expect(plain.news().filter { $0.hasPrefix("Bob: ") } == Self.told(100..<160))
        #expect(plain.asked(HistoryOperation.self).isEmpty)
        #expect(plain.chat.takesLine)
    }

    /// Nobody is at the keyboard, so nothing counts as read, and more comes than is kept.
    @Test func whatIsNotKeptAnyMoreIsNotToldAgain() {
        var plain = TestPlain(who: "Bob")
        plain.take(.connected)
        Self.serve(&plain, PlainChatTests.texts(0..<40))
        plain.take(.disconnected())
        _ = plain.news()
        for number in 40..<1_900 { plain.take(.event(MessageEvent(PlainChatTests.texts(number..<(number + 1))[0]))) }
        #expect(plain.news() == Self.told(40..<1_900))
        plain.take(.connected)
        Self.serve(&plain, PlainChatTests.texts(0..<1_910, unread: 40..<1_910), most: 200)
        #expect(plain.news() == Self.told(1_900..<1_910))
    }

    @Test func afterALongInterruptionWhatCameIsToldForward() {
        var plain = TestPlain(who: "Bob")
        plain.take(.connected)
        Self.serve(&plain, PlainChatTests.texts(0..<40))
        _ = plain.news()
        plain.take(.disconnected(), .connected)
        Self.serve(&plain, PlainChatTests.texts(0..<500, unread: 40..<500))
        #expect(plain.news() == Self.told(40..<500))
    }

    // MARK: - Lines

    @Test func aLineWaitsForTheConversationThatIsOpened() {
        for isPipe in [true, false] {
            var plain = TestPlain(isPipe: isPipe)
            plain.begin([Self.bob, TestScreen.group("Crew")], messages: PlainChatTests.texts(0..<1))
            #expect(plain.chat.takesLine)
            plain.type("/open Crew")
            #expect(!plain.chat.takesLine)
            let message = TestScreen.message("g1", "hello", from: "Cleo", in: "g-Crew")
            let page = HistoryReply(conversation: TestScreen.group("Crew"), messages: [message], more: false)
            plain.answer(HistoryOperation.self, .success(page))
            // "/who" names the members.
            #expect(!plain.chat.takesLine)
            plain.answer(GroupShowOperation.self, .failure(Self.no))
            #expect(plain.chat.takesLine)
            plain.type("/reply yo")
            #expect(plain.asked(ReplyOperation.self).map(\.id) == ["g1"])
            plain.take(.disconnected())
            plain.type("/open Bob")
            // It cannot be waited for, and what needs it is refused.
            #expect(plain.chat.takesLine)
        }
    }

    @Test func aLineOfAPipeWaitsForAllButTexts() {
        var plain = TestPlain(who: "Bob", isPipe: true)
        plain.take(.connected)
        #expect(!plain.chat.takesLine)
        Self.serve(&plain, PlainChatTests.texts(0..<1))
        plain.type("hello")
        #expect(plain.chat.takesLine)
        plain.type("/pin")
        #expect(!plain.chat.takesLine)
        plain.answer(PinOperation.self, .failure(Self.no))
        #expect(plain.chat.takesLine && plain.chat.unsent == [2])
    }

    /// Each time that it is asked for, it is said.
    @Test func whatCannotBeOpenedIsToldEachTime() {
        var plain = TestPlain(isPipe: true)
        plain.begin([Self.bob])
        for line in 1...2 {
            plain.type("/open Nobody")
            #expect(!plain.chat.takesLine)
            plain.answer(HistoryOperation.self, .failure(Self.no))
            #expect(plain.chat.takesLine && plain.chat.unsent.contains(line))
            #expect(plain.news().contains("Nobody here is called so."))
        }
        #expect(plain.chat.notOpened == nil)
    }

    @Test func whoWasNamedAndIsUnknownIsKnown() {
        var plain = TestPlain(who: "Zoe", isPipe: true)
        plain.take(.connected)
        plain.answer(HistoryOperation.self, .failure(Self.no))
        #expect(plain.chat.notOpened?.exitCode == 65 && plain.chat.unsent.isEmpty)
        // It stays known when a line could not be sent for that reason.
        plain.type("hello")
        plain.answer(SendOperation.self, .failure(Self.no))
        #expect(plain.chat.notOpened?.exitCode == 65 && plain.chat.unsent == [1])
    }

    // MARK: - The status of a message

    @Test func aStatusStandsBehindItsMessageOrNamesIt() {
        var plain = TestPlain()
        let own = TestScreen.message("own", "mine", minute: 0)
        plain.begin([Self.bob], messages: [own] + PlainChatTests.texts(1..<41))
        _ = plain.news()
        let read = StatusEvent(conversation: "c-Bob", title: "Bob", status: .read, through: "own", sequence: 1)
        plain.take(.event(read))
        #expect(plain.news().isEmpty, "it was not told")
        plain.take(.event(MessageEvent(TestScreen.message("next", "Lunch?", minute: 50, status: .sending))))
        plain.take(.event(MessageEvent(PlainChatTests.texts(51..<52)[0])))
        let sent = StatusEvent(conversation: "c-Bob", title: "Bob", status: .delivered, through: "next", sequence: 51)
        plain.take(.event(sent))
        #expect(plain.news() == ["Ada: Lunch?", "Bob: text 51", "[delivered] Lunch?"])
    }

    /// The newest was deleted: the status of the one before it stands behind that one already.
    @Test func aStatusThatWasToldWithItsMessageIsNotToldAgain() {
        var plain = TestPlain()
        var gone = TestScreen.message("gone", "", minute: 1, status: .delivered)
        gone.deleted = DeletionInfo(by: Person(id: "a", displayName: "Ada"), time: ControlTime(milliseconds: 9))
        plain.begin([Self.bob], messages: [TestScreen.message("own", "mine", minute: 0, status: .delivered), gone])
        #expect(!plain.news().contains { $0.hasPrefix("[") })
    }
}
