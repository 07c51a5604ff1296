import ParlanceControl
import ParlanceTerminal
import Testing

@testable import ParlanceChat

/// What counts as read is what somebody could see.
@Suite struct ChatReadTests {
    private func screen(_ messages: [MessageInfo] = [], unread: Int = 0) -> TestScreen {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob", unread: unread), TestScreen.direct("Cleo")], messages: messages)
        _ = screen.asked(ReadOperation.self)
        return screen
    }

    private func message(_ minute: Int64) -> MessageInfo {
        TestScreen.message("m\(minute)", "text \(minute)", from: "Bob", minute: minute)
    }

    @Test func whatTheTerminalDidNotTakeIsNotRead() {
        var screen = screen()
        screen.isWritten = false
        screen.tell(MessageEvent(message(1)))
        #expect(screen.asked(ReadOperation.self).isEmpty)
        screen.isWritten = true
        screen.press(.control("l"))
        #expect(screen.asked(ReadOperation.self).map(\.through) == ["m1"])
    }

    @Test func aBurstThatIsLongerThanTheScreenIsNotRead() {
        var screen = screen()
        screen.isWritten = false
        for minute in 0..<100 { screen.tell(MessageEvent(message(Int64(minute)))) }
        screen.isWritten = true
        screen.press(.control("l"))
        #expect(screen.asked(ReadOperation.self).isEmpty)
        #expect(screen.text.contains("new above (Alt-N goes there, /read marks all)"))
        screen.press(.alt("n"))
        #expect(screen.text.contains("New") && screen.text.contains("text 0"))
        for _ in 0..<8 { screen.press(.named(.pageDown)) }
        #expect(screen.asked(ReadOperation.self).last?.through == "m99")
    }

    @Test func allCanBeMarkedAsRead() {
        var screen = screen()
        screen.isWritten = false
        for minute in 0..<100 { screen.tell(MessageEvent(message(Int64(minute)))) }
        screen.isWritten = true
        screen.type("/read")
        screen.press(.named(.enter))
        #expect(screen.asked(ReadOperation.self).map(\.through) == ["m99"])
        #expect(!screen.text.contains("new above"))
    }

    @Test func whatComesWhileNobodyIsThereIsNew() {
        var screen = screen([message(0)])
        screen.now += 60_000
        screen.take(.timePassed)
        screen.tell(MessageEvent(message(1)))
        #expect(screen.asked(ReadOperation.self).isEmpty)
        #expect(screen.text.contains(" New "))
        screen.press(.named(.right))
        #expect(screen.asked(ReadOperation.self).map(\.through) == ["m1"])
    }

    @Test func aNewConnectionDoesNotBringTheUserBack() {
        var screen = screen()
        screen.now += 60_000
        screen.take(.timePassed)
        _ = screen.asked(IdleOperation.self)
        let since = ControlTime(milliseconds: screen.now - 60_000)
        screen.take(.disconnected(), .connected)
        #expect(screen.asked(IdleOperation.self) == [IdleOperation(idle: true, since: since)])
        screen.answer(
            screen.askedPage(),
            [message(1)].map {
                var new = $0
                new.unread = true
                return new
            },
            of: TestScreen.direct("Bob", unread: 1)
        )
        #expect(screen.asked(ReadOperation.self).isEmpty)
    }

    @Test func afterALostConnectionMissedMessagesAreReadAsTheyAreShown() {
        var screen = screen([message(0)])
        screen.take(.disconnected(), .connected)
        let missed = (1..<60).map { number in
            var new = message(Int64(number))
            new.unread = true
            return new
        }
        screen.answer(screen.askedPage(), [message(0)] + missed, of: TestScreen.direct("Bob", unread: 59))
        #expect(screen.asked(ReadOperation.self).isEmpty)
        #expect(screen.text.contains("new above"))
    }

    @Test func sendingSkipsNothingThatIsNew() {
        var unread = (0..<60).map { message(Int64($0)) }
        for index in unread.indices { unread[index].unread = true }
        var screen = screen(unread, unread: 60)
        #expect(screen.text.contains("text 0") && !screen.text.contains("text 59"))
        screen.type("answer")
        screen.press(.named(.enter))
        #expect(screen.text.contains("It goes below what is new."))
        screen.tell(MessageEvent(TestScreen.message("own", "answer", minute: 60)))
        #expect(screen.text.contains(" New ") && !screen.text.contains("text 59"))
        #expect(screen.asked(ReadOperation.self).allSatisfy { $0.through != "own" && $0.through != "m59" })
    }

    @Test func aLongMessageIsReadWhenItsEndIsShown() {
        var long = message(1)
        long.text = String(repeating: "line\n", count: 40)
        long.unread = true
        var screen = screen([message(0), long], unread: 1)
        #expect(screen.asked(ReadOperation.self).isEmpty)
        for _ in 0..<4 { screen.press(.named(.pageDown)) }
        #expect(screen.asked(ReadOperation.self).map(\.through) == ["m1"])
    }

    @Test func manyNewMessagesAreNotAllReadAtOnce() {
        var screen = TestScreen()
        let info = TestScreen.direct("Bob", unread: 40_000)
        screen.begin([info])
        var pages = 0
        screen = TestScreen()
        screen.take(.connected)
        screen.answer(ConversationsOperation.self, ConversationsReply(conversations: [info]))
        while let request = screen.askedPage(), pages < 100 {
            pages += 1
            let page = (0..<request.limit).map { number -> MessageInfo in
                var new = message(Int64(900_000 - pages * 1_000 + number))
                new.unread = true
                return new
            }
            screen.answer(request, page, of: info, more: true)
        }
        #expect(pages < 15)
        #expect(screen.text.contains("40000 new above"))
        #expect(screen.asked(ReadOperation.self).isEmpty)
    }
}
