import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// `parlance config` and SIGHUP, with the real programs.
    @Suite struct ConfigTests {
        /// A node that has its settings, except for its name and its port, from a file.
        private struct Configured {
            let lab: Lab
            let file: URL
            let node: LabNode

            init(_ lab: Lab, _ text: String, isNamed: Bool = true) throws {
                self.lab = lab
                file = lab.folder.appendingPathComponent("config.yaml")
                try Data(text.utf8).write(to: file)
                node = LabNode(
                    lab,
                    "Ada",
                    port: try Lab.freePort(),
                    runner: LabNode.withoutTerminal + ["env", "-u", "PARLANCE_LISTEN", "-u", "PARLANCE_MDNS"],
                    arguments: ["--config", file.path],
                    isNamed: isNamed,
                    logLevel: nil
                )
            }

            func write(_ text: String) throws {
                try Data(text.utf8).write(to: file)
            }

            func setting(_ key: String) async throws -> SettingInfo? {
                try await node.ask(ConfigListOperation()).settings.first { $0.key == key }
            }
        }

        private static let base = "listen: [\"127.0.0.1\"]\nmdns: \"off\"\n"

        /// The file can be changed, wrong or gone while the node runs: what is said of it is true.
        @Test func aFileThatWasNotReadIsNotInForce() async throws {
            try await Lab.run { lab in
                let ada = try Configured(lab, Self.base)
                try await ada.node.start()
                func list() async throws -> (first: String, lines: [Substring]) {
                    let outcome = try await ada.node.parlance("config", "list")
                    #expect(outcome.code == 0, "\(outcome.errors)")
                    let lines = outcome.output.split(separator: "\n")
                    return (String(lines.first ?? ""), lines)
                }
                func problems() async throws -> [NodeStatus.Problem] {
                    let found = try await ada.node.status().problems.filter { $0.code == "configuration" }
                    let doctor = try await ada.node.ask(DoctorOperation()).problems
                    #expect(doctor.filter { $0.code == "configuration" } == found)
                    return found
                }
                #expect(try await list().first == "# \(ada.file.path): in force in the running daemon")
                #expect(try await problems().isEmpty)

                try ada.write(Self.base + "log-level: debug\n")
                let changed = try await list()
                #expect(changed.first == "# \(ada.file.path): changed since the running daemon has read it")
                #expect(
                    changed.lines.contains {
                        $0.hasSuffix("In the file, and not read yet: debug. A change takes effect at once.")
                    }
                )
                #expect(try await ada.setting("log-level")?.unread == ["debug"])
                #expect(try await ada.setting("port")?.unread == nil)
                let note = try #require(try await problems().first)
                #expect(note.severity == .note && note.message.english.contains("changed and not read: log-level."))
                #expect(try await ada.node.parlance("config", "reload").code == 0)
                #expect(try await list().first.hasSuffix(": in force in the running daemon"))
                #expect(try await problems().isEmpty)

                for (text, why) in [
                    ("badkey: 1\n", "badkey"), ("log-level: loud\n", "loud"), ("port: [\n", "cannot be read"),
                ] {
                    try ada.write(text)
                    let broken = try await list()
                    #expect(broken.first.hasSuffix(": wrong, so parlanced would not start with it"), "\(broken.first)")
                    #expect(broken.lines[1].contains(why), "\(broken.lines)")
                    let problem = try #require(try await problems().first)
                    #expect(problem.severity == .problem && problem.message.english.contains(why), "\(problem)")
                }
                let json = try await ada.node.ask(ConfigListOperation())
                #expect(json.state == .broken && json.fault != nil)
                // It says that it would not start, and it does not.
                #expect(try await ada.node.end(SIGTERM) == 0)
                let start = try await lab.parlanced(["--config", ada.file.path, "--data-dir", ada.node.folder.path])
                #expect(start.code == 1 && start.errors.contains("cannot be read"), "\(start.errors)")
            }
        }

        @Test func withoutADaemonItShowsAndChangesTheFile() async throws {
            try await Lab.run { lab in
                let file = lab.folder.appendingPathComponent("config.yaml")
                try Data("# mine\nport: 4801 # free\n".utf8).write(to: file)
                let own = ["--config", file.path, "--data-dir", lab.folder.appendingPathComponent("none").path]
                let port = try await lab.parlance(["config", "get", "port"] + own)
                #expect(port.code == 0 && port.output == "4801\n", "\(port.errors)")
                let json = try await lab.parlance(["config", "list", "--json"] + own)
                let info = try JSONValueDecoder.decode(
                    ConfigInfo.self,
                    from: try JSONParser.parse(Array(json.output.utf8)),
                    name: "config",
                    strict: true
                )
                #expect(!info.running && info.file == file.path)
                let found = Dictionary(uniqueKeysWithValues: info.settings.map { ($0.key, $0) })
                #expect(found["port"]?.place == "\"port\" in \(file.path), line 2")
                #expect(found["port"]?.default == ["4747"] && found["port"]?.effect == .restart)
                #expect(found["mdns"]?.origin == .environment && found["mdns"]?.place == "PARLANCE_MDNS")
                #expect(found["log-level"]?.origin == .default && found["log-level"]?.value == ["info"])

                let set = try await lab.parlance(["config", "set", "log-level", "debug"] + own)
                #expect(set.code == 0 && set.output.contains("from the next start of parlanced."), "\(set.errors)")
                #expect(
                    try String(contentsOf: file, encoding: .utf8) == "# mine\nport: 4801 # free\nlog-level: debug\n"
                )
                let mdns = try await lab.parlance(["config", "set", "mdns", "auto"] + own)
                #expect(
                    mdns.output.contains("unless PARLANCE_MDNS is set there as it is here"),
                    "\(mdns.output)\(mdns.errors)"
                )
                _ = try await lab.parlance(["config", "set", "mdns", "--default"] + own)
                for (words, says) in [
                    (["get", "prot"], "Did you mean port?"), (["set", "log-level", "inof"], "Did you mean info?"),
                ] {
                    Refusal.given(says).check(try await lab.parlance(["config"] + words + own), of: "config \(words)")
                }
                // An error looks like the errors of the other commands.
                let wrong = try await lab.parlance(["config", "get", "prot"] + own)
                #expect(
                    wrong.errors == "parlance: \"prot\" is not a setting. Did you mean port?\n"
                        + "The settings are: name, port, listen, page-port, model-port, peers, mdns, mdns-interfaces, hidden, auto-accept, notify, quiet-hours, auto-fetch, file-limit, file-quota, file-rate, message-quota, log-level.\n",
                    "\(wrong.errors)"
                )
                #expect(
                    try String(contentsOf: file, encoding: .utf8) == "# mine\nport: 4801 # free\nlog-level: debug\n"
                )
            }
        }

        /// The list is a configuration file itself.
        @Test func theListSetsWhatItShows() async throws {
            try await Lab.run { lab in
                let file = lab.folder.appendingPathComponent("config.yaml")
                try Data("name: \"true\"\npeers: [\"ship.lan:1\"]\nmdns-interfaces: [lo]\nhidden: yes\n".utf8).write(
                    to: file
                )
                let own = ["--config", file.path, "--data-dir", lab.folder.appendingPathComponent("none").path]
                let shown = try await lab.parlance(["config", "list"] + own)
                let before = try await lab.parlance(["config", "get", "name"] + own).output
                try Data(shown.output.utf8).write(to: file)
                #expect(before == "true\n")
                for (key, value) in [
                    ("name", "true"), ("peers", "ship.lan:1"), ("mdns-interfaces", "lo"), ("hidden", "true"),
                ] {
                    #expect(try await lab.parlance(["config", "get", key] + own).output == value + "\n")
                }
            }
        }

        @Test func aRunningNodeTakesOverWhatItCan() async throws {
            try await Lab.run { lab in
                let ada = try Configured(lab, Self.base + "log-level: warning\n")
                try await ada.node.start()
                let bob = LabNode.onLoopback(lab, "Bob", port: try Lab.freePort())
                try await bob.start()

                let level = try await ada.node.parlance("config", "set", "log-level", "info")
                #expect(level.output.contains("In force now."), "\(level.errors)")
                #expect(try await ada.setting("log-level")?.value == ["info"])

                // Bob is dialled from now on.
                let peers = try await ada.node.parlance("config", "set", "peers", "127.0.0.1:\(bob.port)")
                #expect(
                    peers.output.contains("In force now.\nTo see whether they answer: parlance doctor\n"),
                    "\(peers)"
                )
                try await ada.node.sees("Bob", "connected") { $0.connected }

                let hidden = try await ada.node.parlance("config", "set", "hidden", "true", "--json")
                #expect(hidden.output.contains("\"outcome\":\"restart\""), "\(hidden.output)\(hidden.errors)")
                let setting = try await ada.setting("hidden")
                #expect(setting?.value == ["false"] && setting?.pending == ["true"])
                #expect(setting?.origin == .default, "the value in force is still the default")
                let same = try await ada.node.parlance("config", "set", "hidden", "false")
                #expect(same.output.contains("had this value already"), "\(same.output)\(same.errors)")

                let name = try await ada.node.parlance("config", "set", "name", "Eve")
                #expect(name.output.contains("--name wins over the file"), "\(name.errors)")
                #expect(try await ada.node.status().name == "Ada")
                let other = try await ada.node.parlance("name", "Zoe")
                #expect(other.output.contains("sets the name to Ada (--name), and wins at the next start or reload"))
            }
        }

        /// The name that the node has, whether it is from the file, from `parlance name`, or stored.
        @Test func theNameIsThatOfTheNode() async throws {
            try await Lab.run { lab in
                let ada = try Configured(lab, Self.base + "name: Ada\n", isNamed: false)
                try await ada.node.start()
                #expect(try await ada.setting("name")?.place == "\"name\" in \(ada.file.path), line 3")

                _ = try await ada.node.parlance("name", "Zoe")
                let other = try await ada.setting("name")
                #expect(other?.value == ["Zoe"] && other?.pending == ["Ada"] && other?.origin == .store)
                let back = try await ada.node.parlance("config", "set", "name", "Ada")
                #expect(back.output.contains("In force now."), "\(back.output)\(back.errors)")
                #expect(try await ada.node.status().name == "Ada")
                #expect(try await ada.setting("name")?.origin == .file)

                let eve = try await ada.node.parlance("config", "set", "name", "Eve")
                #expect(eve.output.contains("In force now."), "\(eve.output)\(eve.errors)")
                let removed = try await ada.node.parlance("config", "set", "name", "--default")
                #expect(removed.output.contains("had this value already"), "\(removed.output)\(removed.errors)")
                let stored = try await ada.setting("name")
                #expect(stored?.value == ["Eve"] && stored?.pending == nil && stored?.origin == .store)
                #expect(try await ada.node.end(SIGTERM) == 0)
                try await ada.node.start()
                #expect(try await ada.node.status().name == "Eve")
            }
        }

        @Test func theFileIsTheSameByAnyPath() async throws {
            try await Lab.run { lab in
                let ada = try Configured(lab, Self.base)
                try await ada.node.start()
                let link = lab.folder.appendingPathComponent("link.yaml")
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: ada.file)
                let set = try await ada.node.parlance("config", "set", "log-level", "debug", "--config", link.path)
                #expect(set.output.contains("In force now."), "\(set.output)\(set.errors)")

                let file = lab.folder.appendingPathComponent("other.yaml").path
                let other = try await ada.node.parlance("config", "set", "log-level", "info", "--config", file)
                #expect(other.output.contains("the running daemon uses \(ada.file.path)"), "\(other.output)")
                #expect(try await ada.setting("log-level")?.value == ["debug"])
            }
        }

        @Test func aFileThatCannotBeWrittenIsNoFaultOfTheValue() async throws {
            try await Lab.run { lab in
                let own = ["--config", "/dev/null/config.yaml", "--data-dir", lab.folder.path]
                let set = try await lab.parlance(["config", "set", "port", "1"] + own)
                Refusal(code: 1, says: ["/dev/null/config.yaml cannot be written"]).check(set, of: "config set")
                let json = try await lab.parlance(["config", "set", "port", "1", "--json"] + own)
                #expect(json.code == 1 && json.errors.contains("\"code\":\"storeFailed\""), "\(json.errors)")
            }
        }

        /// Starts the daemon on a terminal, with other standard input, and sends it SIGHUP once it is ready.
        private static let hangUp = """
            import os, pty, signal, sys
            pid, terminal = pty.fork()
            if pid == 0:
                # Whoever runs the tests may have it ignored.
                signal.signal(signal.SIGHUP, signal.SIG_IGN if sys.argv[1] == "nohup" else signal.SIG_DFL)
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.execv(sys.argv[2], sys.argv[2:])
            shown = b""
            def wait(text):
                global shown
                while text not in shown: shown += os.read(terminal, 1024)
            wait(b"ready: ")
            os.kill(pid, signal.SIGHUP)
            if sys.argv[1] == "nohup":
                wait(b"was read again")
                os.kill(pid, signal.SIGTERM)
            try:
                while os.read(terminal, 1024): pass
            except OSError: pass
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """

        @Test(arguments: ["terminal", "nohup"])
        func aHangUpOfTheTerminalEndsTheDaemon(_ parent: String) async throws {
            try await Lab.run { lab in
                let words = [parent, try Programs.own("parlanced").path, "--data-dir", lab.folder.path, "--port", "0"]
                let ended = try await lab.run(try Programs.system("python3"), ["-c", Self.hangUp] + words)
                #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
            }
        }

        @Test func aHangUpReadsTheFileAgainAndAWrongOneChangesNothing() async throws {
            try await Lab.run { lab in
                let ada = try Configured(lab, Self.base + "log-level: warning\n")
                try await ada.node.start()
                let child = try #require(ada.node.child)

                try ada.write(Self.base + "log-level: info\nhidden: true\n")
                child.signal(SIGHUP)
                try await eventually("the level is taken over") {
                    child.complained.contains("A changed setting needs a restart of the daemon")
                }
                #expect(child.complained.contains("changed=log-level"))
                #expect(child.complained.contains("setting=hidden"))

                try ada.write(Self.base + "log-level: debug\nhiden: true\n")
                child.signal(SIGHUP)
                try await eventually("the error is logged") {
                    child.complained.contains("The configuration was not read again, so the settings stay as they are")
                }
                #expect(child.complained.contains("line 4 is not a setting. Did you mean hidden?"))
                #expect(try await ada.setting("log-level")?.value == ["info"])
                Refusal.given("line 4 is not a setting. Did you mean hidden?").check(
                    try await ada.node.parlance("config", "reload"),
                    of: "config reload"
                )

                try ada.write(Self.base + "log-level: debug\n")
                let reload = try await ada.node.parlance("config", "reload")
                #expect(reload.output == "In force now: log-level.\n", "\(reload.errors)")
                #expect(try await ada.node.end(SIGTERM) == 0)
            }
        }
    }
}
