import Foundation
import ParlanceWaiting
import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import parlance

/// How the command understands what people type, and what it tells them.
@Suite(.timeLimit(.minutes(30))) struct CommandUseTests {
    private func run(_ arguments: [String], socket: String, input: String? = nil) async throws
        -> CommandTests.Outcome
    {
        try await CommandTests.run(arguments, socket: socket, input: input)
    }

    @Test func aGroupShowsWhoCannotOrMayNotJoin() async throws {
        try await ServerFixture.with("Bob") { fixture in
            _ = try await fixture.ada.call(GroupCreateOperation(title: "Crew", who: ["Bob"]))
            let changes: [(@Sendable (inout MemberInfo) -> Void, String)] = [
                ({ $0.asked = true }, "asked"), ({ ($0.asked, $0.leftOut) = (true, true) }, "excluded"),
                ({ ($0.admin, $0.leftOut) = (true, true) }, "admin, excluded"),
            ]
            for (change, role) in changes {
                fixture.node.change(GroupShowOperation.self) { group in
                    for index in group.members.indices where group.members[index].me != true {
                        change(&group.members[index])
                    }
                }
                let shown = try await fixture.run("group", "show", "Crew").output
                let row = "Bob        \(fixture.bob.id.prefix(8))  \(role)  "
                #expect(shown.split(separator: "\n").contains { $0.hasPrefix(row) }, "\(shown)")
            }
        }
    }

    /// Nobody has to be named in a workspace; whoever is excluded from it has nobody there.
    @Test func inAWorkspaceAllMembersAreCouriers() async throws {
        try await ServerFixture.with("Bob", as: .ship) { fixture in
            let all =
                "In the workspace Ship all members are couriers for each other, whether or not they name each other.\n"
            #expect(try await fixture.run("courier").output == all)
            #expect(try await fixture.run("courier", "Bob").output.hasSuffix("\n" + all))
            for words in [["courier", "Bob", "--remove"], ["courier", "--json"]] {
                let other = try await run(words, socket: fixture.path).output
                #expect(!other.contains("Ship"), "\(words)")
            }
            fixture.node.change(WorkspaceShowOperation.self) {
                $0.workspace?.charter?.excludedBy = Person(id: "c", displayName: "Cleo")
            }
            let alone = "You have named no couriers. To name one: parlance courier WHO\n"
            #expect(try await fixture.run("courier").output == alone)
        }
    }

    @Test func optionsStandBeforeOrBehindTheCommand() async throws {
        try await ServerFixture.with("Bob") { fixture in
            _ = try await fixture.ada.call(GroupCreateOperation(title: "Crew", who: []))
            let plain = try await fixture.run("group", "show", "--json", "Crew").output
            #expect(plain.contains("\"title\":\"Crew\""), "\(plain)")
            for words in [["--json", "group", "show", "Crew"], ["group", "--json", "show", "Crew"]] {
                #expect(try await fixture.run(words).output == plain, "\(words)")
            }
            for words in [["--socket", fixture.path, "id"], ["--socket=\(fixture.path)", "id"]] {
                #expect(try await run(words, socket: "/nowhere").code == 0, "\(words)")
            }
            let sent = try await fixture.run("--json", "send", "Bob", "--", "--json")
            #expect(try JSONParser.parse(Array(sent.output.utf8))["status"] == .string("sending"))
            #expect(try await fixture.texts.last == "--json")
            #expect(try await fixture.run("outbox", "--json").output.hasPrefix("{"))
        }
    }

    @Test(
        arguments: [
            (["sned", "Bob", "hi"], "There is no command \"sned\".", "Did you mean: parlance send"),
            (["group", "crate", "x"], "There is no command \"group crate\".", "Did you mean: parlance group create"),
            (["nonsense"], "There is no command \"nonsense\".", "To see all commands: parlance --help"),
            (["outbox", "rety", "m1"], "There is no command \"outbox rety\".", "Did you mean: parlance outbox retry"),
            (["help", "confg"], "There is no command \"confg\".", "Did you mean: parlance config"),
            (["help", "config", "sett"], "There is no command \"config sett\".", "Did you mean: parlance config set"),
        ]
    )
    func aMisspeltCommandGetsASuggestion(_ words: [String], _ message: String, _ advice: String) async throws {
        let text = try await run(words, socket: "/nowhere")
        #expect(text.code == 64 && text.errors == "parlance: \(message)\n\(advice)\n")
        let json = try await run(["--json"] + words, socket: "/nowhere")
        #expect(json.code == 64)
        let error = try JSONParser.parse(Array(json.errors.utf8))["error"]
        #expect(error?["code"] == .string("usage") && error?["message"] == .string(message))
        #expect(error?["advice"] == .string(advice))
    }

    @Test func wrongUsageIsJSONWhereJSONIsAsked() async throws {
        let outcome = try await run(["history", "Bob", "--limt", "3", "--json"], socket: "/nowhere")
        #expect(outcome.code == 64 && outcome.output.isEmpty)
        let error = try JSONParser.parse(Array(outcome.errors.utf8))["error"]
        #expect(error?["code"] == .string("usage"))
        #expect(error?["message"] == .string("There is no option --limt."), "\(outcome.errors)")
        #expect(
            error?["advice"] == .string("Did you mean --limit? To see how it is used: parlance help history")
        )
    }

    /// Others may take long to answer. Whoever reads the output elsewhere sees nothing of that.
    @Test func theDoctorSaysAtOnceWhatItDoes() async throws {
        try await ServerFixture.with { fixture in
            let terminal = ["TERM": "xterm"]
            let shown = try await CommandTests.run(["doctor"], socket: fixture.path, terminal: terminal)
            #expect(shown.code == 0 && shown.output.hasPrefix("Looking at this computer"), "\(shown)")
            let json = try await CommandTests.run(["doctor", "--json"], socket: fixture.path, terminal: terminal)
            #expect(json.code == 0 && json.output.hasPrefix("{"), "\(json)")
            let piped = try await run(["doctor"], socket: fixture.path)
            #expect(piped.code == 0 && piped.errors.isEmpty && !piped.output.contains("Looking at"), "\(piped)")
        }
    }

    /// What went wrong, then what to do, as any other error.
    @Test(
        arguments: [
            (["block"], "<who> is missing.", "parlance help block"),
            (["group", "add", "Crew"], "<who> is missing.", "parlance help group add"),
            (["history", "Bob", "--limit"], "--limit needs a value.", "parlance help history"),
            (
                ["history", "Bob", "--limit", "x"], "\"x\" is not a valid value of --limit <limit>.",
                "parlance help history"
            ),
            (["presence", "here"], "\"here\" is not a valid value of <state>.", "parlance help presence"),
            (["accept", "Bob", "Baker"], "\"Baker\" is one word too many.", "parlance help accept"),
            (["accept", "Ann", "B", "C"], "\"B C\" is too much.", "parlance help accept"),
            (["history", "Bob", "--limit", "0"], "--limit must be 1 to 200.", "parlance help history"),
            (["history", "Bob", "--limit", "-3"], "--limit must be 1 to 200.", "parlance help history"),
            (["history", "--limit", "-3"], "<who> is missing.", "parlance help history"),
            (["search", "x", "--offset", "-1"], "--offset must be 0 or more.", "parlance help search"),
            (["wait", "--people", "-2"], "Give a number of people from 1.", "parlance help wait"),
            // One that ends as -h does is no question for help.
            (["mute", "Bob", "-30m"], "-30m is negative.", "parlance help mute"),
            (["mute", "Bob", "-8h"], "-8h is negative.", "parlance help mute"),
            (["retain", "Bob", "-1h", "--yes"], "-1h is negative.", "parlance help retain"),
            (["config", "set", "message-quota", "-5"], "-5 is negative.", "parlance help config set"),
            (["disappear", "Bob", "-1h"], "-1h is negative.", "parlance help disappear"),
            (["alias", "Bob", "-oh-"], "There is no option -oh-.", "parlance help alias"),
            (["send", "-8h", "Hello"], "There is no option -8h.", "parlance help send"),
        ]
    )
    func wrongUsageIsSaidInOurWords(_ words: [String], _ message: String, _ help: String) async throws {
        let outcome = try await run(words, socket: "/nowhere")
        #expect(outcome.code == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("parlance: \(message)\n"), "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix("To see how it is used: \(help)\n"), "\(outcome.errors)")
    }

    /// What is taken is said too, and of zero that it is too little.
    @Test(arguments: [
        (["mute", "Bob", "-8h"], "Give a number with m, h, d or w"),
        (["retain", "Bob", "-1d"], "12h, 90d or 52w; or off."),
        (["config", "set", "message-quota", "-5"], "'parlance config list' says what each setting takes."),
        (["mute", "Bob", "0h"], "A length must be more than zero. Give a number with m"),
        (["retain", "Bob", "0d"], "A length must be more than zero. Give a number with h"),
    ])
    func aNumberThatIsTooSmallIsNoOption(_ words: [String], _ advice: String) async throws {
        let outcome = try await run(words, socket: "/nowhere")
        #expect(outcome.code == 64 && outcome.errors.contains(advice), "\(outcome.errors)")
        #expect(!outcome.errors.contains("option") && !outcome.errors.contains("Put --"), "\(outcome.errors)")
    }

    @Test func wrongUsageIsGermanToo() async throws {
        let outcome = try await CommandTests.run(["block"], socket: "/nowhere", locale: "de_DE.UTF-8")
        #expect(outcome.errors == "parlance: <who> fehlt.\nSo geht es: parlance help block\n")
    }

    @Test func aMissingTextIsTold() async throws {
        for words in [["send", "Bob"], ["reply", "m1", "--"], ["edit", "m1"]] {
            let outcome = try await run(words, socket: "/nowhere")
            #expect(outcome.code == 64 && outcome.errors.hasPrefix("parlance: The text is missing.\n"))
            #expect(outcome.errors.split(separator: "parlance: ").count == 1, "it is said once")
            #expect(outcome.errors.hasSuffix("parlance help \(words[0])\n"))
        }
        let german = try await CommandTests.run(["send", "Bob"], socket: "/nowhere", locale: "de_DE.UTF-8")
        #expect(german.errors.hasPrefix("parlance: Der Text fehlt.\n"))
    }

    @Test func aSocketThatCannotBeUsedIsNotCalledAStoppedDaemon() async throws {
        let folder = try ServerFixture.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let link = folder + "/socket"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
        let outcome = try await run(["peers"], socket: link)
        #expect(outcome.code == 1 && outcome.errors.hasPrefix("parlance: The socket \(link) cannot be used: "))
    }

    @Test func theAdviceToStartADaemonNamesItsProfileAndWhatTheMachineHas() async throws {
        func advice(_ daemon: String, _ canBeService: Bool, _ hasSystemd: Bool) -> String {
            CommandOptions.$current.withValue(daemon) {
                Options.startAdvice(daemon: daemon, canBeService: canBeService, hasSystemd: hasSystemd).english
            }
        }
        let begun = "Start it with: parlanced --profile no-club. "
        let service = "To start it now and at each login: parlance --profile no-club service install"
        let background = "To let it run in the background: nohup parlanced --profile no-club &"
        #expect(advice(" --profile no-club", true, true) == begun + service)
        #expect(advice(" --profile no-club", true, false) == begun + background)
        #expect(advice(" --data-dir /x", false, true) == "Start it with: parlanced --data-dir /x")
        // One that was started with options may run, and another would be somebody else.
        let plain = Options.startAdvice(daemon: "", canBeService: true, hasSystemd: true, isDefault: true).english
        let reminder = "If it runs with --data-dir or --profile, give the same here. "
        #expect(plain.hasPrefix(reminder + "Start it with: parlanced. To start it now"), "\(plain)")
        let other = try await CommandTests.run(["--data-dir", "/no where"], socket: nil)
        #expect(other.errors.contains("Start it with: parlanced --data-dir '/no where'"), "\(other.errors)")

        let club = try await CommandTests.run(["--profile", "no-club"], socket: nil)
        let here = UserManager.isPossible ? service : background
        #expect(club.errors.hasSuffix("\(begun)\(here)\n"), "\(club.errors)")
    }

    @Test func aServiceWithoutSystemdIsNoDeadEnd() async throws {
        let outcome = try await CommandTests.run(["service", "status", "--profile", "no-club"], socket: nil)
        #expect(outcome.code == (outcome.errors.isEmpty ? 0 : 1))
        guard !UserManager.isPossible else { return }
        #expect(
            outcome.errors
                == "parlance: systemd does not run this machine, so parlanced cannot run as a service.\n"
                + "To let it run in the background: nohup parlanced --profile no-club &\n"
        )
    }

    /// Over SSH, few can type an emoji.
    @Test func anEmojiMayBeNamed() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let named = try await fixture.run("react", fixture.write("hello"), ":tada:")
            #expect(named.output.contains("🎉"), "\(named)")
        }
    }

    @Test func sendTellsSizesAndWhatTheShellTook() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let long = String(repeating: "x", count: 300_000)
            let refused = try await fixture.run("send", "Bob", "-", input: long)
            #expect(refused.code == 65 && refused.errors.contains("The text has 300000 bytes; a message holds 65536."))
            let argument = String(long.prefix(70_000))
            let words = try await fixture.run("send", "Bob", argument)
            #expect(words.code == 65 && words.errors.contains("The text has 70000 bytes"))
            #expect(try await fixture.texts.isEmpty)
            let eaten = try await fixture.run("send", "Bob", "dont say it isnt", "so")
            #expect(eaten.errors.hasPrefix("Note: the shell removed quotes or apostrophes"))
            #expect(eaten.errors.hasSuffix("parlance send WHO -\n"))
            let reply = try await fixture.run("reply", fixture.write("is it"), "dont say it isnt", "so")
            #expect(reply.errors.contains("parlance reply ID -\n"), "\(reply.errors)")
            let unclosed = try await fixture.run("send", "Bob", "its", "so\nls")
            #expect(unclosed.errors.hasPrefix("Note: a quote or an apostrophe was not closed"))
            for fine in [["in one"], ["in", "words"], ["two\nlines"]] {
                #expect(try await fixture.run(["send", "Bob"] + fine).errors.isEmpty, "\(fine)")
            }
            let comment = try await fixture.run("send", "Bob")
            #expect(comment.code == 64 && comment.errors.contains("begins with # needs quotes"))
        }
    }

    /// An option behind the beginning of the text may be meant or sent: nothing is sent, and a `--` says which.
    @Test func anOptionInATextIsRefused() async throws {
        try await ServerFixture.with("Bob") { fixture in
            for words in [
                ["hello", "--json"], ["see", "--help", "first"], ["here", "--file", "x"], ["--fiel", "x"],
            ] {
                let sent = try await fixture.run(["send", "Bob"] + words)
                #expect(sent.code == 64 && sent.errors.contains("parlance send WHO -- TEXT"), "\(sent.errors)")
            }
            #expect(try await fixture.texts.isEmpty)
            for words in [
                ["--", "hello", "--json"], ["git", "--force"], ["one word --json"], ["--any-user", "hi"],
            ] {
                let sent = try await fixture.run(["send", "Bob"] + words)
                #expect(sent.code == 0 && sent.errors.isEmpty, "\(words) \(sent.errors)")
            }
            #expect(try await fixture.texts.last == "hi")
            let elsewhere = try await run(["send", "Bob", "--socket=\(fixture.path)", "is", "it"], socket: "/nowhere")
            #expect(elsewhere.code == 0)
            #expect(try await fixture.texts.last == "is it")
        }
    }

    /// A dash alone is standard input; after `--` it is a text.
    @Test func aDashCanBeSent() async throws {
        try await ServerFixture.with("Bob") { fixture in
            for words in [["--", "-"], ["--", "--"], ["-", "-"]] {
                #expect(try await fixture.run(["send", "Bob"] + words, input: "input").code == 0)
            }
            _ = try await fixture.run("send", "Bob", "-", input: "input")
            #expect(try await fixture.texts == ["-", "--", "- -", "input"])
        }
    }

    @Test func aNameThatTheConfigurationOverridesIsTold() async throws {
        try await ServerFixture.with { fixture in
            fixture.ada.host.configuredName = ConfiguredName(name: "Ada", place: "PARLANCE_NAME")
            let outcome = try await fixture.run("name", "Zoe")
            #expect(
                outcome.output == "Your name is now Zoe.\n"
                    + "People in sight see it within seconds. Those who have accepted you go on seeing the name that "
                    + "they know, with a note of the new one.\n"
                    + "The configuration sets the name to Ada (PARLANCE_NAME), and wins at the next start or reload: "
                    + "change it there.\n"
            )
        }
    }

    @Test func sendWaitsForTheDelivery() async throws {
        try await ServerFixture.with("Bob") { fixture in
            // It waits for a moment only, in which a busy machine may do something else.
            try await eventually("a delivery is told") {
                let sent = try await fixture.run("send", "Bob", "hello").output
                let id = try #require(try await fixture.ada.messages(with: "Bob").last).id.prefix(12)
                #expect(sent == "Delivered to Bob. (\(id))\n" || sent == "Saved, and on its way. (\(id))\n", "\(sent)")
                return sent.hasPrefix("Delivered")
            }
        }
    }

    @Test(.timeLimit(.minutes(30))) func endlessInputEnds() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "yes | '\(BuiltCommand.url.path)' send --socket '\(fixture.path)' Bob - 2>&1"]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let text = try #require(try output.fileHandleForReading.readToEnd())
            try output.fileHandleForReading.close()
            #expect(String(decoding: text, as: UTF8.self).contains("The text has more than"))
        }
    }

    @Test func historyMarksAsRead() async throws {
        try await ServerFixture.with("Bob") { fixture in
            func unread() async throws -> Int { try await fixture.ada.conversation(with: "Bob").unread }
            let first = try await fixture.write("one")
            for text in ["two", "three"] { _ = try await fixture.hear(text, from: fixture.bob) }
            #expect(try await unread() == 2)
            _ = try await fixture.run("history", "Bob", "--peek")
            _ = try await fixture.run("history", "Bob", "--before", first)
            _ = try await fixture.run("history", "Bob", "--json")
            #expect(!fixture.node.called.contains("read"))
            let short = try await fixture.run("history", "Bob", "--limit", "1")
            #expect(short.output.contains("older unread message"), "\(short.output)")
            #expect(short.output.contains("so all stay unread. To see "), "\(short.output)")
            #expect(!short.output.contains("Older messages"), "it is said once")
            #expect(short.output.contains("parlance read Bob"))
            // A page of long messages has fewer than the limit allows.
            fixture.node.change(HistoryOperation.self) { $0.conversation.unread = 9 }
            let long = try await fixture.run("history", "Bob")
            #expect(long.output.contains("parlance read Bob"), "\(long.output)")
            #expect(long.output.contains("--before \(first)"), "\(long.output)")
            fixture.node.leave(HistoryOperation.self)
            #expect(!fixture.node.called.contains("read"))
            #expect(try await unread() == 2)
            _ = try await fixture.run("history", "Bob")
            #expect(fixture.node.called.contains("read"))
            #expect(try await unread() == 0)
        }
    }

    @Test func anOlderDaemonIsNamedAsSuch() {
        let failure = ControlFailure(.methodNotFound("stats", known: ["status"])).forPeople
        #expect(failure.message.english.contains("older version") && failure.advice.english.contains("start it again"))
        #expect(ControlFailure.connectionLost.forPeople == .connectionLost)
    }

    @Test func aShellWithoutCompletionsIsNamed() async throws {
        let outcome = try await run(["--generate-completion-script", "tcsh"], socket: "/nowhere")
        #expect(outcome.code == 64 && outcome.output.isEmpty)
        let says = "parlance: There are no completions for this shell.\nOne of bash, zsh or fish."
        #expect(outcome.errors.hasPrefix(says), "\(outcome.errors)")
    }
}
