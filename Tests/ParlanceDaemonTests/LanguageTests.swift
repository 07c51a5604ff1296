import Foundation
import ParlanceControl
import Testing

extension ProgramTests {
    /// The daemon's texts for people, in the language of the connection that reads them.
    @Suite struct LanguageTests {
        private static func call(_ method: String, _ params: String) -> [UInt8] {
            Array("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\(method)\",\"params\":\(params)}\n".utf8)
        }

        /// A daemon that a program of a service started, as a script in a terminal of the desktop does: `JOURNAL_STREAM`
        /// is set, and standard error is elsewhere.
        @Test func onlyTheJournalIsInEnglish() async throws {
            try await Lab.run { lab in
                let words = ["LANG=de_DE.UTF-8", "JOURNAL_STREAM=1:2", try Programs.own("parlanced").path]
                let outcome = try await lab.run(try Programs.system("env"), words + ["--config", "/nowhere/file"])
                #expect(outcome.errors.contains("Es gibt keine Konfigurationsdatei"), "\(outcome.errors)")
            }
        }

        @Test func theSettingsOfARunningDaemonAreInTheLanguageOfTheCommand() async throws {
            try await Lab.run { lab in
                let file = lab.folder.appendingPathComponent("config.yaml")
                try Data("hidden: true\n".utf8).write(to: file)
                let own = ["--config", file.path]
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort(), arguments: own)
                try await node.start()
                func config(_ options: String...) async throws -> Lab.Outcome {
                    let words = ["LANG=de_DE.UTF-8", try Programs.own("parlance").path, "config", "list"]
                    let data = ["--data-dir", node.folder.path]
                    return try await lab.run(try Programs.system("env"), words + data + options)
                }
                let people = try await config()
                #expect(
                    people.output.contains("Quelle: „hidden“ in \(file.path), Zeile 1."),
                    "\(people.output) \(people.errors)"
                )
                let programs = try await config("--json")
                #expect(programs.output.contains("in \(file.path), line 1\""), "\(programs.output)")
            }
        }

        @Test func eachConnectionHasItsLanguage() async throws {
            try await Lab.run { lab in
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                let refused = Self.call("send", "{\"who\":\"Nobody\",\"text\":\"x\"}")
                let english = try RawSocket.connected(toPath: node.socketPath)
                let german = try RawSocket.connected(toPath: node.socketPath)
                let reply = try await german.ask(Self.call("language", "{\"language\":\"de\"}"))
                #expect(reply == "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"language\":\"de\"}}\n")
                #expect(try await german.ask(refused).contains("Niemand hier heißt „Nobody“."))
                #expect(try await english.ask(refused).contains("Nobody here is called"))
                #expect(try await german.ask(Self.call("doctor", "{}")).contains("mDNS ist aus"))
                // A language that the daemon does not speak is answered with the one that it will speak.
                let unknown = try await german.ask(Self.call("language", "{\"language\":\"tlh\"}"))
                #expect(unknown.contains("{\"language\":\"en\"}"))
                #expect(try await german.ask(refused).contains("Nobody here is called"))
            }
        }

        /// `parlance config` is performed by another program, which asks the daemon where a value is from.
        @Test func whereASettingIsFromIsGerman() async throws {
            try await Lab.run { lab in
                let node = LabNode(lab, "Ada", port: try Lab.freePort(), arguments: [], isNamed: false)
                try await node.start()
                func list(_ options: String...) async throws -> String {
                    let command = ["LC_ALL=de_DE.UTF-8", try Programs.own("parlance").path, "config", "list"]
                    let own = command + ["--data-dir", node.folder.path] + options
                    return try await lab.run(try Programs.system("env"), own).output
                }
                #expect(try await list().contains("Quelle: der Datenordner."))
                #expect(try await list("--json").contains("the data folder"), "programs read English")
            }
        }
    }
}
