import ParlanceControl
import ParlanceTerminal
import ParlanceWords
import Testing

@testable import ParlanceChat

/// What the screen shows.
@Suite struct ChatViewTests {
    private func full(height: Int = 24, width: Int = 80, isUTF8: Bool = true) -> TestScreen {
        var screen = TestScreen(height: height, width: width, isUTF8: isUTF8)
        var answer = TestScreen.message("m3", "I can take Friday.", from: "Bob", minute: 20)
        answer.answers = QuoteInfo(
            id: "m1",
            sender: Person(id: TestScreen.me, displayName: "Ada", me: true),
            text: "Friday?"
        )
        answer.unread = true
        var first = TestScreen.message("m1", "@Bob can you take mine on Friday?", minute: 0, status: .read)
        first.reactions = [ReactionInfo(emoji: "👍", count: 1, people: [TestScreen.bob])]
        screen.begin(
            [
                TestScreen.direct("Bob", unread: 1), TestScreen.group("Night watch", unread: 3, mentions: 1),
                TestScreen.direct("Cleo", unread: 2, presence: .away), TestScreen.direct("Dan", presence: .offline),
            ],
            messages: [first, TestScreen.message("m2", "Hello?", minute: 1), answer],
            requests: [
                RequestEvent(
                    peer: "eveeve",
                    name: "Eve",
                    preview: "hi",
                    time: ControlTime(milliseconds: TestScreen.start)
                )
            ],
            people: [
                PeerInfo(
                    id: "bobbob",
                    name: "Bob",
                    displayName: "Bob",
                    trust: .verified,
                    connected: true,
                    presence: .online
                ),
                PeerInfo(id: "frafra", name: "Fra", displayName: "Fra", trust: .unknown, nearby: true),
            ]
        )
        return screen
    }

    @Test func allIsShownAt80Columns() {
        #expect(
            full().text == """
                 Bob ✓         1 ● │ Bob ✓                                                online
                 Night watch  @3   │
                 Cleo          2 ◐ │
                 Dan             ○ │
                 Ask to talk       │
                  Eve              │
                 Nearby            │
                  Fra              │
                                   │
                                   │
                                   │
                                   │
                                   │
                                   │
                                   │ ────────────────────────── Today ──────────────────────────
                                   │ 09:13 You    @Bob can you take mine on Friday?         read
                                   │              👍 Bob ✓
                                   │              Hello?                               delivered
                                   │ ─────────────────────────── New ───────────────────────────
                                   │ 09:33 Bob ✓  ↳ You: Friday?
                                   │              I can take Friday.
                                   │ ? help  Tab or F2 list  Ctrl-F search  Up select
                ───────────────────┼────────────────────────────────────────────────────────────
                 1 connected       │ >
                """
        )
    }

    /// The last of your messages that stand together and share a status shows it.
    @Test func aStatusStandsOnceForARunOfYourMessages() {
        var screen = TestScreen()
        screen.begin(
            [TestScreen.direct("Bob")],
            messages: [
                TestScreen.message("m1", "one", minute: 0), TestScreen.message("m2", "two", minute: 1),
                TestScreen.message("m3", "yes", from: "Bob", minute: 2), TestScreen.message("m4", "three", minute: 3),
                TestScreen.message("m5", "four", minute: 4, status: .staged),
            ]
        )
        func status(_ text: String) -> String? {
            screen.lines.first { $0.contains(" \(text)") }?.split(separator: " ").last.map(String.init)
        }
        #expect(["one", "two", "three", "four"].map(status) == ["one", "delivered", "delivered", "waits"])
    }

    @Test func below60ColumnsTheListHides() {
        var screen = full(width: 59)
        #expect(screen.lines[0].hasPrefix("Bob ✓ ") && screen.lines[0].hasSuffix("5 new elsewhere (F2)"))
        #expect(!screen.text.contains("Night watch"))
        #expect(screen.lines[23] == ">")
        screen.press(.named(.f2))
        #expect(screen.lines[1].hasPrefix(" Night watch"))
        screen.press(.named(.down), .named(.enter))
        #expect(screen.lines[0].hasPrefix("Night watch"))
    }

    @Test(arguments: [(24, 80), (24, 59), (6, 20), (8, 61), (50, 200), (3, 10), (1, 1), (0, 0)])
    func everySizeIsDrawn(height: Int, width: Int) {
        var screen = full(height: height, width: width)
        screen.type("日本語 a text that is longer than one line of a narrow screen")
        for _ in 0..<3 { screen.press(.named(.enter, .alt)) }
        #expect(screen.lines.count == height)
        for line in screen.lines { #expect(DisplayWidth.of(line) <= width) }
        screen.press(.named(.f1))
        #expect(screen.lines.count == height)
    }

    @Test(arguments: Language.allCases) func theHelpFits80Columns(language: Language) {
        let lines = Language.$current.withValue(language) { HelpText.lines(width: 80) }
        for line in lines { #expect(!line.map(\.text).joined().contains("…"), "\(line)") }
    }

    @Test func aTerminalWithoutUTF8GetsASCII() {
        let text = full(isUTF8: false).text
        #expect(text.contains("|") && !text.contains("│") && !text.contains("─") && text.contains("> You: Friday?"))
    }

    @Test func whatOthersWriteCannotSteerTheTerminal() {
        var screen = TestScreen()
        var info = TestScreen.direct("Bob")
        info.title = "Bob\u{1B}[2J\u{202E}"
        screen.begin([info], messages: [TestScreen.message("m", "a\u{1B}]0;x\u{7}\u{9B}31m\u{202E}b", from: "Bob")])
        #expect(screen.text.contains("a\\u{1B}]0;x\\u{7}\\u{9B}31m\\u{202E}b"))
        let bad = screen.text.unicodeScalars.contains {
            $0 != "\n" && $0.properties.generalCategory == .control || (0x202A...0x202E).contains($0.value)
        }
        #expect(!bad)
    }

    /// Who opens the chat for the first time finds out who is here and how to write to them.
    @Test(arguments: [(24, 80), (20, 60), (12, 40)]) func anEmptyScreenSaysWhatToDo(height: Int, width: Int) {
        var screen = TestScreen(height: height, width: width)
        let fra = PeerInfo(id: "frafra", name: "Fra", displayName: "Fra", trust: .unknown, nearby: true)
        screen.begin([])
        screen.tell(fra)
        let words = screen.text.split { $0.isWhitespace || $0 == "│" }.joined(separator: " ")
        for part in ["Nearby: Fra.", "To write to Fra: Alt-1", "F2", "? on an empty line"] {
            #expect(words.contains(part), "\(part) in \(words)")
        }
        #expect(screen.lines.contains { $0.contains("? help") })
        // The keys that it names do that.
        screen.press(.alt("1"))
        #expect(screen.asked(HistoryOperation.self).map(\.who) == ["frafra"])
        screen.type("hello")
        #expect(!screen.text.contains("? help"))
        screen.type(" @")
        #expect(screen.text.contains("Tab completes"))
    }

    /// A message with more rows than are shown at first is read where it stands.
    @Test(arguments: [(24, 80), (20, 60), (12, 40)]) func aLongMessageIsReadInPlace(height: Int, width: Int) {
        var screen = TestScreen(height: height, width: width)
        let text = (1...200).map { "line \($0)" }.joined(separator: "\n")
        screen.begin(
            [TestScreen.direct("Bob")],
            messages: [
                TestScreen.message("m0", "before", minute: 0), TestScreen.message("m1", text, from: "Bob", minute: 1),
            ]
        )
        let words = screen.text.split { $0.isWhitespace || $0 == "│" }.joined(separator: " ")
        #expect(words.contains("100 more lines. Up selects the message, then o shows all of it."), "\(words)")
        screen.press(.named(.up))
        #expect(screen.text.contains("o shows all of it"))
        screen.type("o")
        #expect(screen.text.contains("line 1\n") || screen.lines.contains { $0.hasSuffix("line 1") })
        var seen: Set<String> = []
        for _ in 0..<200 {
            for line in screen.lines {
                if let number = line.split(separator: " ").last, line.contains("line \(number)") {
                    seen.insert(String(number))
                }
            }
            screen.press(.named(.pageDown))
        }
        #expect(seen.count == 200)
        screen.press(.named(.up))
        screen.type("o")
        #expect(screen.chat.history.rows.count < 130, "o folds it again")
    }

    @Test func everyStateHasItsWords() {
        var screen = TestScreen()
        #expect(screen.text.contains("Waiting for the daemon"))
        screen.begin([])
        #expect(screen.text.contains("Nobody is here yet."))
        screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")])
        #expect(screen.text.contains("No messages yet. Say hi to Bob ✓."))
        screen = TestScreen()
        var waiting = TestScreen.direct("Cleo")
        waiting.contact = .waiting
        screen.begin([waiting], messages: [TestScreen.message("m", "hi", in: "c-Cleo", status: .staged)])
        #expect(screen.text.contains("Waits until Cleo accepts."))
        screen.take(.disconnected())
        #expect(screen.text.contains("no daemon"))
    }

    /// It runs and answers nothing: since when, and what to do, until it answers.
    @Test func aDaemonThatHangsIsNotAway() {
        var screen = TestScreen(width: 200)
        screen.begin([TestScreen.direct("Bob")], messages: [TestScreen.message("m", "hi", in: "c-Bob")])
        screen.take(.disconnected(silentSince: ControlTime(milliseconds: screen.now - 60_000)))
        #expect(screen.text.contains("daemon hangs") && !screen.text.contains("no daemon"))
        let sentence = "The daemon has not answered since 10:12: it hangs"
        #expect(screen.text.contains(sentence) && screen.text.contains("systemctl --user restart parlanced"))
        screen.type("x")
        #expect(screen.text.contains(sentence), "a key does not end it")
        screen.take(.disconnected())
        #expect(screen.text.contains("no daemon") && !screen.text.contains(sentence))
        screen.take(.disconnected(silentSince: ControlTime(milliseconds: screen.now)), .connected)
        #expect(!screen.text.contains("not answered since") && !screen.text.contains("daemon hangs"))
        // Before anything was read.
        screen = TestScreen(who: "Bob")
        screen.take(.disconnected(silentSince: ControlTime(milliseconds: screen.now)))
        #expect(screen.text.contains("daemon hangs"))
    }

    private static let firewall = NodeStatus.Problem(
        code: "firewall",
        message: "This computer's firewall (ufw) drops mDNS, UDP 5353: nobody is found by it.",
        advice: "'parlance doctor --fix' lets Parlance in."
    )

    /// A problem of the node is said where nobody is, and has a row elsewhere, until the node says that it is over.
    @Test func aProblemOfTheNodeIsShownAndEnds() throws {
        var screen = TestScreen()
        var note = Self.firewall
        (note.code, note.message, note.severity) = ("unanswered", "1 node is in sight.", .note)
        screen.take(.connected)
        screen.answer(PeersOperation.self, PeersReply(peers: [], problems: [note, Self.firewall]))
        screen.answer(ConversationsOperation.self, ConversationsReply(conversations: []))
        let empty = screen.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(empty.contains("Nobody is here yet."), "\(screen.text)")
        #expect(
            screen.text.contains("This computer's firewall (ufw) drops mDNS") && screen.text.contains("doctor --fix")
        )
        #expect(!screen.text.contains("  parlance doctor"), "it is said once")

        // Somebody is known: a row says it, and it goes away with the problem.
        screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")], messages: [TestScreen.message("m", "hi", from: "Bob")])
        #expect(!screen.text.contains("firewall"))
        for width in [120, 50] {
            screen.take(.resized(height: 24, width: width))
            _ = screen.asked(PeersOperation.self)
            screen.press(.named(.escape))
            screen.pass(30_000)
            screen.answer(PeersOperation.self, PeersReply(peers: [], problems: [Self.firewall]))
            let row = try #require(screen.lines.firstIndex { $0.contains("This computer's firewall (ufw)") })
            #expect(screen.lines[row].contains("  parlance doctor"), "\(screen.text)")
            #expect(screen.lines[row - 1].contains("hi"), "\(screen.text)")
            if width == 50 {
                screen.press(.named(.f2))
                #expect(screen.lines.last?.contains("This computer's firewall (ufw)") == true, "\(screen.text)")
                screen.press(.named(.escape))
            }
            // Also when nobody touches a key, since it is shown.
            screen.pass(120_000)
            screen.pass(30_000)
            screen.answer(PeersOperation.self, PeersReply(peers: []))
            #expect(!screen.text.contains("firewall"), "\(screen.text)")
        }
        // Without a problem and without somebody there, nothing is asked.
        screen.pass(300_000)
        #expect(
            screen.asked(PeersOperation.self).isEmpty
                && screen.chat.deadline.map { $0.milliseconds > screen.now } != false
        )
    }

    @Test func presenceAndTypingAreLive() {
        var screen = full()
        screen.tell(TypingEvent(peer: "bobbob", displayName: "Bob", conversation: "c-Bob", active: true))
        #expect(screen.text.contains("Bob is typing…"))
        screen.tell(TypingEvent(peer: "bobbob", displayName: "Bob", conversation: "c-Bob", active: false))
        #expect(!screen.text.contains("typing"))
        screen.tell(
            PresenceEvent(peer: "bobbob", displayName: "Bob", presence: .busy, statusText: "in the engine room")
        )
        #expect(screen.lines[0].hasSuffix("busy, in the engine room"))
        #expect(screen.lines[0].hasPrefix(" Bob ✓         1 ■"))
    }

    @Test func aGroupSaysWhoIsHere() {
        var screen = TestScreen()
        screen.begin([TestScreen.group("Night watch")])
        let members = [
            MemberInfo(
                id: TestScreen.me,
                displayName: "Ada",
                me: true,
                admin: true,
                connected: true,
                presence: .online,
                lacks: 0
            ),
            MemberInfo(
                id: "bobbob",
                displayName: "Bob",
                admin: false,
                trust: .verified,
                connected: true,
                presence: .online,
                lacks: 0
            ),
            MemberInfo(
                id: "cleocleo",
                displayName: "Cleo",
                admin: false,
                trust: .accepted,
                connected: false,
                presence: .offline,
                lacks: 2
            ),
        ]
        screen.answer(
            GroupShowOperation.self,
            GroupInfo(
                id: "g-Night watch",
                title: "Night watch",
                isMember: true,
                isAdmin: true,
                events: 9,
                members: members
            )
        )
        #expect(screen.lines[0].hasSuffix("Bob ✓ and Cleo: 1 of 2 here"))
        screen.type("hi @B")
        screen.press(.named(.tab))
        #expect(screen.chat.composer.draft.editor.text == "hi @Bob ")
    }
}
