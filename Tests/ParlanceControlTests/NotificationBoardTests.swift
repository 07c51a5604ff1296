import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import ParlanceTexts

/// What stands on the desktop, and what is to be done about it.
@Suite struct NotificationBoardTests {
    private typealias Board = NotificationBoard
    private let conversation = NotificationBoard.Subject.conversation("c", who: "b")

    private func event(_ id: String, in conversation: String = "c", group: String? = nil) -> MessageEvent {
        MessageEvent(AttentionTests.message(id, in: conversation, group: group))
    }

    /// Performs the next step as a desktop would, which gives the number.
    private func show(_ board: inout Board, as number: UInt32) -> Board.Step? {
        let step = board.next()
        if case .show? = step { board.shown(as: number) }
        return step
    }

    @Test func severalMessagesOfAConversationAreOneNotification() {
        var board = Board()
        #expect(!board.hasStep && board.next() == nil)
        board.add(event("1"))
        #expect(show(&board, as: 7) == .show(conversation, replacing: 0, title: "Bob", body: "text 1"))
        board.add(event("2"))
        board.add(event("3"))
        let body: Phrase = "3 new messages\ntext 3"
        #expect(show(&board, as: 7) == .show(conversation, replacing: 7, title: "Bob", body: body))
        #expect(!board.hasStep && board.count == 1)
        board.read("d")
        #expect(!board.hasStep)
        board.read("c")
        #expect(board.next() == .close(7))
        #expect(board.next() == nil && board.count == 0)
    }

    @Test func oneCallAtATime() {
        var board = Board()
        board.add(event("1"))
        board.add(event("1", in: "d"))
        guard case .show(conversation, _, _, _)? = board.next() else { return #expect(Bool(false)) }
        #expect(!board.hasStep && board.next() == nil)
        board.shown(as: 1)
        #expect(board.hasStep)
        #expect(
            show(&board, as: 2) == .show(.conversation("d", who: "b"), replacing: 0, title: "Bob", body: "text 1")
        )
    }

    @Test func aConversationThatIsReadWhileItsNotificationIsOnItsWayIsClosedThen() {
        var board = Board()
        board.add(event("1"))
        _ = board.next()
        board.remove(conversation)
        board.add(event("2"))
        board.shown(as: 5)
        #expect(board.next() == .close(5))
        #expect(show(&board, as: 6) == .show(conversation, replacing: 0, title: "Bob", body: "text 2"))
        #expect(board.subject(of: 6) == conversation && board.subject(of: 5) == nil && board.subject(of: 0) == nil)
    }

    @Test func aReplacementThatIsOnItsWayIsClosedOnce() {
        var board = Board()
        board.add(event("1"))
        _ = show(&board, as: 5)
        board.add(event("2"))
        _ = board.next()
        board.read("c")
        board.shown(as: 5)
        #expect(board.next() == .close(5))
        #expect(board.next() == nil)
    }

    @Test func aNotificationThatWasClosedBeginsAnew() {
        var board = Board()
        board.add(event("1"))
        _ = show(&board, as: 1)
        board.closed(9)
        #expect(board.count == 1)
        board.closed(1)
        #expect(board.count == 0)
        board.add(event("2"))
        #expect(show(&board, as: 2) == .show(conversation, replacing: 0, title: "Bob", body: "text 2"))
        // What came in the same moment is still to be shown, under a new number.
        board.add(event("3"))
        board.closed(2)
        let body: Phrase = "2 new messages\ntext 3"
        #expect(show(&board, as: 3) == .show(conversation, replacing: 0, title: "Bob", body: body))
    }

    @Test func aRefusedNotificationIsForgottenAndTheNextIsTried() {
        var board = Board()
        board.add(event("1"))
        _ = board.next()
        board.failed()
        #expect(board.count == 0 && !board.hasStep)
        board.add(event("2"))
        #expect(show(&board, as: 1) != nil)
        board.forgetAll()
        #expect(board.count == 0 && !board.hasStep && board.subject(of: 1) == nil)
    }

    @Test func aDeletedTextIsNotQuotedAnyMore() {
        var board = Board()
        board.add(event("1"))
        _ = show(&board, as: 1)
        var edited = AttentionTests.message("1")
        edited.text = "other"
        board.changed("1", to: edited)
        #expect(show(&board, as: 1) == .show(conversation, replacing: 1, title: "Bob", body: "other"))
        board.changed("1", to: edited)
        #expect(!board.hasStep, "a reaction changes nothing of it")
        board.add(event("2"))
        board.changed("1", to: nil)
        #expect(show(&board, as: 1) == .show(conversation, replacing: 1, title: "Bob", body: "2 new messages\ntext 2"))
        var deleted = AttentionTests.message("2")
        deleted.deleted = DeletionInfo(by: Person(id: "b", displayName: "Bob"), time: deleted.time)
        board.changed("2", to: deleted)
        #expect(show(&board, as: 1) == .show(conversation, replacing: 1, title: "Bob", body: "2 new messages"))
        board.add(event("1", in: "d"))
        _ = show(&board, as: 2)
        board.changed("1", to: nil)
        #expect(board.next() == .close(2))
    }

    @Test func requestsAreOneNotification() {
        var board = Board()
        var eve = RequestEvent(peer: "e", name: "Eve", preview: "Hi", time: AttentionTests.message().time)
        eve.warning = "careful"
        board.add(eve)
        let body: Phrase = "Hi\nWarning: careful"
        #expect(show(&board, as: 1) == .show(.requests, replacing: 0, title: "Eve asks to talk", body: body))
        board.add(RequestEvent(peer: "m", name: "Mallory ✓", preview: "", time: eve.time))
        #expect(
            show(&board, as: 1) == .show(.requests, replacing: 1, title: "Mallory and others ask to talk", body: "")
        )
        board.answered("e")
        #expect(!board.hasStep)
        board.answered("m")
        #expect(board.next() == .close(1))
    }

    @Test func aFloodIsBounded() {
        var board = Board()
        for number in 1...10_000 { board.add(event("\(number)", in: "\(number % 100)", group: "Crew")) }
        #expect(board.count == Board.limit)
        var shown: [Board.Step] = []
        var number: UInt32 = 0
        while board.hasStep {
            number += 1
            if let step = show(&board, as: number) { shown.append(step) }
        }
        #expect(shown.count == Board.limit)
        for number in 10_001...10_100 { board.add(event("\(number)", in: "\(number)")) }
        var closed = 0
        while board.hasStep { if case .close? = show(&board, as: 1_000 + number) { closed += 1 } else { number += 1 } }
        #expect(closed == Board.limit && board.count == Board.limit)
    }

    @Test func aMentionSaysSo() {
        var message = AttentionTests.message(group: "Crew\u{1B}[31m ✓")
        var board = Board()
        board.add(MessageEvent(message))
        #expect(show(&board, as: 1) != nil && board.subject(of: 1) == .conversation("c", who: "c"))
        #expect(NotificationText.title(message) == "Crew\\u{1B}[31m")
        #expect(NotificationText.line(message) == "Bob: text m")
        message.mentionsMe = true
        message.senderTrust = .verified
        #expect(NotificationText.line(message) == "Bob ✓ mentions you: text m")
    }

    @Test func textsOfOthersAreHarmlessAndShort() {
        #expect(NotificationText.short("one\r\ntwo\u{202E}\u{7}") == "one two\\u{202E}\\u{7}")
        #expect(NotificationText.short("") == "")
        let exact = String(repeating: "x", count: 200)
        #expect(NotificationText.short(exact) == exact)
        #expect(NotificationText.short(exact + "y") == exact + "…")
        let stacked = "a" + String(repeating: "\u{301}", count: 60_000)
        #expect(NotificationText.short(stacked).unicodeScalars.count == 401)
        let family = String(repeating: "👨‍👩‍👧‍👦", count: 100)
        #expect(NotificationText.short(family).unicodeScalars.count <= 401)
        #expect(NotificationText.short(String(repeating: "\u{1B}", count: 60_000)).utf8.count < 2_000)
    }
}
