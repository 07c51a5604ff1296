import ParlanceControl
import ParlanceTerminal
import ParlanceWords
import Testing

@testable import ParlanceChat

/// What the daemon tells, and what the screen asks it.
@Suite struct ChatEventTests {
    private func history(_ numbers: Range<Int>, unread: Range<Int> = 0..<0) -> [MessageInfo] {
        numbers.map { number in
            var message = TestScreen.message("m\(number)", "text \(number)", from: "Bob", minute: Int64(number))
            if unread.contains(number) { message.unread = true }
            return message
        }
    }

    @Test func whatWasShownIsRead() {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob", unread: 2)], messages: history(0..<5, unread: 3..<5))
        #expect(screen.asked(ReadOperation.self) == [ReadOperation(who: "bobbob", through: "m4")])
        screen.tell(MessageEvent(TestScreen.message("m5", "next", from: "Bob", minute: 6)))
        #expect(screen.asked(ReadOperation.self) == [ReadOperation(who: "bobbob", through: "m5")])
        screen.tell(MessageEvent(TestScreen.message("own", "mine", minute: 7)))
        #expect(screen.asked(ReadOperation.self).isEmpty)
        // What waits for an earlier message is not the last that was read.
        var waiting = TestScreen.message("m7", "waits", from: "Bob", minute: 8)
        waiting.waits = true
        screen.tell(MessageEvent(waiting))
        #expect(screen.asked(ReadOperation.self).isEmpty)
    }

    @Test func whatWasRemovedIsNotShownAnyMore() {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")], messages: history(0..<5))
        screen.press(.named(.up))
        screen.tell(RemovedEvent(conversation: "c-Bob", title: "Bob", ids: ["m0", "m1", "m4"]))
        #expect(!screen.text.contains("text 1") && !screen.text.contains("text 4") && screen.text.contains("text 2"))
        #expect(screen.chat.history.selected == nil)
    }

    @Test func unreadMessagesThatDoNotFitAreReadAsTheyAreShown() {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob", unread: 60)], messages: history(0..<80, unread: 20..<80))
        #expect(screen.text.contains("New") && screen.text.contains("text 20") && !screen.text.contains("text 79"))
        let first = screen.asked(ReadOperation.self).map(\.through)
        #expect(first.count == 1 && first != ["m79"])
        for _ in 0..<6 { screen.press(.named(.pageDown)) }
        #expect(screen.asked(ReadOperation.self).last?.through == "m79")
    }

    @Test func olderMessagesComeOnPageUpAndNothingMoves() {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")], messages: history(40..<80), more: true)
        for _ in 0..<3 { screen.press(.named(.pageUp)) }
        let request = screen.askedPage()
        #expect(request?.operation == HistoryOperation(who: "bobbob", before: "m40", limit: 100))
        let before = screen.lines
        screen.answer(request, history(0..<40), of: TestScreen.direct("Bob"))
        #expect(screen.lines.dropFirst(3) == before.dropFirst(3))
        screen.press(.named(.pageUp))
        #expect(screen.text.contains("text 30"))
        #expect(screen.asked(HistoryOperation.self).isEmpty)
        let shown = screen.lines.dropLast(3)
        screen.tell(MessageEvent(TestScreen.message("m80", "news", from: "Bob", minute: 90)))
        #expect(screen.lines.dropLast(3) == shown)
        #expect(screen.asked(ReadOperation.self).isEmpty)
        screen.press(.named(.escape))
        #expect(screen.text.contains("news"))
        #expect(screen.asked(ReadOperation.self).map(\.through) == ["m80"])
    }

    @Test func statusesAndChangesArrive() {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")], messages: [TestScreen.message("m1", "hello", status: .staged)])
        #expect(screen.text.contains("waits"))
        let event = StatusEvent(conversation: "c-Bob", title: "Bob", status: .read, through: "m1", sequence: 1)
        screen.tell(event, event)
        #expect(screen.text.contains("read") && !screen.text.contains("waits"))
        var changed = TestScreen.message("m1", "hello there")
        changed.status = nil
        changed.versions = 2
        screen.tell(ChangedEvent(changed))
        #expect(screen.text.contains("hello there (edited)") && screen.text.contains("read"))
        screen.tell(WithdrawnEvent(id: "m1"))
        #expect(!screen.text.contains("hello"))
    }

    @Test func whyAMessageWaitsIsAskedFor() {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")])
        screen.type("hello")
        screen.press(.named(.enter))
        var message = TestScreen.message("m1", "hello", status: .staged)
        screen.tell(MessageEvent(message))
        let reply = SendReply(id: "m1", conversation: "c-Bob", sequence: 1, time: message.time, status: .staged)
        screen.answer(SendOperation.self, reply)
        message.waitingReason = "Bob is offline"
        screen.answer(
            HistoryOperation.self,
            HistoryReply(conversation: TestScreen.direct("Bob"), messages: [message], more: false)
        )
        #expect(screen.text.contains("waits: Bob is offline"))
    }

    @Test func listsAreAskedForOnceHoweverMuchHappens() {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")])
        screen.pass(1_000)
        for number in 0..<50 {
            screen.tell(MessageEvent(TestScreen.message("x\(number)", "x", from: "Cleo", in: "c-Cleo")))
        }
        #expect(screen.asked(ConversationsOperation.self).count == 1)
        let reply = ConversationsReply(conversations: [TestScreen.direct("Bob")])
        screen.take(.replied(.conversations, .success(reply)))
        #expect(screen.asked(ConversationsOperation.self).isEmpty)
        screen.now = screen.chat.deadline?.milliseconds ?? 0
        screen.take(.timePassed)
        #expect(screen.asked(ConversationsOperation.self).count == 1)
        screen.take(.replied(.conversations, .success(reply)))
        screen.pass(1_000)
        #expect(screen.asked(ConversationsOperation.self).isEmpty)
    }

    @Test func aRequestIsShownAndAccepted() {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")])
        screen.pass(1_000)
        screen.tell(
            RequestEvent(peer: "eveeve", name: "Eve", preview: "hi", time: ControlTime(milliseconds: TestScreen.start))
        )
        screen.answer(
            RequestsOperation.self,
            RequestsReply(requests: [
                RequestEvent(
                    peer: "eveeve",
                    name: "Eve",
                    preview: "hi",
                    time: ControlTime(milliseconds: TestScreen.start)
                )
            ])
        )
        screen.press(.alt("2"))
        var info = TestScreen.direct("Eve")
        info.contact = .requested
        screen.answer(HistoryOperation.self, HistoryReply(conversation: info, messages: [], more: false))
        #expect(screen.text.contains("Eve asks to talk (hi)."))
        screen.type("/accept")
        screen.press(.named(.enter))
        #expect(screen.asked(AcceptOperation.self) == [AcceptOperation(who: "eveeve")])
    }

    @Test func whoOnTheCommandLineIsOpened() {
        var screen = TestScreen(who: "crew")
        screen.type("hello")
        screen.take(.connected)
        let request = screen.askedPage()
        #expect(request?.who == "crew")
        screen.answer(ConversationsOperation.self, ConversationsReply(conversations: [TestScreen.direct("Bob")]))
        screen.answer(request, [], of: TestScreen.group("Crew"))
        #expect(screen.chat.open?.who == "g-Crew" && screen.chat.composer.draft.editor.text == "hello")
    }

    @Test func whoCannotBeOpenedIsSaidAndTriedAgain() {
        var screen = TestScreen(who: "nobody")
        screen.take(.connected)
        screen.answer(ConversationsOperation.self, ConversationsReply(conversations: [TestScreen.direct("Bob")]))
        screen.refuse(
            HistoryOperation.self,
            ControlFailure(code: "unknownPeer", message: "Nobody is called so.", advice: "")
        )
        #expect(screen.text.contains("Nobody is called so.") && screen.text.contains("Enter tries again."))
        #expect(screen.askedPage() == nil)
        screen.press(.named(.enter))
        #expect(screen.askedPage()?.who == "nobody")
        // Somebody else is not opened instead when the connection breaks.
        screen.take(.disconnected(), .connected)
        #expect(screen.askedPage()?.who == "nobody")
    }
}
