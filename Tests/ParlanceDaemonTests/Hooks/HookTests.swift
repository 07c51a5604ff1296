import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// Hooks of real daemons.
    @Suite struct HookTests {
        /// Ada and Bob, and a folder for Bob's hooks that does not exist yet.
        private static func pair(
            in lab: Lab,
            _ body: (_ pair: Pair, _ hooks: URL) async throws -> Void
        ) async throws {
            let (first, second) = (try Lab.freePort(), try Lab.freePort())
            let folder = lab.folder.appendingPathComponent("settings", isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appendingPathComponent("config.yaml")
            try Data("# none\n".utf8).write(to: file)
            let bob = LabNode.onLoopback(
                lab,
                "Bob",
                port: second,
                dials: [first],
                arguments: ["--config", file.path, "--log-level", "info"]
            )
            let pair = Pair(ada: LabNode.onLoopback(lab, "Ada", port: first, dials: [second]), bob: bob)
            try await pair.start()
            try await body(pair, folder.appendingPathComponent("hooks", isDirectory: true))
        }

        /// The lines of `parlance doctor` about hooks.
        private static func doctor(_ node: LabNode) async throws -> Findings { try await node.ask(DoctorOperation()) }

        @Test func aHookGetsTheEventAndCanAnswer() async throws {
            try await Lab.run { lab in
                try await Self.pair(in: lab) { pair, path in
                    #expect(
                        try await Self.doctor(pair.bob).looked.contains { $0.english == "hooks: none in \(path.path)" }
                    )
                    // The folder is made while the daemon runs.
                    let hooks = try ScriptFolder(at: path)
                    try hooks.write("on-message-note", "cat >> events; echo written; echo \"$PARLANCE_HOOK\" >> kinds")
                    try hooks.write("on-message-z", "parlance send Ada \"got it\" && exit 5")
                    try await eventually("the hooks are found") {
                        try await Self.doctor(pair.bob).looked.contains {
                            $0.english.hasPrefix("hooks: on-message-note, on-message-z; ")
                        }
                    }
                    let sent = try await pair.ada.send("\"quotes\" \u{1F44D}\nand lines", to: "Bob")
                    try await eventually("the hook has run") { hooks.lines("kinds") == ["message"] }
                    let event = try JSONParser.parse(Array(hooks.lines("events").joined().utf8))
                    #expect(event["type"]?.text == "message" && event["data"]?["id"]?.text == sent.id)
                    #expect(event["data"]?["text"]?.text == "\"quotes\" \u{1F44D}\nand lines")
                    try await eventually("Ada has the answer") {
                        try await pair.ada.texts(with: "Bob").last == "got it"
                    }
                    // The answer is Bob's own message: his hooks do not run for it.
                    let watcher = try await Watcher(pair.bob)
                    try await pair.bob.send("own", to: "Ada")
                    try await watcher.sees("message") { $0["text"]?.text == "own" }
                    #expect(hooks.lines("kinds") == ["message"])
                    try await eventually("the log has what became of them") {
                        let log = pair.bob.child?.complained ?? ""
                        return log.contains("A hook wrote") && log.contains("output=written")
                            && log.contains("A hook failed") && log.contains("code=5") && !log.contains("quotes")
                    }
                    let stats = try await pair.bob.parlance("stats", "--prometheus").output
                    #expect(stats.contains("\nparlance_hook_runs_total 2\n"))
                    #expect(stats.contains("\nparlance_hook_failures_total 1\n"))
                }
            }
        }

        @Test func otherEventsHaveTheirHooks() async throws {
            try await Lab.run { lab in
                try await Self.pair(in: lab) { pair, path in
                    let hooks = try ScriptFolder(at: path)
                    for kind in ["mention", "presence", "request"] { try hooks.write("on-\(kind)", "cat >> \(kind)s") }
                    try await eventually("the hooks are found") {
                        try await Self.doctor(pair.bob).looked.contains { $0.english.contains("on-request") }
                    }
                    try await pair.ada.send("nobody is mentioned", to: "Bob")
                    try await pair.ada.send("@Bob, look", to: "Bob")
                    try await eventually("the mention is noticed") { hooks.lines("mentions").count == 1 }
                    #expect(hooks.lines("mentions")[0].contains("\"mentionsMe\":true"))
                    try await pair.ada.ask(PresenceOperation(state: .busy))
                    try await eventually("the presence is noticed") {
                        hooks.lines("presences").contains { $0.contains("\"presence\":\"busy\"") }
                    }
                    let eve = LabNode.onLoopback(lab, "Eve", port: try Lab.freePort(), dials: [pair.bob.port])
                    try await eve.start()
                    try await eve.sees("Bob", "connected") { $0.connected }
                    try await eve.send("let me in", to: "Bob")
                    try await eventually("the request is noticed") {
                        hooks.lines("requests").contains { $0.contains("\"preview\":\"let me in\"") }
                    }
                }
            }
        }

        @Test func aFaultyHookIsNotRunAndTheDoctorSaysWhy() async throws {
            try await Lab.run { lab in
                try await Self.pair(in: lab) { pair, path in
                    let hooks = try ScriptFolder(at: path)
                    try hooks.write("on-message", "echo + >> ran", mode: 0o722)
                    try hooks.write("on-message-good", "echo + >> good")
                    try await eventually("the doctor names it") {
                        try await Self.doctor(pair.bob).problems.contains {
                            $0.code == "hook"
                                && $0.advice.english == "Keep it to yourself: chmod go-w \(path.path)/on-message"
                        }
                    }
                    try await pair.ada.send("one", to: "Bob")
                    try await eventually("the other one runs") { hooks.lines("good") == ["+"] }
                    #expect(hooks.lines("ran").isEmpty)
                    try hooks.setMode(0o700, of: path.appendingPathComponent("on-message"))
                    try await eventually("it is mended") {
                        try await !Self.doctor(pair.bob).problems.contains { $0.code == "hook" }
                    }
                    try await pair.ada.send("two", to: "Bob")
                    try await eventually("it runs") { hooks.lines("ran") == ["+"] }
                }
            }
        }

        /// Three hooks and a flood: few processes, few messages behind, and what was missed is counted.
        @Test func aFloodRunsFewProcesses() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                try await Self.pair(in: lab) { pair, path in
                    let hooks = try ScriptFolder(at: path)
                    for name in ["a", "b", "c", "d", "e", "f"] {
                        try hooks.write(
                            "on-message-\(name)",
                            "echo + >> log; ls -d running-* 2>/dev/null | wc -l >> most; touch running-\(name); sleep 0.02; rm running-\(name)"
                        )
                    }
                    try await eventually("the hooks are found") {
                        try await Self.doctor(pair.bob).looked.contains { $0.english.contains("on-message-f") }
                    }
                    let client = try await pair.ada.client()
                    let texts = (1...1_000).map { "text \($0)" }
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for text in texts {
                            group.addTask { _ = try await client.call(SendOperation(who: "Bob", text: text)) }
                        }
                        try await group.waitForAll()
                    }
                    try await pair.ada.deliversAll(within: .seconds(40))
                    let figures = { () async throws -> [String: Int] in
                        let reply = try await pair.bob.ask(StatsOperation())
                        return Dictionary(uniqueKeysWithValues: reply.metrics.map { ($0.name, $0.samples[0].value) })
                    }
                    try await eventually("every hook has run or missed each message", within: .seconds(60)) {
                        let now = try await figures()
                        let (runs, missed) = (
                            now["parlance_hook_runs_total"] ?? 0, now["parlance_hook_events_missed_total"] ?? 0
                        )
                        return runs + missed == 6 * texts.count && hooks.lines("log").count == runs
                    }
                    let now = try await figures()
                    #expect(now["parlance_hook_failures_total"] == 0)
                    #expect((now["parlance_hook_events_missed_total"] ?? 0) > 4_000)
                    // Beside itself a hook sees at most three others.
                    let most = hooks.lines("most").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }.max()
                    #expect(try #require(most) <= 3)
                    #expect(try await Self.doctor(pair.bob).looked.contains { $0.english.contains("of a flood") })
                    #expect(try await pair.bob.texts(with: "Ada").count == texts.count + 1)
                }
            }
        }

        @Test func aStopEndsTheHooksThatRun() async throws {
            try await Lab.run { lab in
                try await Self.pair(in: lab) { pair, path in
                    let hooks = try ScriptFolder(at: path)
                    try hooks.write("on-message", "echo $$ > began; exec sleep 1000")
                    try await eventually("the hook is found") {
                        try await Self.doctor(pair.bob).looked.contains { $0.english.contains("on-message") }
                    }
                    try await pair.ada.send("one", to: "Bob")
                    let process = try await soon("it runs") { hooks.lines("began").first.flatMap { Int32($0) } }
                    #expect(try await pair.bob.end(SIGTERM) == 0)
                    #expect(kill(process, 0) != 0)
                }
            }
        }
    }
}
