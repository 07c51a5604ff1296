import Foundation
import ParlanceWaiting
import ParlanceWords
import Synchronization
import Testing

@testable import ParlanceControl
@testable import parlance

/// The built command, which is beside the test bundle.
enum BuiltCommand {
    static var url: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("parlance")
    }
}

/// Runs the built command `parlance` against a real socket.
@Suite(.timeLimit(.minutes(30))) struct CommandTests {
    struct Outcome {
        var code: Int32
        var output: String
        var errors: String
    }

    private func run(_ arguments: [String], socket: String, input: String? = nil) async throws -> Outcome {
        try await Self.run(arguments, socket: socket, input: input)
    }

    /// - Parameter terminal: variables that a terminal sets, on which the command then runs.
    static func run(
        _ arguments: [String],
        socket: String?,
        input: String? = nil,
        locale: String? = nil,
        terminal: [String: String]? = nil
    ) async throws -> Outcome {
        let process = Process()
        process.executableURL = BuiltCommand.url
        process.arguments = arguments
        if terminal != nil {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
            let words = ([BuiltCommand.url.path] + arguments).map { ShellWord.quoted($0) }
            process.arguments = ["-qec", words.joined(separator: " "), "/dev/null"]
        }
        var environment = ["HOME": "/nowhere", "TZ": "UTC"].merging(terminal ?? [:]) { $1 }
        environment["PARLANCE_SOCKET"] = socket
        for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] {
            environment[name] = ProcessInfo.processInfo.environment[name]
        }
        environment["LANG"] = locale
        process.environment = environment
        let (output, errors, stdin) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = stdin
        let outcome: Outcome = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { process in
                let outcome = Outcome(
                    code: process.terminationStatus,
                    output: String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
                    errors: String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                )
                // They would be kept, and with 1,350 open files Foundation reads beyond its memory.
                for pipe in [output, errors] { try? pipe.fileHandleForReading.close() }
                continuation.resume(returning: outcome)
            }
            do {
                try process.run()
                try? stdin.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
                try stdin.fileHandleForWriting.close()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        // A sanitizer report fails the test, whatever code and output it expects.
        #expect(!outcome.errors.contains("Sanitizer: "), "\(outcome.errors)")
        return outcome
    }

    @Test func saysThatNoDaemonAnswers() async throws {
        let outcome = try await run(["peers"], socket: "/nowhere/control.sock")
        #expect(outcome.code == 2)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors
                == "parlance: No daemon answers at /nowhere/control.sock: parlanced is not running.\n"
                + (UserManager.isPossible
                    ? "Start it with: parlanced\n"
                    : "Start it with: parlanced. To let it run in the background: nohup parlanced &\n")
        )
        let json = try await run(["peers", "--json"], socket: "/nowhere/control.sock")
        let error = try JSONParser.parse(Array(json.errors.utf8))["error"]
        #expect(error?["code"] == .string("noDaemon"))
    }

    @Test func everyCommandHasHelpWithAnExample() async throws {
        // The commands of a stick and of files call several methods.
        let others = [
            "passphrase", "ask.cancel", "workspace.change", "workspace.preview", "workspace.uninvite", "page.open",
        ]
        let methods = NodeFront.operations.map { $0.method }.filter {
            !$0.hasPrefix("carry.") && !$0.hasPrefix("file.") && !others.contains($0)
        }
        let commands =
            methods.map { $0.replacing(".", with: " ") } + [
                "passphrase set", "passphrase remove", "watch", "chat", "config get", "config set", "export", "restore",
                "verify-log", "wait", "workspace admin", "workspace exclude", "workspace readmit", "workspace admit",
                "carry out", "carry in", "fetch", "files pause", "files resume", "files cancel", "files retry", "open",
            ]
        for command in commands {
            let words = command.split(separator: " ").map(String.init)
            let outcome = try await run(words + ["--help"], socket: "/nowhere/control.sock")
            #expect(outcome.code == 0)
            // The line after this word names every command.
            let parts = outcome.output.split(separator: "USAGE:")
            #expect(parts.count == 2 && parts[0].contains("parlance \(command)"), "\(command)")
        }
    }

    @Test func aloneItSaysWhatToDoNext() async throws {
        try await ServerFixture.with { fixture in
            let overview = try await fixture.run()
            #expect(overview.code == 0 && overview.output.hasPrefix("Ada  "), "\(overview.errors)")
            #expect(overview.output.contains("\n  parlance send WHO TEXT "), "\(overview.output)")
            #expect(overview.output.hasSuffix("All commands: parlance --help. More about your node: parlance status\n"))
            let status = try await fixture.run("status", "--json").output
            #expect(try await fixture.run("--json").output == status)
        }
        #expect(try await run([], socket: "/nowhere/control.sock").code == 2)
        #expect(try await run(["--help"], socket: "/nowhere").output.contains("SUBCOMMANDS:"))
    }

    @Test func figuresAreNamedForPeople() async throws {
        try await ServerFixture.with("Bob") { fixture in
            func names(_ outcome: Outcome) -> [String] {
                // A column of names, and one of numbers.
                outcome.output.split(separator: "\n").map { line in
                    String(line.hasPrefix("  ") ? line.prefix(upTo: line.lastIndex(of: " ") ?? line.endIndex) : line)
                }
            }
            let metrics = try await fixture.ada.call(StatsOperation()).metrics
            let gauges = metrics.filter { $0.kind == .gauge }.flatMap(\.samples)
            let counters = metrics.filter { $0.kind == .counter }.flatMap(\.samples)
            let lines = names(try await fixture.run("stats"))
            try #require(lines.count == 2 + gauges.count + counters.count, "\(lines)")
            #expect(lines[0] == "Now:" && lines[1 + gauges.count] == "Since the daemon started:", "\(lines)")
            #expect(lines[...gauges.count].contains { $0.hasPrefix("  outbox entries, staged ") }, "\(lines)")
            #expect(lines.last.map { $0.hasPrefix("  ") && !$0.contains("total") } == true, "\(lines)")
            let german = names(try await fixture.run("stats", locale: "de_DE.UTF-8"))
            #expect(german == lines, "the names of the figures are English")
        }
    }

    @Test func figuresAreWrittenForPrometheus() async throws {
        try await ServerFixture.with { fixture in
            fixture.node.change(StatsOperation.self) { reply in
                reply.metrics = [
                    Metric("parlance_batches_total", .counter, "Batches.", 3),
                    Metric("parlance_outbox", .gauge, "A \\ and\na line.", [.init(2, label: "status", "a\"b\\c\n")]),
                ]
            }
            let text = try await fixture.run("stats", "--prometheus")
            #expect(
                text.output == """
                    # HELP parlance_batches_total Batches.
                    # TYPE parlance_batches_total counter
                    parlance_batches_total 3
                    # HELP parlance_outbox A \\\\ and\\na line.
                    # TYPE parlance_outbox gauge
                    parlance_outbox{status="a\\"b\\\\c\\n"} 2

                    """
            )
        }
    }

    @Test func settingsOfAConversationAreConfirmed() async throws {
        let answers = [
            (["pin", "Bob"], "Bob is pinned: it comes first in 'parlance conversations'."),
            (["unpin", "Bob"], "Bob is not pinned."),
            (["mute", "Bob"], "Bob is muted. Messages that mention you are still announced."),
            (["unmute", "Bob"], "Notifications of Bob are on."),
            (
                ["retain", "Bob", "90d", "--yes"],
                "Messages of Bob are removed from this computer after 90 days, once they are read and delivered."
            ),
            (["retain", "Bob", "off"], "Messages of Bob are kept."),
            (["disappear", "Bob"], "Messages of Bob do not disappear."),
        ]
        try await ServerFixture.with("Bob") { fixture in
            for (words, answer) in answers { #expect(try await fixture.run(words).output == answer + "\n") }
            for (words, hours) in [(["8h"], 8), (["--for", "2w"], 336)] {
                let before = LocalClock.system().now.milliseconds
                let muted = try await fixture.run(["mute", "Bob"] + words).output
                let until = try #require(try await fixture.ada.conversation(with: "Bob").mutedUntil)
                let length = until.milliseconds - before
                #expect((0...60_000).contains(length - Int64(hours) * 3_600_000), "\(length)")
                let end = LocalClock(now: ControlTime(milliseconds: before)) { _ in 0 }.short(until)
                #expect(muted == "Bob is muted until \(end). Messages that mention you are still announced.\n")
            }
        }
    }

    @Test func bothSayHowLongMessagesStay() async throws {
        try await ServerFixture.with("Bob") { fixture in
            _ = try await fixture.bob.call(DisappearOperation(who: "Ada", seconds: 604_800))
            try await eventually("Ada hears of it") {
                try await fixture.ada.conversation(with: "Bob").disappear?.others == 604_800
            }
            let asked = try await fixture.run("disappear", "Bob").output
            #expect(
                asked
                    == "Messages of Bob do not disappear. Bob wants that after 7 days. To agree: parlance disappear Bob 7d\n"
            )
            let agreed = try await fixture.run("disappear", "Bob", "1d").output
            let both = """
                Messages of Bob disappear from every computer after 7 days, once they are read and delivered. \
                You want that after 1 day, Bob after 7 days: the longer time counts.
                """
            #expect(agreed.hasPrefix(both), "\(agreed)")
        }
    }

    @Test(arguments: ["soon", "8", "h", "-1h", "0m", "8 hours", "99999999999999999w"])
    func aLengthThatNobodyUnderstandsIsWrongUsage(_ length: String) async throws {
        let outcome = try await run(["mute", "Bob", "--for=\(length)"], socket: "/nowhere/control.sock")
        #expect(outcome.code == 64)
        #expect(
            outcome.errors.contains("Give a number with m, h, d or w, such as 30m, 8h, 2d or 1w. To see"),
            "\(outcome.errors)"
        )
        // An option of one letter asks for help here.
        guard !length.hasPrefix("-") else { return }
        let retain = try await run(["retain", "Bob", length], socket: "/nowhere/control.sock")
        #expect(retain.code == 64 && retain.errors.contains("12h, 90d or 52w"), "\(retain.errors)")
    }

    @Test func aReloadSaysWhatNeedsARestart() async throws {
        try await ServerFixture.with { fixture in
            let text = try await fixture.run("config", "reload")
            #expect(text.output == "In force now: log-level, peers.\nport needs a restart of the daemon.\n")
            let json = try await fixture.run("config", "reload", "--json")
            #expect(try JSONParser.parse(Array(json.output.utf8))["restart"] == .array([.string("port")]))
        }
    }

    @Test func doctorShowsForksWithTheProof() async throws {
        try await ServerFixture.with { fixture in
            fixture.node.change(DoctorOperation.self) { findings in
                findings.forks = [
                    ForkInfo(
                        conversation: "c",
                        title: "Crew",
                        author: Person(id: "b", displayName: "Bob"),
                        after: 3,
                        branches: [.init(first: "f1", proof: "0a"), .init(first: "f2", proof: "0b")]
                    )
                ]
            }
            let text = try await fixture.run("doctor").output
            let line = "Crew: Bob's messages of one device go on in 2 branches after entry 3 (f1, f2)."
            #expect(text.split(separator: "\n").contains { $0.hasPrefix(line) }, "\(text)")
            let json = try JSONParser.parse(Array(try await fixture.run("doctor", "--json").output.utf8))
            guard case .array(let forks) = json["forks"], case .array(let branches) = forks.first?["branches"] else {
                Issue.record("no forks")
                return
            }
            #expect(branches.map { $0["proof"] } == [.string("0a"), .string("0b")])
        }
    }
}
