import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// The programs of contrib/examples, with real daemons.
    @Suite struct ExampleTests {
        private static let examples = repository.appendingPathComponent("contrib/examples", isDirectory: true)

        /// Bob has these hooks; Ada writes to him.
        private static func pair(
            in lab: Lab,
            hooks names: [String],
            _ body: (Pair) async throws -> Void
        ) async throws {
            let (first, second) = (try Lab.freePort(), try Lab.freePort())
            let settings = lab.folder.appendingPathComponent("settings", isDirectory: true)
            let hooks = try ScriptFolder(at: settings.appendingPathComponent("hooks", isDirectory: true))
            for name in names {
                let file = hooks.url.appendingPathComponent(name)
                try FileManager.default.copyItem(at: examples.appendingPathComponent(name), to: file)
                try hooks.setMode(0o700, of: file)
            }
            let file = settings.appendingPathComponent("config.yaml")
            try Data("notify: none\n".utf8).write(to: file)
            let pair = Pair(
                ada: LabNode.onLoopback(lab, "Ada", port: first, dials: [second]),
                bob: LabNode.onLoopback(
                    lab,
                    "Bob",
                    port: second,
                    dials: [first],
                    arguments: ["--config", file.path, "--log-level", "info"]
                )
            )
            try await pair.start()
            try await body(pair)
        }

        /// Waits until the last messages that Ada sees are these.
        private static func sees(_ pair: Pair, _ texts: [String]) async throws {
            var last: [String] = []
            try await eventually("Ada sees \(texts)", within: .seconds(20), last: "\(last)") {
                last = try await pair.ada.texts(with: "Bob").suffix(texts.count)
                return last == texts
            }
        }

        @Test func theBotsAnswerWhatIsForThem() async throws {
            try await Lab.run { lab in
                try await Self.pair(in: lab, hooks: ["on-message-echo", "on-message-who"]) { pair in
                    try await pair.ada.send("!echo $(id) `id` -- \"quotes\"\nand 'lines'", to: "Bob")
                    try await Self.sees(
                        pair,
                        ["!echo $(id) `id` -- \"quotes\"\nand 'lines'", "$(id) `id` -- \"quotes\"\nand 'lines'"]
                    )
                    // An echo of a command is no command of Bob's: his own messages run none of his hooks.
                    try await pair.ada.send("!echo !echo !who", to: "Bob")
                    try await Self.sees(pair, ["!echo !echo !who", "!echo !who"])
                    try await pair.ada.send("hello", to: "Bob")
                    try await pair.ada.send("!who", to: "Bob")
                    try await Self.sees(pair, ["hello", "!who", "Here: Ada"])
                    #expect(pair.bob.child?.complained.contains("A hook failed") == false)
                }
            }
        }

        @Test func theAlarmRingsOnceAndSaysWhenItIsOver() async throws {
            try await Lab.run { lab in
                try await Self.pair(in: lab, hooks: []) { pair in
                    let state = lab.folder.appendingPathComponent("state", isDirectory: true)
                    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
                    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
                    let alarm = { (limit: Int) in
                        let outcome = try await lab.run(
                            try Programs.system("env"),
                            [
                                "PATH=\(Programs.folder.path):\(path)", "PARLANCE_SOCKET=\(pair.bob.socketPath)",
                                "XDG_STATE_HOME=\(state.path)", Self.examples.appendingPathComponent("disk-alarm").path,
                                "Ada", "\(limit)", lab.folder.path,
                            ]
                        )
                        #expect(outcome.code == 0, "\(outcome.errors)")
                    }
                    for limit in [100, -1, -1, 100, 100] { try await alarm(limit) }
                    try await pair.bob.deliversAll()
                    let texts = try await pair.ada.texts(with: "Bob").dropFirst()
                    let place = "the disk of \(lab.folder.path)"
                    #expect(texts.count == 2, "\(texts)")
                    #expect(texts.first?.contains("\(place) is ") == true && texts.first?.hasSuffix(" % full") == true)
                    #expect(texts.last?.contains("\(place) has room again, ") == true)
                }
            }
        }
    }
}
