import Foundation
import ParlanceControl
import Testing

extension ProgramTests {
    /// Bad input to the command `parlance`: the exit code, what is wrong, and what to do.
    @Suite struct CommandInputTests {
        private struct Case {
            var arguments: [String]
            var input: [UInt8]?
            var refusal: Refusal

            init(_ arguments: [String], input: [UInt8]? = nil, _ refusal: Refusal) {
                self.arguments = arguments
                self.input = input
                self.refusal = refusal
            }
        }

        private static let long = String(repeating: "x", count: 65)

        private static let texts = [
            Case(["send", "Bob", ""], .given("empty message was not sent")),
            Case(["send", "Bob", " \t\u{A0} "], .given("empty message was not sent")),
            Case(["send", "Bob", "-"], input: [], .given("empty message was not sent")),
            Case(["send", "Bob", "-"], input: Array("\n".utf8), .given("empty message was not sent")),
            Case(
                ["send", "Bob", "-"],
                input: Array(repeating: UInt8(ascii: "x"), count: 65_537),
                .given("65537 bytes", "65536", "Send it in parts")
            ),
            Case(["send", "Bob", "-"], input: [0xFF, 0xFE], .given("not valid UTF-8")),
            Case(["send", "Bob"], .usage("The text is missing")),
            Case(["send", "Bob", "--"], .usage("The text is missing")),
            Case(["send", "--nonsense", "Bob", "hi"], .usage("There is no option --nonsense.")),
        ]

        private static let people = [
            Case(["send", "Bbo", "hi"], .given("Nobody here is called \"Bbo\"", "Did you mean \"Bob\"?")),
            Case(["send", "Bbo ✓", "hi"], .given("Nobody here is called \"Bbo ✓\"", "Did you mean \"Bob\"?")),
            Case(["send", "B\u{f6}bb", "hi"], .given("Nobody here is called \"B\u{f6}bb\"", "Did you mean \"Bob\"?")),
            Case(["send", "Nobody", "hi"], .given("Nobody here is called \"Nobody\"", "parlance peers")),
            Case(["send", "", "hi"], .given("Nobody here is called \"\"")),
            Case(["send", "Ada", "hi"], .given("\"Ada\" is you", "Name somebody else")),
            Case(["block", "Ada"], .given("\"Ada\" is you")),
            Case(["accept", "Nobody"], .given("Nobody here is called")),
            Case(["block", "Nobody"], .given("Nobody here is called")),
            Case(["forget", "Nobody"], .given("Nobody here is called")),
            Case(["history", "Nobody"], .given("Nobody here is called")),
            Case(["read", "Nobody"], .given("Nobody here is called")),
            Case(["typing", "Nobody"], .given("Nobody here is called")),
            Case(["alias", "Nobody", "x"], .given("Nobody here is called")),
            Case(["send", "No\u{1B}[31mbody", "hi"], .given("Nobody here is called")),
        ]

        private static let values = [
            Case(["history", "Bob", "--limit", "0"], .usage("--limit must be 1 to 200")),
            Case(["history", "Bob", "--limit", "-3"], .usage("--limit must be 1 to 200")),
            Case(["history", "Bob", "--limit", "100000"], .usage("--limit must be 1 to 200")),
            Case(["history", "Bob", "--limit", "many"], .usage("\"many\" is not a valid value of --limit")),
            Case(
                ["history", "Bob", "--before", "aaaaaaaaaaaa"],
                .given("No message in this conversation has that ID", "WHO --ids")
            ),
            Case(["history", "Bob", "--before", "?"], .given("\"?\" is too short", "first 4 or more characters")),
            Case(["history", "Bob", "--around", "abc"], .given("\"abc\" is too short", "parlance history WHO --ids")),
            Case(["history", "Bob", "--before", "????"], .given("No message in this conversation has that ID")),
            Case(["alias", "Bob", long], .given("1 to 64 bytes")),
            Case(["alias", "Bob", " "], .given("1 to 64 bytes")),
            Case(["alias", "Bob", "\u{1B}\u{07}"], .given("A name")),
            Case(["alias", "Bob", "B\u{1B}[31mb"], .given("control characters")),
            Case(["name", long], .given("1 to 64 bytes")),
            Case(["name", ""], .given("1 to 64 bytes")),
            Case(["name", "A\tda"], .given("control characters")),
            Case(["name", "Ada ✓"], .given("cannot hold a check mark")),
            Case(["alias", "Bob", "Bob ✔"], .given("cannot hold a check mark")),
            Case(
                ["presence", "offline"],
                .usage("\"offline\" is not a valid value of <state>", "online, away or busy")
            ),
            Case(["presence", "busy", "--text", String(repeating: "x", count: 141)], .given("at most 140 bytes")),
            Case(["watch", "--events", "message,weather"], .usage("'weather' is not a kind of event")),
            Case(["nonsense"], .usage("There is no command \"nonsense\"", "parlance --help")),
            Case(["histroy"], .usage("Did you mean: parlance history")),
            Case(["status", "--nonsense"], .usage("There is no option --nonsense.")),
        ]

        @Test func eachHasItsError() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                for each in Self.texts + Self.people + Self.values {
                    let outcome = try await pair.ada.parlance(each.arguments, input: each.input)
                    each.refusal.check(outcome, of: each.arguments.joined(separator: " "))
                    #expect(!outcome.errors.contains("\u{1B}"))
                }
                // None of the commands had an effect.
                #expect(try await pair.bob.texts(with: "Ada") == ["first contact"])
                #expect(try await pair.ada.peer("Bob")?.alias == nil)
                #expect(try await pair.ada.status().name == "Ada")
                #expect(try await pair.ada.status().presence.state == .online)
            }
        }

        /// At a terminal, nobody types a text for somebody who does not exist.
        @Test func whoIsMeantIsFoundBeforeTheTextIsTyped() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                func typed(to who: String) async throws -> Lab.Outcome {
                    let words = [
                        try Programs.own("parlance").path, "send", "--data-dir", pair.ada.folder.path, who, "-",
                    ]
                    let command = words.joined(separator: " ")
                    return try await lab.run(try Programs.system("script"), ["-qec", command, "/dev/null"])
                }
                let nobody = try await typed(to: "Nobody")
                #expect(nobody.code == 65 && nobody.output.contains("Nobody here is called"), "\(nobody)")
                #expect(!nobody.output.contains("Write the text"), "\(nobody)")
                #expect(try await typed(to: "Bob").output.contains("Write the text"))
            }
        }

        @Test func theLongestTextGoesThrough() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                // Three bytes a character, so that a wrong cut would be visible.
                let text = String(repeating: "\u{20AC}", count: 65_535 / 3) + "!"
                let outcome = try await pair.ada.parlance("send", "Bob", "-", input: Array(text.utf8))
                #expect(outcome.code == 0, "\(outcome.errors)")
                try await pair.ada.deliversAll()
                #expect(try await pair.bob.texts(with: "Ada").last == text)
            }
        }

        @Test func theOutboxKnowsWhatWaits() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let delivered = try #require(try await pair.ada.history(with: "Bob").first).id
                for verb in ["cancel", "retry"] {
                    for id in ["aaaaaaaaaaaaaaaa", "abc", delivered] {
                        let outcome = try await pair.ada.parlance("outbox", verb, id)
                        Refusal.given("No waiting message has that ID", "parlance outbox")
                            .check(outcome, of: "outbox \(verb) \(id)")
                    }
                }
            }
        }

        @Test func historyTakesTheIDsThatItShows() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let second = try await pair.ada.send("second", to: "Bob")
                let shown = try await pair.ada.parlance("history", "Bob", "--ids").output.split(separator: "\n")
                let id = String(second.id.prefix(12))
                #expect(shown.last?.contains("  \(id)  You  second") == true, "\(shown)")
                let before = try await pair.ada.parlance("history", "Bob", "--before", id)
                #expect(before.code == 0 && before.output.contains("first contact"), "\(before.errors)")
                #expect(!before.output.contains("second"))
                #expect(!before.output.contains(try await pair.ada.history(with: "Bob")[0].id.prefix(12)))
            }
        }

        @Test func beginningsOfIDs() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let id = try #require(try await pair.ada.peer("Bob")).id
                for length in [1, 4, 7] {
                    let outcome = try await pair.ada.parlance("send", String(id.prefix(length)), "hi")
                    Refusal.given("Nobody here is called", "at least 8 characters").check(
                        outcome,
                        of: "\(length) characters"
                    )
                }
                for who in [String(id.prefix(8)), id, id.uppercased()] {
                    let outcome = try await pair.ada.parlance("send", who, "hi")
                    #expect(outcome.code == 0, "\(outcome.errors)")
                }
                let own = try await pair.ada.status().peerID
                Refusal.given("is you").check(try await pair.ada.parlance("send", own, "hi"), of: "the own ID")
            }
        }

        @Test func withoutADaemonItSaysHowToStartOne() async throws {
            try await Lab.run { lab in
                let folder = lab.folder.appendingPathComponent("none").path
                let outcome = try await lab.parlance(["status", "--data-dir", folder])
                Refusal(code: 2, says: ["No daemon answers", "Start it with: parlanced --data-dir \(folder)"])
                    .check(outcome, of: "status without a daemon")
                let json = try await lab.parlance(["status", "--data-dir", folder, "--json"])
                #expect(json.code == 2)
                let error = try JSONParser.parse(Array(json.errors.utf8.dropLast()))["error"]
                #expect(error?["code"]?.text == "noDaemon")
                #expect(error?["advice"]?.text?.hasPrefix("Start it with: parlanced --data-dir \(folder)") == true)
                // A socket file left behind by a crash counts as no daemon.
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                try await node.kill()
                let crashed = try await node.parlance("peers")
                Refusal(code: 2, says: ["No daemon answers", "Start it with: parlanced"]).check(
                    crashed,
                    of: "a dead socket"
                )
            }
        }

        @Test func aDaemonThatHangsIsNamed() async throws {
            try await Lab.run { lab in
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                node.child?.signal(SIGSTOP)
                async let people = node.parlance("status")
                async let programs = node.parlance("send", "--json", "Bob", "hi")
                Refusal(code: 2, says: ["does not answer: parlanced runs", "End parlanced and start it again"])
                    .check(try await people, of: "status of a daemon that hangs")
                let json = try await programs
                #expect(json.code == 2)
                #expect(
                    try JSONParser.parse(Array(json.errors.utf8.dropLast()))["error"]?["code"]?.text == "daemonSilent"
                )
                node.child?.signal(SIGCONT)
            }
        }

        @Test func aBadProfileOrSocketPathIsRefused() async throws {
            try await Lab.run { lab in
                let profile = try await lab.parlance(["status", "--profile", "../else"])
                Refusal.given("The profile's name is not allowed", "1 to 32").check(
                    profile,
                    of: "a profile with a path"
                )
                let path = "/tmp/" + String(repeating: "x", count: 110)
                let socket = try await lab.parlance(["status", "--socket", path])
                Refusal.given("the system allows 107", "--socket PATH").check(socket, of: "a long socket path")
            }
        }
    }
}
