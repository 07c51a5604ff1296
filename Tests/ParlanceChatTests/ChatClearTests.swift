import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import Testing

@testable import ParlanceChat

/// `/clear` and `/delete` remove nothing unasked; `/hide` and `/show` change the list.
@Suite struct ChatClearTests {
    private func screen() -> TestScreen {
        var screen = TestScreen(width: 400)
        screen.begin([TestScreen.direct("Bob"), TestScreen.group("Crew")])
        return screen
    }

    private func enter(_ text: String, _ screen: inout TestScreen) {
        screen.press(.control("u"))
        screen.type(text)
        screen.press(.named(.enter))
    }

    @Test func theyAskBeforeAnythingIsRemoved() {
        for (command, follows) in [("/clear", false), ("/delete", true)] {
            var screen = screen()
            for text in ["\(command) --no", command] {
                enter(text, &screen)
                #expect(screen.asked(ConversationClearOperation.self).isEmpty)
                #expect(screen.asked(ConversationDeleteOperation.self).isEmpty)
                #expect(screen.chat.composer.draft.editor.text == text)
                if text != command { #expect(screen.text.contains("Usage: \(command) --yes")) }
            }
            #expect(screen.text.contains("This removes everything that is in Bob ✓ now"))
            #expect(screen.text.contains("leaves your list") == follows)
            #expect(screen.text.contains("To do it: \(command) --yes"))
        }
    }

    /// Nobody gets anything from a group that was left, so nothing of it waits.
    @Test func whatWaitsIsSaidByCase() {
        var group = TestScreen.group("Crew")
        func says(_ words: String) -> Bool { "\(ClearText.question(group, deletes: true))".contains(words) }
        #expect(says("stays until it is delivered."))
        group.isMember = false
        group.ended = DepartureInfo(by: Person(id: "ada", displayName: "Ada"), time: ControlTime(milliseconds: 0))
        #expect(says("stays: you were removed") && !says("stays until it is delivered."))
        group.ended?.by.me = true
        #expect(says("goes too: you left") && !says("stays until it is delivered."))
    }

    @Test func theyAreDoneAndSaid() {
        var screen = screen()
        enter("/clear --yes", &screen)
        #expect(screen.chat.composer.draft.editor.isEmpty)
        screen.answer(
            ConversationClearOperation.self,
            ClearReply(conversation: "c-Bob", title: "Bob", trust: .verified, waiting: 1)
        )
        #expect(screen.text.contains("Bob ✓ is cleared. 1 entry of yours stays until it is"))
        enter("/clear --yes", &screen)
        #expect(screen.asked(ConversationClearOperation.self) == [ConversationClearOperation(who: "bobbob")])
        enter("/delete --yes", &screen)
        #expect(screen.asked(ConversationDeleteOperation.self) == [ConversationDeleteOperation(who: "bobbob")])
    }

    @Test func whatIsHiddenIsNotListed() {
        var screen = screen()
        enter("/hide", &screen)
        #expect(screen.asked(ConversationHideOperation.self) == [ConversationHideOperation(who: "bobbob")])
        enter("/show Crew", &screen)
        #expect(screen.asked(ConversationShowOperation.self) == [ConversationShowOperation(who: "Crew")])
        var hidden = TestScreen.group("Crew")
        hidden.hidden = true
        #expect(screen.chat.list.conversations.count == 2)
        enter("/hide", &screen)
        var info = PreferenceInfo(conversation: hidden.id, title: "Crew", pinned: false, muted: false)
        info.hidden = true
        screen.answer(ConversationHideOperation.self, info)
        screen.pass(2_000)
        screen.answer(
            ConversationsOperation.self,
            ConversationsReply(conversations: [TestScreen.direct("Bob"), hidden])
        )
        #expect(screen.chat.list.conversations.map(\.title) == ["Bob"])
    }
}
