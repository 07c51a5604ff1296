import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// The chat screen on a pseudo-terminal, against real daemons.
    @Suite struct ChatTests {
        @Test func peopleChatOnTheScreen() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let screen = try ChatTerminal(pair.ada, ["Bob"])
                try await screen.shows("first contact")
                try await screen.shows("● ")
                #expect(!screen.isCooked)

                screen.type("\u{1B}[200~lünch 👍\rat one?\u{1B}[201~")
                try await screen.shows("  at one?")
                // What comes at once behind a paste still belongs to it: keys are keys again once nothing has come for a while.
                var typed = ContinuousClock.now
                try await eventually("Ctrl-F is a key again") {
                    if screen.lines.contains(where: { $0.contains("Search:") }) { return true }
                    guard typed.duration(to: .now) > .seconds(2) else { return false }
                    screen.type("\u{6}")
                    typed = .now
                    return false
                }
                screen.type("\u{1B}")
                try await screen.shows("  at one?")
                screen.type("\r")
                try await eventually("Bob has the text") {
                    try await pair.bob.texts(with: "Ada").last == "lünch 👍\nat one?"
                }

                try await pair.bob.send("gladly\u{1B}[2J", to: "Ada")
                try await screen.shows("gladly\\u{1B}[2J")
                try await eventually("Bob sees that it was read") {
                    try await pair.bob.history(with: "Ada").last?.status == .read
                }
                #expect(try await pair.bob.parlance("typing", "Ada").code == 0)
                try await screen.shows("Bob is typing…")

                screen.resize(height: 12, width: 50)
                try await screen.shows("gladly")
                screen.type("\u{3}")
                #expect(try await screen.ended() == 0)
                #expect(screen.isCooked)
                #expect(screen.modes.last { $0.hasPrefix("?1049") } == "?1049l")
            }
        }

        @Test func aRestartedDaemonIsFoundAgain() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let screen = try ChatTerminal(pair.ada)
                try await screen.shows("first contact")
                try await pair.ada.kill()
                try await screen.shows("no daemon")
                screen.type("still here\r")
                try await screen.shows("The text stays here.")
                try await pair.ada.start()
                try await screen.shows("1 connected", within: .seconds(20))
                screen.type("\r")
                try await eventually("Bob has the text") {
                    try await pair.bob.texts(with: "Ada").last == "still here"
                }
                try await screen.signal(SIGTERM)
                #expect(try await screen.ended() == 128 + SIGTERM)
                #expect(screen.isCooked)
            }
        }

        @Test func withoutATerminalItNamesTheOtherCommands() async throws {
            try await Lab.run { lab in
                let outcome = try await lab.parlance(["chat", "--data-dir", lab.folder.path])
                #expect(outcome.code == 2)
                let plain = "parlance --data-dir \(lab.folder.path) chat --plain"
                #expect(outcome.errors.contains(plain) && outcome.output.isEmpty, "\(outcome)")
            }
        }

        @Test func peopleChatInPlainLines() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await pair.bob.send("can you come?", to: "Ada")
                try await pair.bob.deliversAll()
                let typed = "on my way\nsee you\n/who\nlast words"
                let outcome = try await pair.ada.parlance("chat", "--plain", "Bob", input: Array(typed.utf8))
                #expect(outcome.code == 0 && outcome.errors.isEmpty)
                for part in ["Bob: can you come?", "Bob: online", "You: see you"] {
                    #expect(outcome.output.contains(part), "\(part) in \(outcome.output)")
                }
                #expect(!outcome.output.contains("\u{1B}"))
                try await eventually("Bob has the texts") {
                    try await pair.bob.texts(with: "Ada").suffix(3) == ["on my way", "see you", "last words"]
                }
                try await eventually("Bob sees that it was read") {
                    try await pair.bob.history(with: "Ada").last { $0.text == "can you come?" }?.status == .read
                }
            }
        }

        /// The pipe is usually closed before the program looks at it; what comes in pieces ends later.
        @Test(arguments: ["printf 'by pipe\\n'", "(printf 'by '; printf 'pipe\\n'; ls -R /usr/lib >/dev/null)"])
        func theEndOfAPipeEndsIt(writer: String) async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let words = [try Programs.own("parlance").path, pair.ada.folder.path]
                let script = writer + #" | "$0" chat --data-dir "$1" --plain Bob"#
                let outcome = try await lab.run(try Programs.system("sh"), ["-c", script] + words)
                #expect(outcome.code == 0 && outcome.output.contains("You: by pipe"))
                try await eventually("Bob has the text") { try await pair.bob.texts(with: "Ada").last == "by pipe" }
            }
        }

        /// Nobody can wait for a device such as /dev/null: it is read to its end.
        @Test func withoutInputItEnds() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let words = [try Programs.own("parlance").path, pair.ada.folder.path]
                let script = #""$0" chat --data-dir "$1" --plain Bob </dev/null"#
                let outcome = try await lab.run(try Programs.system("sh"), ["-c", script] + words)
                #expect(outcome.code == 0, "\(outcome)")
            }
        }

        /// A script has to know what was not sent.
        @Test func aPipeThatWasNotSentWholeSaysSo() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let long = Array(repeating: UInt8(ascii: "x"), count: ControlLimits.textBytes + 1)
                let endless = Array(repeating: UInt8(ascii: "y"), count: ControlLimits.requestLineBytes + 70_000)
                var typed = Array("first\n/nonsense\n".utf8) + long + Array("\n".utf8) + [0xFF, 0x0A]
                typed += Array("/block nobody\n".utf8) + endless + Array("\nlast".utf8)
                let outcome = try await pair.ada.parlance("chat", "--plain", "Bob", input: typed)
                #expect(outcome.code == 1)
                #expect(
                    outcome.errors.contains("Not sent or done: lines 2, 3, 4, 5, 6."),
                    "\(outcome.errors)"
                )
                for part in ["There is no command /nonsense.", "not UTF-8", "longer than a message can be"] {
                    #expect(outcome.output.contains(part), "\(part)")
                }
                try await eventually("Bob has the others") {
                    try await pair.bob.texts(with: "Ada").suffix(2) == ["first", "last"]
                }
                let nobody = try await pair.ada.parlance("chat", "--plain", "Nobody", input: Array("hello\n".utf8))
                // Why nothing was sent is what a script has to know: nobody is called so.
                #expect(nobody.code == 65 && nobody.errors.contains("Not sent or done: line 1."), "\(nobody)")
                // What was typed before the end is answered first.
                let quit = try await pair.ada.parlance("chat", "--plain", "Nobody", input: Array("hi\n/quit\n".utf8))
                #expect(quit.code == 65 && quit.errors.contains("Not sent or done: line 1."), "\(quit.errors)")
                let late = try await pair.ada.parlance("chat", "--plain", "Bob", input: Array("hi\n/quit\nno\n".utf8))
                #expect(late.code == 1 && late.errors.contains("Not sent or done: line 3."), "\(late)")
                #expect(late.output.contains("The lines after /quit were not sent."), "\(late)")
                #expect(!late.output.contains("Not sent: /quit"), "\(late)")
                try await eventually("Bob has what stood before it") {
                    try await pair.bob.texts(with: "Ada").last == "hi"
                }
            }
        }

        /// Each line waits until what those before it opened is here, and what could not be opened is said.
        @Test func linesOfAPipeAreCarriedOutInOrder() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await pair.bob.send("can you come?", to: "Ada")
                try await pair.bob.deliversAll()
                let typed = "/open Nobody\n/open Bob\n/reply yes\n/react 👍\n/retain 90d\n/retain 90d --yes\n"
                let outcome = try await pair.ada.parlance("chat", "--plain", input: Array(typed.utf8))
                #expect(outcome.code == 1)
                #expect(outcome.errors.contains("Not sent or done: lines 1, 5."), "\(outcome)")
                for part in ["Nobody here is called \"Nobody\"", "Bob: can you come?", "/retain 90d --yes"] {
                    #expect(outcome.output.contains(part), "\(part) in \(outcome.output)")
                }
                try await eventually("Bob has the answer") { try await pair.bob.texts(with: "Ada").last == "yes" }
                let nobody = try await pair.ada.parlance("chat", "--plain", "Nobody", input: [])
                #expect(nobody.code == 65 && nobody.output.contains("Nobody here is called"), "\(nobody)")
            }
        }

        /// As on a serial line, and below `script`: it has 80 columns then.
        @Test func aTerminalWithoutAWidthGetsShortLines() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let title = String(repeating: "L", count: 190)
                #expect(try await pair.ada.parlance("group", "create", title, "Bob").code == 0)
                let program = try Programs.own("parlance").path
                let command = "'\(program)' conversations --data-dir '\(pair.ada.folder.path)'"
                let shown = try await lab.run(Programs.system("script"), ["-qec", command, "/dev/null"])
                let lines = shown.output.split(whereSeparator: \.isNewline).map { $0.filter { $0 != "\u{1B}" } }
                #expect(shown.code == 0 && lines.contains { $0.contains("LLL") && $0.contains("…") }, "\(shown)")
                #expect(!shown.output.contains(String(repeating: "L", count: 80)), "\(shown)")
            }
        }

        @Test func aTerminalThatCannotDrawGetsPlainLines() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let screen = try ChatTerminal(pair.ada, ["Bob"], terminal: "dumb")
                try await screen.shows("Bob: online")
                #expect(screen.isCooked && screen.modes.isEmpty)
                screen.type("lünch?\n")
                try await eventually("Bob has the text") { try await pair.bob.texts(with: "Ada").last == "lünch?" }
                try await pair.bob.send("gladly", to: "Ada")
                try await screen.shows("Bob: gladly")
                try await pair.ada.kill()
                try await screen.shows("Waiting for the daemon")
                try await pair.ada.start()
                try await pair.bob.send("and now?", to: "Ada")
                try await screen.shows("Bob: and now?", within: .seconds(30))
                screen.type("\u{4}")
                #expect(try await screen.ended() == 0)
            }
        }
    }
}
