import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// Arguments that are not UTF-8: texts are refused, and paths are taken as they are.
    @Suite struct ByteInputTests {
        /// Runs a line of the shell; `$parlance` is the command, `$options` name the node, and `$b` is the byte 0xFC.
        private static func shell(_ line: String, of node: LabNode, in lab: Lab) async throws -> Lab.Outcome {
            let head = """
                parlance='\(try Programs.own("parlance").path)'; parlanced='\(try Programs.own("parlanced").path)'
                options='--data-dir \(node.folder.path)'; b=$(printf '\\374'); cd '\(lab.folder.path)'

                """
            return try await lab.run(try Programs.system("sh"), ["-c", head + line])
        }

        /// The names of a folder, as bytes.
        private static func names(in folder: String) -> [[UInt8]] {
            guard let stream = opendir(folder) else { return [] }
            defer { closedir(stream) }
            var names: [[UInt8]] = []
            while let entry = readdir(stream) {
                names.append(withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
            }
            return names
        }

        @Test func textsAreRefused() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let id = try #require(try await pair.ada.history(with: "Bob").first).id
                let lines = [
                    "send $options Bob gr${b}n", "send $options Bob -- gr${b}n", "send $options Bob --text gr${b}n",
                    "send $options B${b}b hi", "edit $options \(id) gr${b}n", "reply $options \(id) gr${b}n",
                    "react $options \(id) $b", "alias $options Bob M${b}ller", "name $options M${b}ller",
                    "group create $options Gr${b}n Bob", "presence $options busy --text gr${b}n",
                    "search $options gr${b}n", "config set $options name M${b}ller", "config get $options na${b}me",
                    "history $options B${b}b", "export $options B${b}b", "status --data-dir /n/$b",
                    "status --socket /n/$b", "group topic $options Crew gr${b}n", "picture $options --save p B${b}b",
                    "send $options Bob --file - --name gr${b}n </dev/zero",
                ]
                for line in lines {
                    let outcome = try await Self.shell("exec \"$parlance\" \(line)", of: pair.ada, in: lab)
                    Refusal.given("\\xFC", "is not valid UTF-8").check(outcome, of: line)
                }
                let json = try await Self.shell(
                    "exec \"$parlance\" send --json $options Bob gr${b}n",
                    of: pair.ada,
                    in: lab
                )
                #expect(json.code == 65)
                #expect(try JSONParser.parse(Array(json.errors.utf8))["error"]?["code"] == .string("invalidValue"))
                #expect(try await pair.bob.texts(with: "Ada") == ["first contact"])
                #expect(try await pair.ada.peer("Bob")?.alias == nil)
                #expect(try await pair.ada.status().name == "Ada")
                // Which paths cannot be bytes, and why.
                for option in ["--data-dir", "--socket", "--config"] {
                    let command = option == "--config" ? "config list" : "status"
                    let line = "\"$parlance\" \(command) \(option) /n/$b; \"$parlanced\" \(option) /n/$b"
                    let outcome = try await Self.shell(line, of: pair.ada, in: lab)
                    let said = outcome.errors.components(
                        separatedBy: "/n/\\xFC of \(option) is not valid UTF-8. The message"
                    )
                    #expect(said.count == 3, "\(outcome.errors)")
                }
                for line in [
                    "--data-dir /tmp/no-$b --init", "--data-dir '\(lab.folder.path)/x' --name M${b}ller --init",
                ] {
                    let outcome = try await Self.shell("exec \"$parlanced\" \(line)", of: pair.ada, in: lab)
                    Refusal.given("\\xFC", "is not valid UTF-8").check(outcome, of: line)
                    #expect(outcome.errors.hasPrefix("parlanced: "))
                }
            }
        }

        @Test func filesAreSentAndSavedUnderTheirBytes() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let send = """
                    printf x > "latin1-$b.txt"; mkdir "d$b"; echo y > "d$b/a$b"; echo z > "d$b/ok"; echo k > "d$b/.env"
                    "$parlance" send $options Bob --file "latin1-$b.txt" && exec "$parlance" send $options Bob --file "d$b"
                    """
                let sent = try await Self.shell(send, of: pair.ada, in: lab)
                #expect(sent.code == 0, "\(sent)")
                #expect(sent.errors.contains("is not UTF-8; it is sent as latin1-\u{FFFD}.txt."), "\(sent.errors)")
                #expect(sent.errors.contains("1 name in d\u{FFFD} is not UTF-8"), "\(sent.errors)")
                #expect(sent.errors.contains("saved as another: .env as _env."), "\(sent.errors)")
                try await pair.ada.deliversAll()
                let files = try await pair.bob.history(with: "Ada").compactMap { $0.files?.first }
                #expect(files.map(\.name) == ["latin1-\u{FFFD}.txt", "d\u{FFFD}"])
                let fetch = """
                    mkdir "to$b"
                    "$parlance" fetch $options \(files[0].file.prefix(12)) --to "f$b" &&
                    "$parlance" fetch $options \(files[0].file.prefix(12)) --to "to$b" &&
                    "$parlance" fetch $options \(files[1].file.prefix(12)) --to "to$b/n$b" &&
                    test "$(cat "f$b")" = x && test -f "to$b/latin1-\u{FFFD}.txt" && test -f "to$b/n$b/ok"
                    """
                let fetched = try await Self.shell(fetch, of: pair.bob, in: lab)
                #expect(fetched.code == 0 && fetched.errors.contains("was changed: .env to _env."), "\(fetched)")
                #expect(Self.names(in: lab.folder.path).contains([UInt8(ascii: "f"), 0xFC]))
                let taken = try await Self.shell(
                    "exec \"$parlance\" fetch $options last --to \"f$b\"",
                    of: pair.bob,
                    in: lab
                )
                Refusal.given("There is a file f\u{FFFD} already").check(taken, of: "a name that is taken")
            }
        }

        @Test func whatCommandsWriteAndReadHasItsBytes() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let lines = """
                    set -e; mkdir "st$b"
                    "$parlance" export $options --output "o$b.txt"; test -s "o$b.txt"
                    "$parlance" backup $options "b$b"; test -s "b$b"
                    "$parlance" restore "b$b" --data-dir "\(lab.folder.path)/restored"
                    "$parlance" carry out $options "st$b"; "$parlance" carry in $options "st$b"
                    test -n "$(ls "st$b")"
                    """
                let outcome = try await Self.shell(lines, of: pair.ada, in: lab)
                #expect(outcome.code == 0, "\(outcome)")
                let none = try await Self.shell(
                    "exec \"$parlance\" restore \"no$b\" --data-dir /none",
                    of: pair.ada,
                    in: lab
                )
                #expect(none.code == 1 && none.errors.contains("no\u{FFFD} cannot be read"), "\(none)")
                #expect(!Self.names(in: lab.folder.path).contains { $0.starts(with: Array("o\u{FFFD}".utf8)) })
            }
        }
    }

    /// Commands whose output cannot be written.
    @Suite struct LostOutputTests {
        @Test(arguments: [">/dev/full", ">&-"])
        func itIsSaidAndHasItsCode(_ redirection: String) async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let program = try Programs.own("parlance").path
                func run(_ words: String) async throws -> Lab.Outcome {
                    let line = "exec '\(program)' \(words) \(redirection)"
                    return try await lab.run(try Programs.system("sh"), ["-c", line])
                }
                let own = "--data-dir '\(pair.ada.folder.path)'"
                for words in ["send \(own) Bob hello", "name \(own) Ada"] {
                    let outcome = try await run(words)
                    #expect(outcome.code == 74, "\(words): \(outcome)")
                    #expect(outcome.errors.hasPrefix("parlance: The output cannot be written: "), "\(outcome.errors)")
                    #expect(outcome.errors.contains("What the command had to change is changed."), "\(outcome.errors)")
                }
                // A command that only shows something has failed, and has done nothing that could not be done again.
                try await pair.bob.send("unread", to: "Ada")
                try await pair.bob.deliversAll()
                for words in [
                    "wait \(own) Bob", "verify \(own) Bob", "disappear \(own) Bob", "workspace admin \(own)", own,
                    "history \(own) Bob", "export \(own)", "peers \(own)", "name \(own)", "doctor \(own)",
                    "config list \(own)", "config get \(own) name", "service unit", "--help",
                ] {
                    let outcome = try await run(words)
                    #expect(outcome.code == 1, "\(words): \(outcome)")
                    #expect(outcome.errors.contains("The output cannot be written: "), "\(words): \(outcome.errors)")
                    #expect(outcome.errors.contains("is not whole. The command changes nothing"), "\(outcome.errors)")
                }
                #expect(try await pair.ada.conversation(with: "Bob")?.unread == 1, "nobody has read it")
                let json = try await run("send --json \(own) Bob again")
                #expect(json.code == 74)
                #expect(try JSONParser.parse(Array(json.errors.utf8))["error"]?["code"] == .string("outputLost"))
                // A wrong command has its own code.
                #expect(try await run("send \(own) Nobody hello").code == 65)
                try await pair.ada.deliversAll()
                #expect(try await pair.bob.texts(with: "Ada") == ["first contact", "hello", "unread", "again"])
                // A reader that has gone wanted no more.
                let pipe = "'\(program)' history \(own) Bob | true; '\(program)' --help | head -1 >/dev/null"
                let piped = try await lab.run(try Programs.system("bash"), ["-o", "pipefail", "-c", pipe])
                #expect(piped.code == 0 && piped.errors.isEmpty, "\(piped)")
            }
        }
    }
}
