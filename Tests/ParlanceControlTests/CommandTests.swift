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
        let others = ["passphrase", "ask.cancel", "workspace.change", "workspace.preview", "workspace.uninvite"]
        let methods = TestNode().methods.names.filter {
            !$0.hasPrefix("carry.") && !$0.hasPrefix("file.") && !others.contains($0)
        }
        let commands =
            methods.map { $0.replacing(".", with: " ") } + [
                "passphrase set", "passphrase remove", "watch", "chat", "config get", "config set", "export", "restore",
                "verify-log", "wait", "workspace admin", "workspace exclude", "workspace readmit", "workspace admit",
                "carry out", "carry in", "fetch", "files pause", "files resume", "files cancel", "files retry",
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
            let overview = try await run([], socket: fixture.path)
            #expect(overview.code == 0 && overview.output.hasPrefix("n  "), "\(overview.errors)")
            #expect(overview.output.contains("\n  parlance send WHO TEXT "), "\(overview.output)")
            #expect(overview.output.hasSuffix("All commands: parlance --help. More about your node: parlance status\n"))
            let status = try await run(["status", "--json"], socket: fixture.path).output
            #expect(try await run(["--json"], socket: fixture.path).output == status)
        }
        #expect(try await run([], socket: "/nowhere/control.sock").code == 2)
        #expect(try await run(["--help"], socket: "/nowhere").output.contains("SUBCOMMANDS:"))
    }

    @Test func figuresAreNamedForPeople() async throws {
        try await ServerFixture.with { fixture in
            let lines = try await run(["stats"], socket: fixture.path).output.split(separator: "\n")
            try #require(lines.count == 4, "\(lines)")
            #expect(lines[0] == "Now:" && lines[1].hasPrefix("  outbox, ") && lines[1].hasSuffix("  2"), "\(lines)")
            #expect(lines[2] == "Since the daemon started:" && lines[3].hasPrefix("  batches  "), "\(lines)")
            let german = try await Self.run(["stats"], socket: fixture.path, locale: "de_DE.UTF-8").output
            #expect(german.split(separator: "\n") == lines, "the names of the figures are English")
        }
    }

    @Test func figuresAreWrittenForPrometheus() async throws {
        try await ServerFixture.with { fixture in
            let text = try await run(["stats", "--prometheus"], socket: fixture.path)
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

    @Test(arguments: [
        (["pin", "Bob"], "Bob is pinned: it comes first in 'parlance conversations'."),
        (["unpin", "Bob"], "Bob is not pinned."),
        (["mute", "Bob"], "Bob is muted. Messages that mention you are still announced."),
        (
            ["mute", "Bob", "8h"],
            "Bob is muted until 1970-01-01 08:00. Messages that mention you are still announced."
        ),
        (
            ["mute", "Bob", "--for", "2w"],
            "Bob is muted until 1970-01-15 00:00. Messages that mention you are still announced."
        ),
        (["unmute", "Bob"], "Notifications of Bob are on."),
        (
            ["retain", "Bob", "90d", "--yes"],
            "Messages of Bob are removed from this computer after 90 days, once they are read and delivered."
        ),
        (["retain", "Bob", "off"], "Messages of Bob are kept."),
        (
            ["disappear", "Bob"],
            "Messages of Bob do not disappear. Bob wants that after 7 days. To agree: parlance disappear Bob 7d"
        ),
        (
            ["disappear", "Bob", "1d"],
            """
            Messages of Bob disappear from every computer after 7 days, once they are read and delivered. \
            You want that after 1 day, Bob after 7 days: the longer time counts.
            """
        ),
    ])
    func settingsOfAConversationAreConfirmed(_ words: [String], _ answer: String) async throws {
        try await ServerFixture.with { fixture in
            let outcome = try await run(words, socket: fixture.path)
            #expect(outcome.output == answer + "\n")
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
            let text = try await run(["config", "reload"], socket: fixture.path)
            #expect(text.output == "In force now: log-level, peers.\nport needs a restart of the daemon.\n")
            let json = try await run(["config", "reload", "--json"], socket: fixture.path)
            #expect(try JSONParser.parse(Array(json.output.utf8))["restart"] == .array([.string("port")]))
        }
    }

    @Test func doctorShowsForksWithTheProof() async throws {
        try await ServerFixture.with { fixture in
            let text = try await run(["doctor"], socket: fixture.path)
            #expect(
                text.output.hasPrefix("Crew: Bob's messages of one device go on in 2 branches after entry 3 (f1, f2).")
            )
            let json = try JSONParser.parse(
                Array(try await run(["doctor", "--json"], socket: fixture.path).output.utf8)
            )
            guard case .array(let forks) = json["forks"], case .array(let branches) = forks.first?["branches"] else {
                Issue.record("no forks")
                return
            }
            #expect(branches.map { $0["proof"] } == [.string("0a"), .string("0b")])
        }
    }

    @Test func writesAndReadsAConversation() async throws {
        try await ServerFixture.with { fixture in
            let empty = try await run(["history", "Bob"], socket: fixture.path)
            #expect(empty.output.contains("No messages with Bob yet"))
            let sent = try await run(["send", "Bob", "see", "you \u{1B}[2J"], socket: fixture.path)
            #expect(sent.code == 0)
            #expect(sent.output == "Saved, and on its way. (m1)\n")
            let piped = try await run(["send", "Bob", "-"], socket: fixture.path, input: "line one\nline two\n")
            #expect(piped.code == 0)
            #expect(fixture.node.state.withLock { $0.messages.last?.text } == "line one\nline two")
            let history = try await run(["history", "Bob"], socket: fixture.path)
            #expect(history.output.contains("see you \\u{1B}[2J  [sending]"))
            #expect(!history.output.contains("\u{1B}"))
            let json = try await run(["history", "Bob", "--limit", "1", "--json"], socket: fixture.path)
            let page = try JSONParser.parse(Array(json.output.utf8))
            #expect(page["more"] == .bool(true))
            #expect(page["conversation"]?["title"] == .string("Bob"))
        }
    }

    @Test func everythingBehindTheRecipientIsText() async throws {
        try await ServerFixture.with { fixture in
            let texts = [
                (["--", "-h"], "-h"), (["-help", "is short for --help"], "-help is short for --help"),
                (["--", "--json"], "--json"), (["--", "see", "--version"], "see --version"),
                (["-5", "below"], "-5 below"), (["-abc", "--x=1"], "-abc --x=1"), (["--", "--text"], "--text"),
                (["a", "--", "b"], "a -- b"), (["-", "x"], "- x"),
            ]
            for (words, text) in texts {
                let sent = try await run(["send", "Bob"] + words, socket: fixture.path)
                #expect(sent.code == 0, "\(words): \(sent.errors)")
                #expect(sent.output.hasPrefix("Saved, and on its way."), "\(words): \(sent.output)")
                #expect(fixture.node.state.withLock { $0.messages.last?.text } == text)
            }
            let json = try await run(["send", "--json", "Bob", "--", "--json"], socket: fixture.path)
            #expect(try JSONParser.parse(Array(json.output.utf8))["status"] == .string("sending"))
            #expect(fixture.node.state.withLock { $0.messages.last?.text } == "--json")
            let help = try await run(["send", "--help"], socket: fixture.path)
            #expect(help.output.contains("Options come before WHO"))
        }
    }

    @Test func commandsAboutAMessageSayWhatItIsNow() async throws {
        try await ServerFixture.with { fixture in
            _ = try await run(["send", "Bob", "see you at noon"], socket: fixture.path)
            let edited = try await run(["edit", "m1", "--", "-h", "see you at one"], socket: fixture.path)
            #expect(edited.output == "Edited: -h see you at one\n")
            let reply = try await run(["reply", "m1", "--", "--json"], socket: fixture.path)
            #expect(reply.output == "Saved, and on its way. (m2)\n")
            #expect(fixture.node.state.withLock { $0.messages.last?.text } == "re m1: --json")
            let liked = try await run(["react", "m1", "👍"], socket: fixture.path)
            #expect(liked.output == "Reactions: 👍 you\n")
            let unliked = try await run(["react", "m1", "👍", "--remove"], socket: fixture.path)
            #expect(unliked.output == "No reactions.\n")
            let info = try await run(["info", "m1"], socket: fixture.path)
            #expect(info.output.contains("FOR  STATUS  WHY\nBob  waits   Bob is offline\n"))
            let unknown = try await run(["info", "m9"], socket: fixture.path)
            #expect(unknown.code == 65 && unknown.errors.contains("There is no such message."))
            for command in [["reply", "m1"], ["edit", "m1", "--"], ["react", "m1"], ["delete"]] {
                #expect(try await run(command, socket: fixture.path).code == 64, "\(command)")
            }
        }
    }

    @Test func groupsAreShownWithWhoHasWhat() async throws {
        try await ServerFixture.with { fixture in
            let made = try await run(["group", "create", "Crew", "Bob"], socket: fixture.path)
            #expect(made.output == "Created the group Crew. Members: you and Bob.\nBob joins when connected.\n")
            let twice = try await run(["group", "create", "Crew", "Bob", "bob"], socket: fixture.path)
            #expect(twice.output.contains(" and Bob.\nSomebody was named twice and is a member once.\nBob joins"))
            let alone = try await run(["group", "create", "Diary"], socket: fixture.path)
            #expect(alone.output == "Created the group Diary. Members: you.\n")
            let shown = try await run(["group", "show", "Crew"], socket: fixture.path)
            let lines = shown.output.split(separator: "\n")
            #expect(lines.first == "Crew (crewcrewcrew)")
            #expect(lines.dropFirst().first?.split(separator: " ").prefix(4) == ["NAME", "ID", "ROLE", "TRUST"])
            #expect(lines.contains { $0.hasPrefix("Ada (you)  adaadaad  admin") && $0.hasSuffix("everything") })
            #expect(lines.contains { $0.hasPrefix("Bob        bobbobbo") && $0.hasSuffix("at least 4 of 7") })
            let topic = try await run(["group", "topic", "Crew", "the", "dock"], socket: fixture.path)
            #expect(topic.output == "The topic of Crew: the dock\n")
            let leave = try await run(["group", "leave", "Crew"], socket: fixture.path)
            #expect(leave.code == 65 && leave.errors.contains("You are the only admin of this group."))
            for command in [
                ["group", "add", "Crew"], ["group", "topic", "Crew", "x", "--clear"], ["group", "nonsense"],
            ] {
                #expect(try await run(command, socket: fixture.path).code == 64, "\(command)")
            }
        }
    }

    @Test func refusalsOfWhatWasGivenAre65AndOthers1() async throws {
        try await ServerFixture.with { fixture in
            let blank = try await run(["send", "Bob", " "], socket: fixture.path)
            #expect(blank.code == 65)
            #expect(blank.errors == "parlance: The text is empty.\nWrite something.\n")
            let ambiguous = try await run(["send", "Bobby", "x"], socket: fixture.path)
            #expect(ambiguous.code == 65)
            #expect(ambiguous.errors.contains("bobbobbo  Bob \\u{1B}[31m (accepted)"))
            let busy = try await run(["outbox", "retry", "m1"], socket: fixture.path)
            #expect(busy.code == 1)
        }
    }

    @Test func everyCommandWorksAgainstANode() async throws {
        try await ServerFixture.with { fixture in
            let commands = [
                ["id"], ["name"], ["name", "Eve"], ["alias", "Bob", "B"], ["forget", "Bob"], ["allow", "Bob"],
                ["picture"], ["picture", "--remove"],
                ["peers"], ["accept"], ["accept", "Bob"], ["requests"], ["decline", "Bob"], ["block", "Bob"],
                ["unblock", "Bob"],
                ["verify", "Bob"], ["verify", "Bob", "--confirm"], ["verify", "Bob", "--scanned", "PARLANCE:1"],
                ["conversations"], ["read", "Bob"], ["outbox"], ["presence"], ["pin", "Bob"], ["unpin", "Bob"],
                ["mute", "--for", "8h", "Bob"], ["unmute", "Bob"], ["retain", "Bob", "off"],
                ["disappear", "Bob", "off"], ["presence", "busy", "--text", "x"],
                ["presence", "busy", "in", "a"], ["disk"],
                ["conversation", "clear", "Bob", "--yes"], ["conversation", "delete", "Bob", "--yes"],
                ["conversation", "hide", "Bob"], ["conversation", "show", "Bob"],
                ["typing", "Bob"], ["send", "Bob", "x"], ["reply", "m1", "x"],
                ["edit", "m1", "x"], ["react", "m1", "👍"], ["react", "--remove", "m1", "👍"], ["info", "m1"],
                ["delete", "m1"], ["group", "create", "Crew", "Bob", "Cleo"], ["group", "show", "Crew"],
                ["group", "add", "Crew", "Dan"], ["group", "remove", "Crew", "Dan"], ["group", "admin", "Crew", "Bob"],
                ["group", "admin", "--remove", "Crew", "Bob"], ["group", "rename", "Crew", "Night", "watch"],
                ["group", "topic", "Crew"], ["group", "topic", "Crew", "the", "dock"],
                ["group", "topic", "Crew", "--clear"], ["courier"], ["courier", "Bob"], ["history", "Bob"],
                ["search", "tea"], ["status"], ["seen", "Bob"],
                ["doctor"], ["doctor", "Bob"], ["stats"], ["passphrase", "set"], ["workspace", "create", "Ship"],
                ["workspace", "show"], ["workspace", "join", TestWorkspace.code], ["workspace", "rotate", "--yes"],
                ["workspace", "rotate", "--without", "Bob", "--yes"],
                ["workspace", "leave", "--yes"], ["config", "reload"], ["config", "list"],
                ["carry", "out", fixture.folder], ["carry", "out", fixture.folder, "--files"],
                ["carry", "in", fixture.folder, "Bob"],
                ["files"], ["files", "Bob"], ["files", "pause", "di5n2g6l"], ["files", "resume", "di5n2g6l"],
                ["files", "cancel", "di5n2g6l"], ["files", "retry", "di5n2g6l"], ["fetch", "di5n2g6l", "--no-wait"],
            ]
            let refused = [
                ["outbox", "retry", "m1"]: 1, ["outbox", "cancel", "m1"]: 1, ["group", "leave", "Crew"]: 65,
                // The copy that this node names is not there.
                ["backup", fixture.folder + "/file"]: 1,
            ]
            for command in commands + TestNode.laterCommands + refused.keys.sorted(by: { $0[1] < $1[1] }) {
                let code = Int32(refused[command] ?? 0)
                let outcome = try await run(command, socket: fixture.path, input: "correct horse\n")
                #expect(outcome.code == code, "\(command) \(outcome.errors)")
                let two = ["group", "outbox", "workspace", "passphrase", "config", "carry", "conversation"]
                let hasTwoWords = two.contains(command[0])
                let words = hasTwoWords || command[0] == "files" && command.count > 2 ? min(2, command.count) : 1
                let asked = command.prefix(words) + ["--json"] + command.dropFirst(words)
                let json = try await run(Array(asked), socket: fixture.path, input: "correct horse\n")
                let text = code == 0 ? json.output : json.errors
                let lines = text.split(separator: "\n").map { Array($0.utf8) }
                #expect(throws: Never.self, "\(command)") { try lines.map { try JSONParser.parse($0) } }
            }
            // `FileCommandTests` send and save files, Ctrl-C on a terminal cancels a question, and --yes asks none.
            let files = [FilePrepareOperation.method, FileAddOperation.method, FilePathOperation.method]
            let elsewhere = files + [AskCancelOperation.method, WorkspacePreviewOperation.method]
            #expect(fixture.node.state.withLock { $0.called } == Set(fixture.node.methods.names).subtracting(elsewhere))
        }
    }
}
