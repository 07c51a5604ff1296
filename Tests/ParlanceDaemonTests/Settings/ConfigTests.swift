import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// `parlance config` and SIGHUP, with the real programs.
    @Suite struct ConfigTests {
        /// A node that has its settings, except for its name and its port, from a file.
        private struct Configured {
            let lab: Lab
            let file: URL
            let node: LabNode

            init(_ lab: Lab, _ text: String) throws {
                self.lab = lab
                file = lab.folder.appendingPathComponent("config.yaml")
                try Data(text.utf8).write(to: file)
                node = LabNode(
                    lab,
                    "Ada",
                    port: try Lab.freePort(),
                    runner: ["env", "-u", "PARLANCE_LISTEN", "-u", "PARLANCE_MDNS"],
                    arguments: ["--config", file.path],
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
                #expect(set.code == 0 && set.output.contains("from the next start of parlanced"), "\(set.errors)")
                #expect(
                    try String(contentsOf: file, encoding: .utf8) == "# mine\nport: 4801 # free\nlog-level: debug\n"
                )
                for (words, says) in [
                    (["get", "prot"], "Did you mean port?"), (["set", "log-level", "inof"], "Did you mean info?"),
                ] {
                    Refusal.given(says).check(try await lab.parlance(["config"] + words + own), of: "config \(words)")
                }
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
                #expect(peers.output.contains("In force now."), "\(peers.errors)")
                try await ada.node.sees("Bob", "connected") { $0.connected }

                let hidden = try await ada.node.parlance("config", "set", "hidden", "true", "--json")
                #expect(hidden.output.contains("\"restart\":true"), "\(hidden.output)\(hidden.errors)")
                let setting = try await ada.setting("hidden")
                #expect(setting?.value == ["false"] && setting?.pending == ["true"])

                let name = try await ada.node.parlance("config", "set", "name", "Eve")
                #expect(name.output.contains("--name, which wins"), "\(name.errors)")
                #expect(try await ada.node.status().name == "Ada")
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
                    child.complained.contains("The configuration is wrong, so the settings stay as they are")
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
