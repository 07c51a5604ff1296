import ParlanceControl
import ParlanceTerminal
import ParlanceWords
import Testing

@testable import ParlanceChat

/// Nothing that was typed is lost.
@Suite struct ChatDraftTests {
    private func screen(_ messages: [MessageInfo] = []) -> TestScreen {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob"), TestScreen.group("Crew")], messages: messages)
        return screen
    }

    private let messages = [TestScreen.message("m1", "mine"), TestScreen.message("m2", "hers", from: "Bob", minute: 1)]
    private let lost = ControlFailure.connectionLost

    @Test func everyUnsentTextComesBackInOrder() {
        var screen = screen()
        for text in ["a", "b"] {
            screen.type(text)
            screen.press(.named(.enter))
        }
        screen.type("c")
        screen.refuse(SendOperation.self, lost)
        screen.refuse(SendOperation.self, lost)
        screen.take(.disconnected())
        #expect(screen.chat.composer.draft.editor.text == "a\nb\nc")
        #expect(screen.text.contains("may have been sent already"))
        // The next key does not take the news away.
        screen.type("d")
        #expect(
            screen.chat.composer.draft.editor.text == "a\nb\ncd" && screen.text.contains("may have been sent already")
        )
        screen.pass(20_000)
        #expect(!screen.text.contains("may have been sent already"))
    }

    @Test func whatAdminsDecideIsShownForAWhile() {
        var screen = screen()
        screen.tell(WorkspaceEvent(workspace: nil, news: ["Mallory is excluded.", "There is a new key."]))
        #expect(screen.text.contains("Mallory is excluded."))
        screen.pass(20_000)
        #expect(!screen.text.contains("Mallory is excluded."))
    }

    @Test func unsentTextsComeBackToTheirConversation() {
        var screen = screen(messages)
        screen.type("a")
        screen.press(.named(.enter), .alt("2"))
        screen.type("for the crew")
        screen.refuse(SendOperation.self, lost)
        #expect(screen.chat.composer.draft.editor.text == "for the crew")
        screen.press(.alt("1"))
        #expect(screen.chat.composer.draft.editor.text == "a")
    }

    @Test func aRefusedAnswerComesBackAsAnAnswer() {
        var screen = screen(messages)
        screen.press(.named(.up), .text("r"))
        screen.type("yes")
        screen.press(.named(.enter))
        screen.type("begun")
        screen.refuse(ReplyOperation.self, lost)
        #expect(screen.chat.composer.draft.aim == .answer(to: "m2") && screen.chat.composer.draft.editor.text == "yes")
        screen.press(.named(.enter))
        #expect(screen.asked(ReplyOperation.self) == [ReplyOperation(id: "m2", text: "yes")])
        #expect(screen.chat.composer.draft.editor.text == "begun")
    }

    @Test func whileAnsweringWhatComesBackIsSetAside() {
        var screen = screen(messages)
        screen.type("sent")
        screen.press(.named(.enter), .named(.up), .text("r"))
        screen.type("yes")
        screen.refuse(SendOperation.self, lost)
        #expect(screen.chat.composer.draft.editor.text == "yes")
        screen.press(.alt("2"), .alt("1"), .named(.enter))
        #expect(screen.asked(ReplyOperation.self) == [ReplyOperation(id: "m2", text: "yes")])
        #expect(screen.chat.composer.draft.editor.text == "sent")
    }

    @Test func aLostEditIsSaidAndComesBack() {
        var screen = screen(messages)
        screen.press(.named(.up), .named(.up), .text("e"))
        screen.type("!")
        screen.press(.named(.enter))
        screen.refuse(EditOperation.self, lost)
        #expect(screen.chat.composer.draft.aim == .edit(of: "m1") && screen.chat.composer.draft.editor.text == "mine!")
        for key in ["d", "+"] {
            screen = self.screen(messages)
            screen.press(.named(.up), .text(key == "d" ? "d" : "+"))
            screen.type(key == "d" ? "y" : "ok")
            screen.press(.named(.enter))
            screen.refuse(DeleteOperation.self, lost)
            screen.refuse(ReactOperation.self, lost)
            #expect(screen.text.contains("The daemon stopped before it answered."))
        }
        screen = self.screen(messages)
        screen.type("/pin")
        screen.press(.named(.enter))
        screen.refuse(PinOperation.self, lost)
        #expect(screen.text.contains("The daemon stopped before it answered."))
    }

    /// One that hangs has not stopped.
    @Test func aDaemonThatHangsIsNotSaidToHaveStopped() {
        var screen = self.screen([])
        let silent = ControlFailure.daemonSilent("/run/it")
        screen.type("hello")
        screen.press(.named(.enter))
        screen.refuse(SendOperation.self, silent)
        #expect(screen.text.contains("The daemon does not answer. The text"))
        #expect(screen.chat.composer.draft.editor.text == "hello")
        screen = self.screen([])
        screen.type("/pin")
        screen.press(.named(.enter))
        screen.refuse(PinOperation.self, silent)
        #expect(screen.text.contains("The daemon does not answer. That"))
    }

    @Test(arguments: [
        ("/mute", "bobbob", nil), ("/mute 8h", "bobbob", 28_800), ("/mute Crew", "Crew", nil),
        ("/mute Crew 8h", "Crew", 28_800), ("/mute Night watch 30m", "Night watch", 1_800),
    ])
    func aConversationIsMutedForGoodOrForAWhile(_ line: String, _ who: String, _ seconds: Int?) {
        var screen = screen(messages)
        screen.type(line)
        screen.press(.named(.enter))
        #expect(screen.asked(MuteOperation.self) == [MuteOperation(who: who, seconds: seconds)])
    }

    /// What the daemon refuses stands in the line again, to be mended.
    @Test(arguments: [
        "/mute 1h", "/accept Nope", "/hide Nope", "/react abc", "/fetch", "/delete --yes", "/retain 90d --yes",
    ])
    func aRefusedCommandStaysInTheLine(_ line: String) {
        let refusal = ControlFailure(code: "unknownPeer", message: "Nobody here is called so.", advice: "Look.")
        var file = TestScreen.message("m9", "", from: "Bob", minute: 9)
        file.files = [FileInfo(file: "f1", name: "a.pdf", size: 1, state: .offered)]
        func refused(_ meanwhile: String = "") -> TestScreen {
            var screen = self.screen(messages + [file])
            screen.type(line)
            screen.press(.named(.enter))
            #expect(screen.chat.composer.draft.editor.isEmpty)
            screen.type(meanwhile)
            screen.refuse(MuteOperation.self, refusal)
            screen.refuse(AcceptOperation.self, refusal)
            screen.refuse(ConversationHideOperation.self, refusal)
            screen.refuse(ReactOperation.self, refusal)
            screen.refuse(FileFetchOperation.self, refusal)
            screen.refuse(ConversationDeleteOperation.self, refusal)
            screen.refuse(RetainOperation.self, refusal)
            #expect(screen.text.contains("Nobody here is called so."), "\(screen.text)")
            return screen
        }
        #expect(refused().chat.composer.draft.editor.text == line)
        // What somebody writes meanwhile is not mixed with it; Ctrl-P brings it back.
        var screen = refused("hello")
        #expect(screen.chat.composer.draft.editor.text == "hello")
        screen.press(.control("p"))
        #expect(screen.chat.composer.draft.editor.text == line)
    }

    private let refusal = ControlFailure(code: "invalidValue", message: "That cannot be.", advice: "Look.")

    /// What a refused line is about does not change with what comes meanwhile.
    @Test(arguments: [false, true]) func aRefusedReactionStaysWithItsMessage(leaves: Bool) {
        var screen = screen(messages)
        screen.type("/react abc")
        screen.press(.named(.enter))
        if leaves { screen.press(.alt("2")) }
        screen.tell(MessageEvent(TestScreen.message("m3", "later", from: "Bob", minute: 5)))
        screen.refuse(ReactOperation.self, refusal)
        if leaves {
            screen.press(.alt("1"))
        }
        screen.pass(20_000)
        #expect(screen.text.contains("About Bob \u{2713}: hers") != leaves, "\(screen.text)")
        #expect(screen.chat.composer.draft.editor.text == "/react abc")
        screen.type("xq")
        screen.press(.named(.enter))
        #expect(screen.asked(ReactOperation.self) == [ReactOperation(id: "m2", emoji: "abcxq")])
    }

    @Test func aRefusedCommandComesBackToItsConversation() {
        func refused(_ meanwhile: String) -> TestScreen {
            var screen = self.screen(messages)
            screen.type("/mute 1h")
            screen.press(.named(.enter))
            screen.type(meanwhile)
            screen.press(.alt("2"))
            screen.type("for the crew")
            screen.refuse(MuteOperation.self, refusal)
            #expect(screen.chat.composer.draft.editor.text == "for the crew" && screen.text.contains("That cannot be."))
            screen.press(.alt("1"))
            return screen
        }
        #expect(refused("").chat.composer.draft.editor.text == "/mute 1h")
        #expect(refused("hello").chat.composer.draft.editor.text == "hello")
        // One that was written before any was open.
        var screen = TestScreen()
        screen.begin([])
        screen.type("/hide Nope")
        screen.press(.named(.enter))
        screen.pass(1_000)
        screen.tell(PeerInfo(id: "bobbob", name: "Bob", displayName: "Bob", trust: .unknown, nearby: true))
        screen.answer(ConversationsOperation.self, ConversationsReply(conversations: []))
        screen.refuse(ConversationHideOperation.self, refusal)
        #expect(screen.chat.open?.who == "bobbob" && screen.chat.composer.draft.editor.text == "/hide Nope")
    }

    @Test func aBegunAnswerStaysWithItsConversation() {
        var screen = screen(messages)
        screen.type("x")
        screen.press(.control("u"), .named(.up), .text("r"))
        screen.type("half an ans")
        screen.press(.alt("2"))
        #expect(screen.chat.composer.draft.aim == .message && screen.chat.composer.draft.editor.isEmpty)
        screen.press(.alt("1"))
        #expect(
            screen.chat.composer.draft.aim == .answer(to: "m2")
                && screen.chat.composer.draft.editor.text == "half an ans"
        )
        _ = screen.askedPage()
        screen.answer(screen.askedPage(), messages, of: TestScreen.direct("Bob"))
        for key in [Key.named(.escape), .control("c")] {
            screen.press(key)
            #expect(screen.chat.composer.draft.aim == .message && screen.text.contains("Ctrl-P brings the text back."))
            screen.press(.control("p"))
            #expect(screen.chat.composer.draft.editor.text == "half an ans")
            screen.press(.control("u"), .named(.up), .text("r"))
            screen.type("half an ans")
        }
    }

    @Test func whatIsTypedBeforeAConversationIsOpenStays() {
        var screen = TestScreen()
        screen.type("hello")
        screen.begin([TestScreen.direct("Bob")])
        #expect(screen.chat.composer.draft.editor.text == "hello")
        screen = TestScreen()
        screen.begin([])
        screen.type("alone")
        screen.press(.named(.enter))
        #expect(screen.chat.composer.draft.editor.text == "alone" && screen.text.contains("No conversation is open."))
        screen.pass(1_000)
        screen.tell(PeerInfo(id: "bobbob", name: "Bob", displayName: "Bob", trust: .unknown, nearby: true))
        screen.answer(ConversationsOperation.self, ConversationsReply(conversations: []))
        #expect(screen.chat.open?.who == "bobbob" && screen.chat.composer.draft.editor.text == "alone")
    }

    @Test func whatIsTypedAfterOpenGoesToTheOneThatIsOpened() {
        var screen = screen()
        screen.type("for Bob")
        screen.press(.control("u"))
        screen.type("/open Eve")
        screen.press(.named(.enter))
        screen.type("dear E")
        screen.answer(screen.askedPage(), [], of: TestScreen.direct("Eve"))
        #expect(screen.chat.open?.who == "eveeve" && screen.chat.composer.draft.editor.text == "dear E")
        screen.type("ve")
        screen.press(.named(.enter))
        #expect(screen.asked(SendOperation.self) == [SendOperation(who: "eveeve", text: "dear Eve")])
    }

    @Test func openAsksTheDaemonWhoIsMeant() {
        var screen = TestScreen()
        var stranger = TestScreen.direct("Bob")
        (stranger.peer, stranger.id, stranger.trust) = ("bob2bob2bob2", "c-2", .unknown)
        screen.begin([TestScreen.direct("Cleo"), stranger, TestScreen.direct("Bob")])
        #expect(screen.text.contains("(bob2bob2)") && screen.text.contains("(bobbob)"))
        screen.type("/open Bob")
        screen.press(.named(.enter))
        let request = screen.askedPage()
        #expect(request?.who == "Bob")
        let two = ControlFailure(code: "ambiguousName", message: "2 people are called Bob.", advice: "")
        if let request { screen.take(.replied(.page(request), .failure(two))) }
        #expect(screen.text.contains("2 people are called Bob."))
        screen.type("hm")
        screen.press(.alt("1"))
        #expect(screen.chat.open?.who == "cleocleo" && screen.chat.composer.draft.editor.text == "hm")
    }

    @Test func helpAndQuestionsSwallowNothing() {
        for text in ["?!", "???", "?)"] {
            var screen = screen()
            screen.type(text)
            #expect(screen.chat.composer.draft.editor.text == (text == "?)" ? ")" : text))
        }
        var screen = screen(messages)
        screen.press(.text("?"), .paste("a paste"))
        #expect(screen.chat.composer.draft.editor.text == "a paste")
        screen.press(.control("u"), .named(.up), .text("d"), .paste("a paste"))
        #expect(screen.chat.composer.draft.editor.text == "a paste" && screen.asked(DeleteOperation.self).isEmpty)
        screen.press(.control("u"), .named(.up), .text("d"), .text("n"))
        #expect(screen.chat.composer.draft.editor.isEmpty)
    }

    @Test func eachConversationHasItsOwnHistoryOfTexts() {
        var screen = screen()
        screen.type("sent to Bob")
        screen.press(.named(.enter))
        screen.type("draft")
        screen.press(.control("p"))
        #expect(screen.chat.composer.draft.editor.text == "sent to Bob")
        screen.press(.alt("2"), .control("n"))
        #expect(screen.chat.composer.draft.editor.isEmpty)
        screen.press(.control("p"))
        #expect(screen.chat.composer.draft.editor.isEmpty)
        screen.press(.alt("1"))
        screen.type(", changed")
        screen.press(.control("n"))
        #expect(screen.chat.composer.draft.editor.text == "draft")
        screen.press(.control("p"))
        #expect(screen.chat.composer.draft.editor.text == "sent to Bob, changed")
    }

    @Test func whatACommandIsAboutDoesNotChangeWhileItIsTyped() {
        var screen = screen(messages)
        screen.type("/reply no")
        #expect(screen.text.contains("About Bob ✓: hers"))
        screen.tell(MessageEvent(TestScreen.message("m3", "later", from: "Bob", minute: 5)))
        screen.press(.named(.enter))
        #expect(screen.asked(ReplyOperation.self) == [ReplyOperation(id: "m2", text: "no")])
        screen = self.screen()
        screen.type("/reply no")
        screen.press(.named(.enter))
        #expect(
            screen.chat.composer.draft.editor.text == "/reply no"
                && screen.text.contains("No message from anybody else is here.")
        )
    }

    @Test(arguments: ["/react ok", "/REACT ok"]) func aCommandIsAboutTheSelectedMessage(_ line: String) {
        let more = messages + [TestScreen.message("m3", "newer", from: "Bob", minute: 5)]
        var screen = screen(more)
        screen.press(.named(.up), .named(.up))
        screen.type(line)
        screen.press(.named(.enter))
        #expect(screen.asked(ReactOperation.self).map(\.id) == ["m2"])
        screen.type(line)
        screen.press(.named(.enter))
        #expect(screen.asked(ReactOperation.self).map(\.id) == ["m3"])
        // An answer that comes back meanwhile changes nothing of it.
        screen = self.screen(more)
        screen.press(.named(.up), .text("r"))
        screen.type("no")
        screen.press(.named(.enter))
        screen.type("/react x")
        screen.refuse(ReplyOperation.self, lost)
        screen.tell(MessageEvent(TestScreen.message("m4", "newest", from: "Bob", minute: 6)))
        screen.press(.named(.enter))
        screen.type("q")
        screen.press(.named(.enter))
        #expect(screen.asked(ReactOperation.self) == [ReactOperation(id: "m3", emoji: "xq")])
    }

    @Test func commandsWorkWithoutAConversation() {
        var screen = TestScreen()
        screen.begin([])
        screen.type("/open Bob")
        screen.press(.named(.enter))
        #expect(screen.askedPage()?.who == "Bob")
        screen = TestScreen()
        screen.type("/quit")
        screen.press(.named(.enter))
        #expect(screen.hasLeft)
        #expect(screen.chat.composer.draft.editor.isEmpty, "a finished command leaves no draft")
    }

    @Test func theCursorOfTheListFollowsWhatItIsOn() {
        var screen = screen()
        screen.press(.named(.f2), .named(.down))
        screen.pass(1_000)
        screen.tell(PreferenceInfo(conversation: "g-Crew", title: "Crew", pinned: true, muted: false))
        let reordered = ConversationsReply(conversations: [TestScreen.group("Crew"), TestScreen.direct("Bob")])
        screen.answer(ConversationsOperation.self, reordered)
        #expect(screen.text.contains("Enter: open"))
        screen.press(.named(.enter))
        #expect(screen.chat.open?.who == "g-Crew")
    }

    @Test func aPasteThatWasCutIsSaid() {
        var screen = screen()
        screen.press(.paste("long", isCut: true))
        #expect(screen.chat.composer.draft.editor.text == "long" && screen.text.contains("The paste was longer"))
    }
}
