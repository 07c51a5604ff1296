import ParlanceControl
import ParlanceTerminal
import ParlanceWords
import Testing

@testable import ParlanceChat

/// What was begun is there again at the next screen.
@Suite struct ChatKeptDraftTests {
    private let crew = TestScreen.group("Crew")
    private let messages = [TestScreen.message("m1", "mine"), TestScreen.message("m2", "hers", from: "Bob", minute: 1)]

    /// A screen that has asked for the drafts and got some.
    private func screen(_ found: [KeptDraft] = [], who: String? = nil) -> TestScreen {
        var screen = TestScreen(who: who, keepsDrafts: true)
        screen.begin([TestScreen.direct("Bob"), crew], messages: messages)
        screen.answer(IDOperation.self, IdentityInfo(id: TestScreen.me, name: "Ada"))
        screen.take(.draftsRead(found))
        return screen
    }

    @Test func eachNodeHasItsDrafts() {
        #expect(screen().draftOwner == TestScreen.me)
        var plain = TestScreen()
        plain.begin([TestScreen.direct("Bob")])
        #expect(plain.asked(IDOperation.self).isEmpty, "only a screen that keeps drafts asks")
    }

    @Test func whatIsTypedIsKeptWithinASecond() {
        var screen = screen()
        screen.type("half")
        #expect(screen.keptDrafts.isEmpty)
        let due = screen.chat.deadline?.milliseconds ?? .max
        #expect(due <= screen.now + 1_000)
        screen.pass(1_000)
        #expect(screen.keptDrafts == [[KeptDraft(who: "bobbob", text: "half")]])
        screen.pass(5_000)
        #expect(screen.keptDrafts.count == 1, "nothing has changed since")
        screen.type(" a word")
        screen.press(.alt("2"))
        screen.type("all")
        #expect(
            screen.chat.unkeptDrafts()
                == [KeptDraft(who: "bobbob", text: "half a word"), KeptDraft(who: "g-Crew", text: "all")]
        )
        #expect(screen.chat.unkeptDrafts().isEmpty)
    }

    @Test func whatWasKeptComesBackToItsConversation() {
        var screen = screen([KeptDraft(who: "bobbob", text: "for Bob"), KeptDraft(who: "g-Crew", text: "for all")])
        #expect(screen.chat.composer.draft.editor.text == "for Bob")
        screen.press(.alt("2"))
        #expect(screen.chat.composer.draft.editor.text == "for all")
        #expect(screen.chat.unkeptDrafts().isEmpty)
    }

    @Test func whatIsEmptiedIsForgottenAtOnce() {
        for key in [Key.control("u"), .control("c")] {
            var screen = screen([KeptDraft(who: "bobbob", text: "hello")])
            screen.press(key)
            #expect(screen.keptDrafts == [[KeptDraft(who: "bobbob")]], "\(key)")
        }
    }

    /// A text is kept until the daemon has it: the screen may end before that.
    @Test func whatIsSentIsForgottenWhenTheDaemonHasIt() {
        var screen = screen([KeptDraft(who: "bobbob", text: "hello")])
        screen.press(.named(.enter))
        screen.pass(2_000)
        #expect(screen.keptDrafts.isEmpty && screen.chat.composer.draft.editor.isEmpty)
        var other = screen
        other.type("next")
        #expect(other.chat.unkeptDrafts() == [KeptDraft(who: "bobbob", text: "hello\nnext")])
        let reply = SendReply(
            id: "m9",
            conversation: "c-Bob",
            sequence: 1,
            time: ControlTime(milliseconds: screen.now),
            status: .sending
        )
        screen.answer(SendOperation.self, reply)
        #expect(screen.keptDrafts == [[KeptDraft(who: "bobbob")]])
    }

    @Test func aRefusedTextIsKeptAgain() {
        var screen = screen([KeptDraft(who: "bobbob", text: "hello")])
        screen.press(.named(.enter))
        screen.refuse(SendOperation.self, .connectionLost)
        #expect(
            screen.chat.composer.draft.editor.text == "hello" && screen.chat.unkeptDrafts().isEmpty,
            "it is there still"
        )
    }

    /// The conversation got its ID after the text was sent: a refused text comes back to it.
    @Test func aRefusedTextComesBackToWhoWasMeant() {
        var screen = TestScreen(who: "Bob")
        screen.take(.connected)
        screen.type("early")
        screen.press(.named(.enter))
        screen.answer(screen.askedPage(), messages, of: TestScreen.direct("Bob"))
        screen.refuse(SendOperation.self, ControlFailure(code: "busy", message: "No room.", advice: "Wait."))
        #expect(screen.chat.composer.draft.editor.text == "early")
    }

    @Test func anAnswerAndAnEditComeBackWithWhatTheyAreAbout() {
        var before = screen()
        before.type("begun")
        before.press(.control("a"), .control("k"), .named(.up), .text("r"))
        before.type("yes")
        let kept = before.chat.unkeptDrafts()
        #expect(kept == [KeptDraft(who: "bobbob", text: "yes", answers: "m2")])
        var after = screen(kept)
        #expect(after.chat.composer.draft.aim == .answer(to: "m2") && after.chat.composer.draft.editor.text == "yes")
        after.press(.named(.enter))
        #expect(after.asked(ReplyOperation.self) == [ReplyOperation(id: "m2", text: "yes")])

        after = screen([KeptDraft(who: "bobbob", text: "mine!", edits: "m1", aside: "begun")])
        after.press(.named(.enter))
        #expect(after.asked(EditOperation.self) == [EditOperation(id: "m1", text: "mine!")])
        #expect(after.chat.composer.draft.editor.text == "begun")

        before = screen()
        before.press(.named(.up), .named(.up), .text("e"))
        #expect(before.chat.unkeptDrafts().isEmpty, "nothing was changed yet")
    }

    @Test func whatACommandIsAboutIsKept() {
        var before = screen()
        before.type("/reply no")
        var after = screen(before.chat.unkeptDrafts())
        after.press(.named(.enter))
        #expect(after.asked(ReplyOperation.self) == [ReplyOperation(id: "m2", text: "no")])
    }

    @Test func whatWasKeptStandsBeforeWhatWasTypedMeanwhile() {
        var screen = TestScreen(who: "Bob", keepsDrafts: true)
        screen.take(.connected)
        screen.answer(IDOperation.self, IdentityInfo(id: TestScreen.me, name: "Ada"))
        screen.type("later")
        // Bob was called by his name when the screen before ended, and is known by now.
        screen.answer(screen.askedPage(), messages, of: TestScreen.direct("Bob"))
        screen.take(.draftsRead([KeptDraft(who: "bobbob", text: "first"), KeptDraft(who: "Bob", text: "second")]))
        #expect(screen.chat.composer.draft.editor.text == "second\nfirst\nlater")
        #expect(
            screen.keptDrafts.last
                == [KeptDraft(who: "Bob"), KeptDraft(who: "bobbob", text: "second\nfirst\nlater")]
        )
    }

    @Test func anAnswerThatWasBegunLosesNothing() {
        var screen = TestScreen(keepsDrafts: true)
        screen.begin([TestScreen.direct("Bob"), crew], messages: messages)
        screen.type("aside")
        screen.press(.control("u"), .named(.up), .text("r"))
        screen.type("new")
        screen.take(.draftsRead([KeptDraft(who: "bobbob", text: "old", answers: "m1", aside: "message")]))
        #expect(screen.chat.composer.draft.aim == .answer(to: "m2") && screen.chat.composer.draft.editor.text == "new")
        screen.press(.named(.escape), .control("p"))
        screen.press(.control("p"))
        #expect(screen.chat.composer.draft.editor.text == "old")
        screen.press(.control("n"), .control("n"))
        #expect(screen.chat.composer.draft.editor.text == "message")
    }

    /// Nobody else takes what was written from its author.
    @Test func aGroupThatRemovesItsUserTakesNoDraft() {
        var left = crew
        left.isMember = false
        var screen = screen([KeptDraft(who: "g-Crew", text: "for all")])
        screen.pass(1_000)
        screen.tell(GroupInfo(id: "g-Crew", title: "Crew", isMember: false, isAdmin: false, events: 9, members: []))
        screen.answer(ConversationsOperation.self, ConversationsReply(conversations: [left]))
        screen.pass(1_000)
        #expect(screen.keptDrafts.isEmpty && screen.chat.unkeptDrafts().isEmpty)
    }

    @Test func withoutAConversationTheTextGoesOnToTheNext() {
        var before = TestScreen(keepsDrafts: true)
        before.begin([])
        before.take(.draftsRead([]))
        before.type("alone")
        let kept = before.chat.unkeptDrafts()
        #expect(kept == [KeptDraft(who: "", text: "alone")])
        #expect(screen(kept).chat.composer.draft.editor.text == "alone")
    }

    @Test func whatCouldNotBeKeptIsTriedAgain() {
        var screen = screen([KeptDraft(who: "g-Crew", text: "gone")])
        screen.type("half")
        screen.press(.alt("2"), .control("u"))
        screen.pass(1_000)
        let changes = [KeptDraft(who: "bobbob", text: "half"), KeptDraft(who: "g-Crew")]
        #expect(screen.keptDrafts.flatMap(\.self).sorted { $0.who < $1.who } == changes)
        let failure = ControlFailure(code: "fileFailed", message: "No room.", advice: "Make some.")
        screen.take(.draftsFailed(failure, changes))
        #expect(screen.text.contains("No room."))
        screen.keptDrafts = []
        screen.pass(5_000)
        #expect(screen.keptDrafts == [changes])
        screen.take(.draftsFailed(failure, changes))
        #expect(screen.chat.unkeptDrafts() == changes, "and when the screen ends")
    }
}
