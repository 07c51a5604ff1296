import Synchronization
import Testing

@testable import parlance

@Suite struct AnswerPrinterTests {
    private static func print(_ pieces: [String], _ answer: String?) -> (text: String, shown: AnswerPrinter.Shown) {
        let text = Mutex("")
        let printer = AnswerPrinter { piece in text.withLock { $0 += piece } }
        for piece in pieces { printer.add(piece) }
        let shown = printer.end(answer)
        printer.add("late")
        return (text.withLock { $0 }, shown)
    }

    @Test func piecesStandOneAfterTheOther() {
        #expect(
            Self.print(["At ni", "ne", " [1].\nBe there."], "At nine [1].\nBe there.") == (
                "At nine [1].\nBe there.\n\n", .whole
            )
        )
    }

    @Test func whatTheReplyHasMoreIsPrinted() {
        #expect(Self.print(["At ni"], "At nine [1].") == ("At nine [1].\n\n", .whole))
    }

    /// A citation of no message was left out: the answer is shown again.
    @Test func anotherAnswerIsStillToBeShown() {
        #expect(Self.print(["At nine [7]."], "At nine .") == ("At nine [7].\n\n", .other))
    }

    @Test func withoutPiecesNothingIsPrinted() {
        #expect(Self.print([], "At nine.") == ("", .nothing))
        #expect(Self.print(["At"], nil) == ("At\n\n", .whole))
    }

    @Test func whatSteersATerminalIsVisible() {
        let printed = Self.print(["a\u{1B}", "[2Jb\u{202E}c"], nil).text
        #expect(!printed.contains("\u{1B}") && !printed.contains("\u{202E}"))
    }
}
