import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// Notifications with a program that desktops use, dunst, on a screen in memory.
    @Suite struct DunstTests {
        /// Asks dunst.
        private static func control(_ lab: Lab, _ words: String...) async throws -> String {
            let outcome = try await lab.run(try Programs.system("dunstctl"), words)
            return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        private static func shows(_ lab: Lab, _ count: Int) async throws {
            var last = ""
            try await eventually("dunst shows \(count)", last: last) {
                last = try await control(lab, "count", "displayed")
                return last == "\(count)"
            }
        }

        /// Starts a screen in memory, and dunst on it.
        private static func start(in lab: Lab) async throws -> (screen: Child, dunst: Child) {
            let screen = try lab.start(
                try Programs.system("Xvfb"),
                ["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"],
                name: "screen"
            )
            let display = try await soon("the screen is there") {
                screen.printed.contains("\n") ? screen.printed.split(separator: "\n").first : nil
            }
            // It prints what it shows.
            let runner = ["env", "DISPLAY=:\(display)"]
            return (screen, try lab.start(runner, try Programs.system("dunst"), ["-print"], name: "dunst"))
        }

        @Test func dunstShowsReplacesClosesAndIsClickedOn() async throws {
            try await Lab.run { lab in
                let bus = try await PrivateBus.start(in: lab)
                let (screen, dunst) = try await Self.start(in: lab)
                let terminal = try FakeTerminal(in: lab)
                let pair = try NotificationTests.pair(lab, arguments: [], runner: terminal.runner)
                try await pair.start()
                try await NotificationTests.ready(pair.ada)
                try await pair.bob.send("<i>one</i> & two", to: "Ada")
                try await Self.shows(lab, 1)
                try await pair.bob.send("three", to: "Ada")
                try await eventually("the second one replaces the first", last: dunst.printed) {
                    dunst.printed.contains("2 new messages")
                }
                #expect(dunst.printed.contains("&lt;i&gt;one&lt;/i&gt; &amp; two"), "\(dunst.printed)")
                try await Self.shows(lab, 1)
                _ = try await Self.control(lab, "action", "0")
                let bob = try #require(try await pair.ada.peer("Bob"))
                #expect(try await terminal.opened().last == bob.id)
                try await Self.shows(lab, 0)

                try await pair.bob.send("four", to: "Ada")
                try await Self.shows(lab, 1)
                try await pair.ada.ask(ReadOperation(who: "Bob"))
                try await Self.shows(lab, 0)
                for child in [dunst, screen] {
                    child.signal(SIGKILL)
                    try await child.ended()
                    lab.reaper.ended(child)
                }
                try await bus.stop(in: lab)
            }
        }
    }
}
