import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import parlance

/// How the words of a command line are put in order.
@Suite struct CommandWordsTests {
    private func ordered(_ line: String) -> String {
        CommandWords(line.split(separator: " ").map(String.init)).ordered.joined(separator: " ")
    }

    @Test(
        arguments: [
            ("--limit 1 history Bob", "history --limit 1 Bob"),
            ("--any-user status", "status --any-user"),
            // A negative number is a value, where one belongs.
            ("history Bob --limit -3", "history Bob --limit=-3"), ("--limit -3 history Bob", "history --limit=-3 Bob"),
            ("wait --timeout -5m", "wait --timeout=-5m"), ("history Bob --peek -3", "history Bob --peek -3"),
            ("history Bob --limit -x", "history Bob --limit -x"), ("history -- --limit -3", "history -- --limit -3"),
            ("--socket S --any-user status", "status --socket S --any-user"),
            ("--json --limit=1 history Bob", "history --json --limit=1 Bob"),
            ("--yes conversation clear Ada", "conversation clear --yes Ada"),
            ("conversation --yes clear Ada", "conversation clear --yes Ada"),
            ("--json group --data-dir D show Crew", "group show --json --data-dir D Crew"),
            // A value that is the name of a command.
            ("--text history presence busy", "presence --text history busy"),
            ("--socket status peers", "peers --socket status"),
            ("--file send send Bob hi", "send --file send Bob hi"),
            // What no command takes is for the parser to refuse, with the command that was meant.
            ("--nonsense history Bob", "history --nonsense Bob"),
            ("--json", "overview --json"),
            ("--any-user", "overview --any-user"),
            ("", "overview"),
            ("--help", "--help"),
            ("help send", "help send"),
            ("send Bob hi", "send Bob hi"),
        ]
    )
    func optionsBeforeTheCommandStandBehindIt(_ line: String, _ wanted: String) {
        #expect(ordered(line) == wanted)
    }

    @Test(
        arguments: [
            ("send Bob --file x", "send --file x Bob"),
            ("send Bob --json hi there", "send --json Bob hi there"),
            ("send --json Bob --file=x --keep-metadata hi", "send --json --file=x --keep-metadata Bob hi"),
            ("send Bob --socket /x -- --json", "send --socket /x Bob -- --json"),
            ("send Bob -- --file x", "send Bob -- --file x"),
            ("send Bob git --force", "send Bob git --force"),
            ("send Bob lunch -- at --json", "send Bob lunch -- at --json"),
            ("send Bob -", "send Bob -"),
            ("reply last --file x yes", "reply --file x last yes"),
            ("edit last --json now", "edit --json last now"),
            ("edit last see -h for that", "edit last see -h for that"), ("send Bob at -8h", "send Bob at -8h"),
            ("send Bob -8h", "send Bob -8h"), ("mute Bob -- -8h", "mute Bob -- -8h"), ("mute -8h -h", "mute -8h -h"),
            ("history Bob --limit -8h", "history Bob --limit=-8h"),
            // An empty value takes no other word.
            ("send --file= Bob hi", "send --file  Bob hi"),
            ("send Bob --file= hi", "send --file  Bob hi"),
            ("--socket= send Bob hi", "send --socket  Bob hi"),
            ("send --json= Bob hi", "send --json= Bob hi"),
            ("send Bob -- --file= hi", "send Bob -- --file= hi"), ("send Bob is -- --jsn", "send Bob is -- --jsn"),
            ("send Bob a --- b --qqqqqq -x", "send Bob a --- b --qqqqqq -x"),
            ("send --file=a= Bob hi", "send --file=a= Bob hi"),
        ]
    )
    func optionsBehindWhoAreObeyed(_ line: String, _ wanted: String) {
        let words = CommandWords(line.split(separator: " ").map(String.init))
        #expect(words.optionFailure == nil && words.ordered.joined(separator: " ") == wanted)
    }

    @Test(
        arguments: [
            ("send Bob hello --json", "--json is an option, but is in the text.", "parlance send WHO -- TEXT"),
            ("send Bob hello --jsn", "There is no option --jsn.", "send WHO -- TEXT"),
            ("send Bob hello --fil=x you", "There is no option --fil.", "send WHO -- TEXT"),
            ("send Bob hello --file x", "--file is an option, but is in the text", "send WHO -- TEXT"),
            ("send Bob see --help first", "--help is an option, but is in the text", "send WHO -- TEXT"),
            ("send Bob hello --socket=/x", "--socket=/x is an option, but is in the text", "send WHO -- TEXT"),
            ("edit last hello --any-user", "--any-user is an option, but is in the text", "edit ID -- TEXT"),
            ("edit last --file x", "There is no option --file.", "edit ID -- TEXT"),
            ("send Bob --fiel x", "There is no option --fiel.", "send WHO -- TEXT"),
            ("send Bob -f report.txt", "There is no option -f.", "Did you mean --file? To send it as text: SEND"),
            ("send Bob -file report.txt", "There is no option -file.", "Did you mean --file? To send it as text: SEND"),
            ("send Bob --json -f=x", "There is no option -f.", "Did you mean --file? To send it as text: SEND"),
            ("send Bob -x y", "There is no option -x.", "Nothing was sent. To send it as text: SEND"),
            ("edit last -x y", "There is no option -x.", "edit ID -- TEXT"),
        ]
    )
    func othersAreRefusedAndNothingIsSent(_ line: String, _ message: String, _ advice: String) throws {
        let failure = try #require(CommandWords(line.split(separator: " ").map(String.init)).optionFailure)
        #expect(failure.message.english.hasPrefix(message) && failure.exitCode == 64)
        let end = advice.replacing("SEND", with: "parlance send WHO -- TEXT")
        #expect(failure.advice.english.hasPrefix("Nothing was sent. ") && failure.advice.english.hasSuffix(end))
    }

    /// Who writes so means no option.
    @Test(arguments: ["-", "-5", "-5m", "-)", "-_-", "-,", "-fine", "-- -f", "a -f", "-é"])
    func aDashIsNotAlwaysAnOption(_ text: String) {
        #expect(CommandWords(["send", "Bob"] + text.split(separator: " ").map(String.init)).optionFailure == nil)
    }

    @Test(
        arguments: [
            ("send Bob --fil x", "--file"), ("send Bob --fiel=x", "--file"), ("reply last --tex x", "--text"),
            ("send Bob --keep hi", "--keep-metadata"), ("edit last --jsn x", "--json"), ("history --lim 3", "--limit"),
        ]
    )
    func aMisspeltOptionGetsASuggestion(_ line: String, _ meant: String) async throws {
        let words = line.split(separator: " ").map(String.init)
        let outcome = try await CommandTests.run(words, socket: "/nowhere")
        #expect(outcome.code == 64 && outcome.errors.contains("There is no option --"), "\(outcome)")
        #expect(outcome.errors.contains("Did you mean \(meant)?"), "\(outcome)")
    }

    /// The library for arguments finds `--json` near that.
    @Test func whatIsNotNearIsNotSuggested() async throws {
        for words in [["peers", "--foo"], ["status", "--bar"]] {
            let outcome = try await CommandTests.run(words, socket: "/nowhere")
            #expect(outcome.code == 64 && outcome.errors.hasPrefix("parlance: There is no option \(words[1])."))
            #expect(!outcome.errors.contains("Did you mean"), "\(outcome.errors)")
        }
    }

    @Test func whatIsNearNoOptionGetsNone() {
        let send = CommandWords(["send", "Bob", "hi"]).command
        #expect(OptionKind.meant(by: "--nonsense", of: send) == nil && OptionKind.meant(by: "--f", of: send) == nil)
        #expect(OptionKind.meant(by: "-fil", of: send) == nil && OptionKind.meant(by: "--", of: send) == nil)
    }

    @Test(
        arguments: [
            ("hist", "history"), ("whoami", "id"), ("contacts", "peers"), ("version", "--version"),
            ("ls", "conversations"), ("quit", "service"), ("LS", "conversations"), ("conf", "config"),
            ("histroy", "history"), ("sned", "send"),
        ]
    )
    func wordsOfOtherProgramsAreKnown(_ typed: String, _ meant: String) {
        let failure = CommandWords([typed]).failure("")
        #expect(failure.advice.english == "Did you mean: parlance \(meant)")
    }

    @Test(
        arguments: [
            ("send Bob --file", "--file"), ("send Bob --json --file", "--file"), ("reply last --text", "--text"),
            ("edit last --socket", "--socket"), ("send --file x Bob --profile", "--profile"),
            ("--socket history Bob", "--socket"), ("group --data-dir show Crew", "--data-dir"),
        ]
    )
    func anOptionWithoutItsValueIsNamed(_ line: String, _ option: String) throws {
        let failure = try #require(CommandWords(line.split(separator: " ").map(String.init)).optionFailure)
        #expect(failure.message.english == "\(option) needs a value." && failure.exitCode == 64)
    }

    /// The parser says the same of the commands whose words stay in their order.
    @Test(arguments: [
        "history Bob --limit", "search pump --socket", "group add Crew Bob --profile", "mute Bob --socket",
    ])
    func soDoesTheParser(_ line: String) async throws {
        let outcome = try await CommandTests.run(line.split(separator: " ").map(String.init), socket: nil)
        let option = try #require(line.split(separator: " ").last)
        #expect(
            outcome.code == 64 && outcome.errors.hasPrefix("parlance: \(option) needs a value."),
            "\(outcome.errors)"
        )
    }

    /// Every command that is suggested is there, and hides none.
    @Test func suggestionsAreCommands() {
        for (word, meant) in KnownWords.others {
            #expect(CommandWords([meant]).path == [meant] || meant == "--version", "\(meant)")
            #expect(CommandWords([word]).path.isEmpty, "\(word)")
        }
        #expect(KnownWords.meant(by: "qqq", in: [], among: ["send", "reply"]) == nil)
    }

    @Test(
        arguments: [
            (
                ["search", "-pump back"], "There is no option -pump back.",
                "Put -- before a word that begins with a dash."
            ),
            (["ask", "-x"], "There is no option -x.", "Put -- before a word that begins with a dash."),
            (["block"], "<who> is missing.", "To see how it is used"),
        ]
    )
    func aDashedWordIsNamed(_ words: [String], _ message: String, _ advice: String) async throws {
        let outcome = try await CommandTests.run(words, socket: "/nowhere")
        #expect(outcome.code == 64 && outcome.errors.hasPrefix("parlance: \(message)\n\(advice)"), "\(outcome.errors)")
    }

    @Test(arguments: [
        ("nosuch --help", true), ("nosuch -h", true), ("--json nosuch --help", true), ("group nosuch --help", true),
        ("--help", false), ("send --help", false), ("group --help", false), ("talk Crew --help", false),
        ("help send", false), ("nosuch -- --help", false),
    ])
    func helpOfNoCommandIsRefused(_ line: String, _ isRefused: Bool) {
        let failure = CommandWords(line.split(separator: " ").map(String.init)).helpFailure
        #expect((failure != nil) == isRefused)
        if let failure { #expect(failure.exitCode == 64 && failure.message.english.hasPrefix("There is no command")) }
    }
}
