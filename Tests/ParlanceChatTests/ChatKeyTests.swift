import ParlanceControl
import ParlanceTerminal
import ParlanceWords
import Testing

@testable import ParlanceChat

/// What the keys do.
@Suite struct ChatKeyTests {
    private func screen(_ messages: [MessageInfo] = []) -> TestScreen {
        var screen = TestScreen()
        screen.begin(
            [TestScreen.direct("Bob"), TestScreen.group("Crew"), TestScreen.direct("Cleo")],
            messages: messages
        )
        return screen
    }

    private let refusal = ControlFailure(code: "blocked", message: "Bob is blocked.", advice: "")

    @Test func aTextIsSentAndComesBackIfItIsRefused() {
        var screen = screen()
        screen.type("Lünch 日本?")
        screen.press(.named(.enter))
        #expect(screen.chat.composer.draft.editor.isEmpty)
        #expect(screen.asked(SendOperation.self) == [SendOperation(who: "bobbob", text: "Lünch 日本?")])
        screen.type("x")
        screen.press(.named(.backspace))
        screen.type("again")
        screen.press(.named(.enter))
        screen.refuse(SendOperation.self, refusal)
        #expect(screen.chat.composer.draft.editor.text == "again")
        #expect(screen.text.contains("Bob is blocked."))
    }

    @Test func aPasteOfSeveralLinesSendsNothing() {
        var screen = screen()
        screen.press(.paste("one\ntwo\n"))
        #expect(screen.asked(SendOperation.self).isEmpty)
        #expect(screen.lines.suffix(3).map { $0.dropFirst(21) } == ["> one", "  two", ""])
        screen.press(.named(.enter))
        #expect(screen.asked(SendOperation.self).map(\.text) == ["one\ntwo\n"])
    }

    /// Terminals that do not mark pastes send them as if they were typed, but at once.
    @Test(arguments: [[Key.named(.up)], [.named(.up), .text("d")], [.named(.f2)], [.text("?")]])
    func aPasteAmongKeysGoesToTheLine(before: [Key]) {
        var screen = screen([TestScreen.message("m1", "first")])
        for key in before { screen.press(key) }
        screen.press(.paste("dyn"), .named(.enter, .atOnce))
        #expect(screen.chat.composer.draft.editor.text == "dyn\n" && screen.chat.composer.draft.aim == .message)
        #expect(screen.asked(DeleteOperation.self).isEmpty && screen.asked(SendOperation.self).isEmpty)
        #expect(screen.chat.history.selected == nil && !screen.chat.list.isFocused && screen.chat.sheet == nil)
        // Whoever types ahead on a slow connection sends as always.
        screen.press(.control("c"), .paste("dyn"), .named(.enter, .atOnce))
        #expect(screen.asked(SendOperation.self).map(\.text) == ["dyn"])
        screen.press(.named(.up), .text("d"), .text("y"))
        #expect(screen.asked(DeleteOperation.self).count == 1)
    }

    @Test func aCommandThatTakesNothingRefusesFurtherWords() {
        var screen = screen()
        for command in ["/quit now", "/who x", "/fetch zz", "/help me"] {
            screen.type(command)
            screen.press(.named(.enter))
            #expect(screen.text.contains("takes no argument. The text stays here."), "\(command)")
            #expect(screen.chat.composer.draft.editor.text == command && !screen.hasLeft && screen.chat.sheet == nil)
            screen.press(.control("c"))
        }
        for command in ["/clear Bob", "/delete --yes Bob"] {
            screen.type(command)
            screen.press(.named(.enter))
            #expect(screen.text.contains("Usage: /\(command.dropFirst().prefix { $0 != " " }) --yes"), "\(screen.text)")
            screen.press(.control("c"))
        }
        #expect(screen.asked(ConversationDeleteOperation.self).isEmpty)
    }

    @Test func withoutADaemonTheTextStays() {
        var screen = screen()
        screen.take(.disconnected())
        screen.type("hello")
        screen.press(.named(.enter))
        #expect(screen.chat.composer.draft.editor.text == "hello" && screen.asked(SendOperation.self).isEmpty)
        #expect(screen.text.contains("The daemon does not answer."))
        screen.take(.connected)
        #expect(screen.askedPage()?.who == "bobbob")
        screen.press(.named(.enter))
        #expect(screen.asked(SendOperation.self).count == 1)
    }

    @Test func conversationsAreChosenAndKeepTheirDrafts() {
        var screen = screen()
        screen.type("for Bob")
        screen.press(.alt("2"))
        #expect(screen.chat.open?.who == "g-Crew" && screen.chat.composer.draft.editor.isEmpty)
        screen.press(.named(.down, .alt))
        #expect(screen.chat.open?.who == "cleocleo")
        screen.press(.named(.tab), .named(.up), .named(.up), .named(.enter))
        #expect(screen.chat.open?.who == "bobbob" && screen.chat.composer.draft.editor.text == "for Bob")
        #expect(screen.asked(HistoryOperation.self).map(\.who) == ["g-Crew", "cleocleo", "bobbob"])
    }

    @Test func aSelectedMessageIsAnsweredEditedDeletedAndReactedTo() {
        let messages = [
            TestScreen.message("m1", "first"), TestScreen.message("m2", "second", from: "Bob", minute: 1),
        ]
        var screen = screen(messages)
        screen.press(.named(.up), .text("r"))
        #expect(screen.text.contains("Answer to Bob ✓: second"))
        screen.type("yes")
        screen.press(.named(.enter))
        #expect(screen.asked(ReplyOperation.self) == [ReplyOperation(id: "m2", text: "yes")])

        screen.press(.named(.up), .text("e"))
        #expect(screen.text.contains("Only the author can edit a message."))
        screen.press(.named(.up), .text("e"))
        #expect(screen.chat.composer.draft.editor.text == "first")
        screen.type("!")
        screen.press(.named(.enter))
        #expect(screen.asked(EditOperation.self) == [EditOperation(id: "m1", text: "first!")])

        screen.press(.named(.up), .text("+"))
        screen.type("hear")
        screen.press(.named(.tab), .named(.enter))
        #expect(screen.asked(ReactOperation.self) == [ReactOperation(id: "m2", emoji: "❤️")])

        screen.press(.named(.up), .text("d"))
        #expect(screen.text.contains("Delete Bob ✓: second?"))
        screen.press(.text("n"))
        #expect(screen.asked(DeleteOperation.self).isEmpty)
        screen.press(.named(.up), .text("d"), .text("y"))
        #expect(screen.asked(DeleteOperation.self) == [DeleteOperation(id: "m2")])
        #expect(screen.chat.composer.draft.editor.isEmpty)
    }

    @Test func aBegunTextComesBackAfterAnAnswer() {
        var screen = screen([TestScreen.message("m2", "second", from: "Bob", minute: 1)])
        screen.press(.named(.up))
        screen.type("r")
        screen.type("no")
        screen.press(.control("c"))
        #expect(
            screen.chat.composer.draft.editor.isEmpty && !screen.hasLeft && screen.chat.composer.draft.aim == .message
        )
        screen.press(.named(.escape))
        screen.type("begun")
        screen.press(.named(.tab), .alt("2"), .alt("1"))
        #expect(screen.chat.composer.draft.editor.text == "begun")
    }

    /// Who has no such letters on the keyboard types others, as everywhere.
    @Test(arguments: [("@Zo", "@Zoë "), ("@zoe", "@Zoë "), ("/open zo", "/open Zoë"), ("@ZOË", "@Zoë ")])
    func tabFindsANameWithoutItsAccents(typed: String, completed: String) {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Zoë")])
        screen.type(typed)
        screen.press(.named(.tab))
        #expect(screen.chat.composer.draft.editor.text == completed)
    }

    @Test func commandsAreCompletedAndDone() {
        var screen = screen([TestScreen.message("m2", "second", from: "Bob", minute: 1)])
        screen.type("/unm")
        screen.press(.named(.tab))
        #expect(screen.chat.composer.draft.editor.text == "/unmute ")
        screen.press(.named(.enter))
        screen.answer(
            UnmuteOperation.self,
            PreferenceInfo(conversation: "c-Bob", title: "Bob", pinned: false, muted: false)
        )
        #expect(screen.text.contains("Notifications on."))
        screen.type("/reply gladly")
        screen.press(.named(.enter))
        #expect(screen.asked(ReplyOperation.self) == [ReplyOperation(id: "m2", text: "gladly")])
        screen.type("/hlep")
        screen.press(.named(.enter))
        #expect(screen.text.contains("There is no command /hlep."))
        #expect(screen.chat.composer.draft.editor.text == "/hlep")
        screen.press(.control("c"))
        screen.type("//etc")
        screen.press(.named(.enter))
        #expect(screen.asked(SendOperation.self).map(\.text) == ["/etc"])
        screen.type("/quit")
        screen.press(.named(.enter))
        #expect(screen.hasLeft)
    }

    @Test func helpIsShownAndLeft() {
        var screen = screen()
        screen.press(.text("?"))
        #expect(screen.lines[0] == "Keys and commands" && screen.text.contains("/open WHO"))
        screen.press(.named(.escape))
        #expect(!screen.text.contains("Keys and commands"))
        screen.press(.text("?"), .text("?"))
        #expect(screen.chat.composer.draft.editor.text == "??")
        screen.press(.control("c"))
        #expect(!screen.hasLeft)
        screen.press(.control("c"))
        #expect(screen.hasLeft)
    }

    @Test func typingIsToldNowAndThen() {
        var screen = screen()
        screen.type("abc")
        #expect(screen.asked(TypingOperation.self).map(\.who) == ["bobbob"])
        screen.now += 2000
        screen.type("d")
        #expect(screen.asked(TypingOperation.self).count == 1)
        screen.press(.control("u"))
        screen.type("/he")
        #expect(screen.asked(TypingOperation.self).isEmpty)
    }

    @Test func whatIsShownIsReported() {
        var screen = screen()
        #expect(screen.asked(ShowsOperation.self).map(\.conversation) == ["c-Bob"])
        screen.type("text")
        screen.tell(MessageEvent(TestScreen.message("m1", "hello", from: "Bob")))
        #expect(screen.asked(ShowsOperation.self).isEmpty)
        screen.press(.alt("2"))
        screen.answer(
            HistoryOperation.self,
            HistoryReply(conversation: TestScreen.group("Crew"), messages: [], more: false)
        )
        #expect(screen.asked(ShowsOperation.self).map(\.conversation) == [nil, "g-Crew"])
        screen.press(.named(.f1))
        #expect(screen.asked(ShowsOperation.self).map(\.conversation) == [nil])
        screen.press(.named(.escape))
        #expect(screen.asked(ShowsOperation.self).map(\.conversation) == ["g-Crew"])
        // A daemon that was started again knows nothing of it.
        screen.take(.disconnected(), .connected)
        #expect(screen.asked(ShowsOperation.self).map(\.conversation) == ["g-Crew"])
    }

    @Test func idlenessIsReported() {
        var screen = screen()
        #expect(screen.asked(IdleOperation.self) == [IdleOperation(idle: false)])
        let last = screen.now
        screen.now += 30_000
        screen.take(.timePassed)
        #expect(screen.asked(IdleOperation.self).isEmpty)
        #expect(screen.chat.deadline == ControlTime(milliseconds: last + 60_000))
        screen.now += 30_000
        screen.take(.timePassed)
        #expect(screen.asked(IdleOperation.self) == [IdleOperation(idle: true, since: ControlTime(milliseconds: last))])
        #expect(screen.chat.deadline == nil)
        screen.press(.named(.down))
        #expect(screen.asked(IdleOperation.self) == [IdleOperation(idle: false)])
    }

    /// Terminals send Esc and a key right behind it as they send a character with Alt. Nothing typed may be lost: the rest
    /// of a command would be sent as a text.
    @Test func escAndACharacterAreBoth() {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")], messages: [TestScreen.message("m1", "hi", from: "Bob")])
        screen.press(.named(.up))
        screen.press(.alt("/"), .paste("file nofile.txt"), .named(.enter, .atOnce))
        #expect(screen.sentFiles == ["nofile.txt to bobbob"])
        #expect(screen.asked(SendOperation.self).isEmpty && screen.chat.history.selected == nil)
        for scalar in "xN[O? é0".unicodeScalars { screen.press(.alt(scalar)) }
        #expect(screen.chat.composer.draft.editor.text == "xN[O? é0")
        screen.press(.alt("b"), .alt("9"))
        #expect(screen.chat.composer.draft.editor.text == "xN[O? é0")
    }

    /// Esc leaves what was opened last and nothing besides, and Alt has its own meaning in each of them.
    @Test func escAndACharacterAreBothWhateverIsOpen() {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")], messages: [TestScreen.message("m1", "hi", from: "Bob")])
        screen.press(.named(.up), .named(.f1))
        #expect(screen.chat.sheet != nil)
        screen.press(.alt("r"))
        #expect(screen.chat.sheet == nil && screen.chat.composer.draft.aim == .answer(to: "m1"))
        screen.press(.named(.escape), .control("f"))
        screen.type("two words")
        screen.press(.alt("b"))
        screen.type("x")
        #expect(screen.chat.search.isOpen && screen.chat.search.editor.text == "two xwords")
        screen.press(.alt("n"))
        #expect(!screen.chat.search.isOpen && screen.chat.composer.draft.editor.text == "n")
    }

    @Test func tabCompletesEmoji() {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")])
        screen.type("done :tada")
        screen.press(.named(.tab))
        #expect(screen.chat.composer.draft.editor.text == "done 🎉")
        screen.type(" :")
        screen.press(.named(.tab))
        #expect(screen.text.contains("👍 +1") && screen.text.contains("party"))
        screen.type("party_p")
        screen.press(.named(.tab))
        #expect(screen.chat.composer.draft.editor.text == "done 🎉 🎉")
        screen.type(" :hear")
        screen.press(.named(.tab))
        #expect(screen.chat.composer.draft.editor.text == "done 🎉 🎉 ❤️", "of several, the usual one")
        screen.type(" :heart_")
        screen.press(.named(.tab))
        #expect(screen.text.contains("heart_eyes"))
    }
}
