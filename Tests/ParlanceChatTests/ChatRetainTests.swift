import ParlanceControl
import ParlanceTerminal
import Testing

@testable import ParlanceChat

/// `/retain` removes nothing unasked, and says what the command says.
@Suite struct ChatRetainTests {
    private func screen() -> TestScreen {
        var screen = TestScreen(width: 200)
        screen.begin([TestScreen.direct("Bob"), TestScreen.group("Crew")])
        return screen
    }

    private func enter(_ text: String, _ screen: inout TestScreen) {
        screen.press(.control("u"))
        screen.type(text)
        screen.press(.named(.enter))
    }

    @Test func itAsksBeforeAnythingIsRemoved() {
        var screen = screen()
        enter("/retain 90d", &screen)
        #expect(screen.asked(RetainOperation.self).isEmpty && screen.chat.composer.draft.editor.text == "/retain 90d")
        let question =
            "This would remove what is older than 90 days from this computer for good. To do it: /retain 90d --yes"
        #expect(screen.text.contains(question))
        screen.type(" --yes")
        screen.press(.named(.enter))
        #expect(screen.asked(RetainOperation.self) == [RetainOperation(who: "bobbob", seconds: 7_776_000)])
        #expect(screen.chat.composer.draft.editor.isEmpty)
    }

    @Test func whatIsSetIsSaidAndShownAgain() {
        var screen = screen()
        enter("/retain", &screen)
        #expect(screen.text.contains("Messages of Bob ✓ are kept."))
        enter("/retain 12h --yes", &screen)
        var info = PreferenceInfo(conversation: "c-Bob", title: "Bob", trust: .verified, pinned: false, muted: false)
        info.retain = 43_200
        screen.answer(RetainOperation.self, info)
        #expect(screen.text.contains("Messages of Bob ✓ are removed from this computer after 12 hours"))
        screen.press(.named(.escape))
        var listed = TestScreen.direct("Bob")
        listed.retain = 43_200
        screen.answer(ConversationsOperation.self, ConversationsReply(conversations: [listed]))
        enter("/retain", &screen)
        #expect(screen.text.contains("after 12 hours"))
        enter("/retain OFF", &screen)
        #expect(screen.asked(RetainOperation.self) == [RetainOperation(who: "bobbob", seconds: nil)])
    }

    @Test func whatIsNoLengthIsRefused() {
        for text in ["soon", "90", "90d --no", "90d yes", "90d --yes now", "99999999999999999999d", "-1d"] {
            var screen = screen()
            enter("/retain \(text)", &screen)
            #expect(screen.text.contains("Usage: /retain 12h, 90d, 52w, off"), "\(text)")
            #expect(
                screen.asked(RetainOperation.self).isEmpty
                    && screen.chat.composer.draft.editor.text == "/retain \(text)"
            )
        }
        for text in ["59m", "3651d --yes"] {
            var screen = screen()
            enter("/retain \(text)", &screen)
            #expect(screen.text.contains("Messages are kept for 1 hour to 10 years"), "\(text)")
            #expect(screen.asked(RetainOperation.self).isEmpty)
        }
    }

    @Test func tabCompletesItAndItsConfirmation() {
        var screen = screen()
        for (typed, completed) in [
            ("/ret", "/retain "), ("/retain 9", "/retain 90d "), ("/retain o", "/retain off"),
            ("/retain 90d ", "/retain 90d --yes"), ("/retain 7d --", "/retain 7d --yes"),
            ("/retain off ", "/retain off "),
        ] {
            screen.press(.control("u"))
            screen.type(typed)
            screen.press(.named(.tab))
            #expect(screen.chat.composer.draft.editor.text == completed)
        }
    }

    @Test func howLongMessagesStayForEverybodyIsSaidAndAsked() {
        var screen = screen()
        for (text, seconds) in [("/disappear", nil), ("/disappear 7d", 604_800), ("/disappear off", 0)] {
            enter(text, &screen)
            #expect(screen.asked(DisappearOperation.self) == [DisappearOperation(who: "bobbob", seconds: seconds)])
        }
        enter("/disappear", &screen)
        var bob = TestScreen.direct("Bob")
        bob.disappear = DisappearInfo(others: 604_800)
        screen.answer(DisappearOperation.self, bob)
        #expect(screen.text.contains("Bob ✓ wants that after 7 days. To agree: /disappear 7d"))
        enter("/disappear 7d", &screen)
        bob.disappear = DisappearInfo(after: 604_800, you: 604_800, others: 604_800)
        screen.answer(DisappearOperation.self, bob)
        #expect(screen.text.contains("Messages of Bob ✓ disappear from every computer after 7 days"))
        screen.press(.named(.escape))
        #expect(screen.text.contains("messages disappear after 7 days"), "it stands beside the name")
        for (text, told) in [("soon", "Usage: /disappear 12h"), ("5m", "Messages are kept for 1 hour to 10 years")] {
            enter("/disappear \(text)", &screen)
            #expect(screen.text.contains(told) && screen.chat.composer.draft.editor.text == "/disappear \(text)")
        }
    }

    @Test func itNeedsAConversationAndADaemon() {
        var screen = TestScreen(width: 120)
        screen.begin([])
        enter("/retain 90d --yes", &screen)
        #expect(
            screen.text.contains("No conversation is open.")
                && screen.chat.composer.draft.editor.text == "/retain 90d --yes"
        )
        screen = self.screen()
        screen.take(.disconnected())
        enter("/retain 90d --yes", &screen)
        #expect(screen.text.contains("The daemon does not answer.") && screen.asked(RetainOperation.self).isEmpty)
    }
}
