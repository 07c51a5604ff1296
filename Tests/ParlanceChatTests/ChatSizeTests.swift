import ParlanceControl
import ParlanceRandom
import ParlanceTerminal
import ParlanceWords
import Testing

@testable import ParlanceChat

/// Windows of all sizes and contents of all lengths.
@Suite struct ChatSizeTests {
    @Test func aTinyWindowTakesNothingAway() {
        var screen = TestScreen()
        let messages = (0..<50).map { TestScreen.message("m\($0)", "text \($0)", from: "Bob", minute: Int64($0)) }
        screen.begin([TestScreen.direct("Bob")], messages: messages)
        screen.press(.named(.pageUp))
        let before = screen.lines
        screen.take(.resized(height: 5, width: 80))
        #expect(screen.text.contains("The window is too small."))
        screen.take(.resized(height: 24, width: 80))
        #expect(screen.lines == before)
    }

    /// An error says what to do at its end.
    @Test func aLongErrorIsWholeWhereThereIsRoom() {
        let words = (1...30).map { "word\($0)" }
        let failure = ControlFailure(
            code: "x",
            message: Phrase(verbatim: words.joined(separator: " ")),
            advice: "The end."
        )
        for (height, width) in [(24, 80), (12, 100), (9, 50), (6, 20)] {
            let messages = (0..<50).map { TestScreen.message("m\($0)", "text \($0)", from: "Bob", minute: Int64($0)) }
            var screen = TestScreen(height: height, width: width)
            screen.begin([TestScreen.direct("Bob")], messages: messages)
            let before = screen.lines
            screen.type("/pin")
            screen.press(.named(.enter))
            screen.refuse(PinOperation.self, failure)
            if height > 9 {
                #expect(
                    words.allSatisfy { screen.text.contains($0) } && screen.text.contains("The end."),
                    "\(screen.text)"
                )
                #expect(screen.text.contains("text 49"), "the newest message stays")
            } else {
                #expect(screen.text.contains("word1 ") && screen.text.contains("…"), "\(screen.text)")
            }
            #expect(screen.lines.last?.hasSuffix("> /pin") == true, "the line that is written stays where it was")
            screen.press(.named(.escape), .control("u"))
            #expect(screen.lines == before)
        }
    }

    @Test func anySequenceOfSizesEndsLikeThatSizeAlone() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        let messages = (0..<40).map {
            TestScreen.message("m\($0)", String(repeating: "wörter ", count: $0), from: "Bob", minute: Int64($0))
        }
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")], messages: messages)
        for step in 0..<200 {
            let height = Int.random(in: 0..<50, using: &random)
            let width = Int.random(in: 0..<120, using: &random)
            screen.take(.resized(height: height, width: width))
            var fresh = TestScreen(height: height, width: width)
            fresh.begin([TestScreen.direct("Bob")], messages: messages)
            #expect(screen.lines == fresh.lines, "seed \(seed), step \(step): \(width)x\(height)")
        }
    }

    @Test func aMessageOfNothingButLinesStaysSmall() {
        var screen = TestScreen()
        let text = String(repeating: "\n", count: 65_000)
        screen.begin([TestScreen.direct("Bob")], messages: [TestScreen.message("m", text, from: "Bob")])
        #expect(screen.chat.history.rows.count < 120)
        #expect(screen.text.contains("more lines. Up selects"))
    }

    @Test func rowsFromTheCacheAreWhatAFreshLayoutGives() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")])
        for step in 0..<300 {
            let minute = Int64.random(in: 0..<40, using: &random)
            let name: String? = Bool.random(using: &random) ? nil : "Bob"
            var message = TestScreen.message("m\(minute)", "text \(step)", from: name, minute: minute)
            if Bool.random(using: &random) { message.reactions = [ReactionInfo(emoji: "👍", count: 1, people: [])] }
            screen.tell(MessageEvent(message))
            if Int.random(in: 0..<10, using: &random) == 0 {
                screen.take(.resized(height: 24, width: Int.random(in: 30..<100, using: &random)))
            }
            screen.chat.settle()
            guard let open = screen.chat.open else { return }
            var empty = RowCache()
            let layout = HistoryLayout(
                width: screen.chat.paneWidth,
                clock: screen.chat.clock,
                glyphs: screen.chat.glyphs
            )
            #expect(layout.rows(of: open, &empty) == screen.chat.history.rows, "seed \(seed), step \(step)")
        }
    }

    @Test func theCursorStandsWhereTheTextEnds() {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")])
        screen.press(.paste("a\u{200B}\u{200E}b"))
        #expect(screen.lines[23].hasSuffix("> a\\u{200B}\\u{200E}b"))
        #expect(screen.chat.view().cursor?.column == 21 + 2 + 18)
    }

    @Test func theDayTurnsWithoutAKey() {
        var screen = TestScreen()
        screen.begin([TestScreen.direct("Bob")], messages: [TestScreen.message("m", "hello", from: "Bob")])
        #expect(screen.text.contains(" Today "))
        screen.now += 60_000
        screen.take(.timePassed)
        screen.now = screen.chat.deadline?.milliseconds ?? 0
        screen.take(.timePassed)
        #expect(screen.text.contains(" Yesterday "))
    }

    @Test func helpIsScrolledInASmallWindow() {
        var screen = TestScreen(height: 10, width: 80)
        screen.press(.named(.f1))
        #expect(screen.text.contains("Down: more"))
        for _ in 0..<10 { screen.press(.named(.pageDown)) }
        #expect(screen.text.contains("/quit") && screen.text.contains("Up: more"))
        screen.press(.named(.escape))
        #expect(!screen.text.contains("/quit"))
    }

    @Test func aNarrowWindowSaysWhatIsNewElsewhere() {
        var screen = TestScreen(height: 24, width: 50)
        screen.begin([TestScreen.direct("Bob"), TestScreen.direct("Cleo", unread: 3)])
        #expect(screen.lines[0].contains("3 new elsewhere (F2)"))
    }
}
