import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// Bad settings of the daemon, on the command line and in config.yaml.
    @Suite struct SettingsInputTests {
        private struct Case {
            var flags: [String]
            var refusal: Refusal

            init(_ flags: [String], _ refusal: Refusal) {
                self.flags = flags
                self.refusal = refusal
            }
        }

        private static let address = "HOST:PORT, 192.0.2.7:4747 or [2001:db8::7]:4747"

        private static let cases = [
            Case(
                ["--peer", "ship.lan:99999"],
                .usage("--peer: \"ship.lan:99999\" is not the address of a peer", address)
            ),
            Case(["--peer", "ship.lan:+4747"], .usage("is not the address of a peer", address)),
            Case(["--peer", "ship.lan:0"], .usage("is not the address of a peer", address)),
            Case(["--peer", "::::"], .usage("is not the address of a peer", address)),
            Case(["--peer", ""], .usage("is not the address of a peer", address)),
            Case(["--peer", "a b:4747"], .usage("is not the address of a peer", address)),
            Case(["--peer", "[::1"], .usage("is not the address of a peer", address)),
            Case(["--peer", "[fe80::1]:4747"], .usage("which needs its interface", "[fe80::1%eth1]:4747")),
            Case(["--peer", "fe80::1"], .usage("which needs its interface", "[fe80::1%eth1]:4747")),
            Case(["--peer", "fe80::1%eth1:4747"], .usage("is not the address of a peer", address)),
            Case(["--peer", "[fe80::1%]:4747"], .usage("is not the address of a peer", address)),
            Case(["--peer", "ship%eth1:4747"], .usage("is not the address of a peer", address)),
            Case(["--listen", "fe80::1"], .usage("which needs its interface", "fe80::1%eth1")),
            Case(
                ["--mdns", "loud"],
                .usage("--mdns: \"loud\" is not a way to use mDNS", "auto, system, embedded, off")
            ),
            Case(["--listen", "everywhere"], .usage("--listen: \"everywhere\" is not a numeric address")),
            Case(["--listen", "ff02::1"], .usage("--listen: \"ff02::1\" cannot be the address of a computer")),
            Case(["--peer", "224.0.0.251"], .usage("--peer: \"224.0.0.251:4747\" cannot be the address", address)),
            Case(["--port", "70000"], .usage("--port: 70000 is not a valid port", "0 (any) to 65535")),
            Case(["--port", "-1"], .usage("--port: -1 is not a valid port", "0 (any) to 65535")),
            Case(["--port", "many"], .usage("\"many\" is not a valid value of --port", "parlanced --help")),
            Case(["--name", ""], .usage("--name: The name \"\" cannot be used", "1 to 64 bytes")),
            Case(["--name", String(repeating: "x", count: 65)], .usage("cannot be used", "1 to 64 bytes")),
            Case(["--name", "You"], .usage("--name: The name \"You\" cannot be used", "another meaning in Parlance")),
            Case(["--log-level", "loud"], .usage("--log-level: \"loud\" is not a log level", "debug")),
            Case(["--config", "/nowhere/config.yaml"], .start("no configuration file at /nowhere/config.yaml")),
            Case(["--profile", "../else"], .usage("The profile's name is not allowed")),
            Case(["--auto-accept", "all"], .usage("--auto-accept: \"all\" does not say who is accepted")),
            Case(["--quiet-hours", "22"], .usage("--quiet-hours: ")),
            Case(["--file-rate", "fast"], .usage("--file-rate: ")),
            Case(["--page-port", "x"], .usage("--page-port: ")),
            Case(["nonsense"], .usage("parlanced: \"nonsense\" is one word too many.", "parlanced --help")),
        ]

        @Test func eachHasItsError() async throws {
            try await Lab.run { lab in
                for each in Self.cases {
                    // Later options on the command line override earlier ones, so the tested flags come last.
                    let own = ["--data-dir", lab.folder.appendingPathComponent("data").path]
                    let ports = each.flags.contains("--port") ? [] : ["--port", "0"]
                    try await Self.refuses(
                        own + ports + each.flags,
                        each.refusal,
                        each.flags.joined(separator: " "),
                        in: lab
                    )
                }
            }
        }

        private static let files: [(text: String, says: [String])] = [
            ("name: [\n: - x", ["FILE cannot be read: line 2: ", "Correct it"]),
            ("port: many\n", ["\"port\" in FILE, line 1: \"many\" does not fit", "a number"]),
            ("quatsch\n", ["FILE cannot be read: a setting is written as NAME: VALUE."]),
            ("peers:\n", ["\"peers\" in FILE, line 1: the value is missing", "a list of texts"]),
            ("port: 70000\n", ["\"port\" in FILE, line 1: 70000 is not a valid port"]),
            (
                "auto_accept: friends\n",
                ["\"auto-accept\" in FILE, line 1: \"friends\" does not say who is accepted", "workspace, nobody"]
            ),
            ("hidden: perhaps\n", ["\"hidden\" in FILE, line 1: \"perhaps\" does not fit", "true or false"]),
            ("listen: 127.0.0.1\n", ["\"listen\" in FILE, line 1: \"127.0.0.1\" does not fit", "a list of texts"]),
            ("listen: [\"here\"]\n", ["\"listen\" in FILE, line 1: \"here\" is not a numeric address"]),
            ("name: [Ada, Eve]\n", ["\"name\" in FILE, line 1: \"Ada, Eve\" does not fit", "a text"]),
            ("mdns: loud\n", ["\"mdns\" in FILE, line 1: \"loud\" is not a way to use mDNS"]),
            ("log-level: loud\n", ["\"log-level\" in FILE, line 1: \"loud\" is not a log level"]),
            (
                "peers: [\"ship.lan:99999\"]\n",
                ["\"peers\" in FILE, line 1: \"ship.lan:99999\" is not the address of a peer"]
            ),
            (
                "name: Ada\ncolour: red\n",
                ["\"colour\" in FILE, line 2 is not a setting", "name, port, listen, page-port, model-port, peers"]
            ),
            ("logLevel: info\n", ["\"logLevel\" in FILE, line 1 is not a setting. Did you mean log-level?"]),
            (
                "# x\nauto-acept: nobody\n",
                ["\"auto-acept\" in FILE, line 2 is not a setting. Did you mean auto-accept?"]
            ),
            ("port: 0\n\nlog-level: inof\n", ["in FILE, line 3: \"inof\" is not a log level. Did you mean info?"]),
            ("# two\n\npeers:\n  Bob: ship.lan\n", ["\"peers.Bob\" in FILE, line 3 is not a setting"]),
        ]

        @Test func aConfigurationFileThatIsWrongIsRefused() async throws {
            try await Lab.run { lab in
                for (number, each) in Self.files.enumerated() {
                    let file = lab.folder.appendingPathComponent("config\(number).yaml")
                    try Data(each.text.utf8).write(to: file)
                    let data = lab.folder.appendingPathComponent("data").path
                    let flags = ["--data-dir", data, "--config", file.path]
                    let what = each.text.replacingOccurrences(of: "\n", with: " ")
                    let says = each.says.map { $0.replacingOccurrences(of: "FILE", with: file.path) }
                    // The environment overrides the file, so it must not give the setting that is tested.
                    let tested = ["mdns", "listen"].filter { each.text.hasPrefix("\($0):") }
                    let unset = tested.flatMap { ["-u", "PARLANCE_\($0.uppercased())"] }
                    try await Self.refuses(flags, variables: unset, Refusal(code: 1, says: says), what, in: lab)
                }
            }
        }

        /// Versions before took the address, so a node whose file has it starts, and says what is wrong. Nobody can set it.
        @Test func aFileOfAnEarlierVersionStartsTheNode() async throws {
            try await Lab.run { lab in
                let file = lab.folder.appendingPathComponent("config.yaml")
                try Data("name: Ada\npeers: [\"[fe80::1]:4747\"]\n".utf8).write(to: file)
                let node = LabNode(lab, "Ada", port: 0, arguments: ["--config", file.path])
                try node.spawn()
                try await node.ready(onAnyPort: true)
                let problem = try #require(try await node.status().problems.first { $0.code == "configuration" })
                let says = "\"peers\" in \(file.path), line 2: \"[fe80::1]:4747\" is a link-local address, which"
                #expect(problem.message.english.hasPrefix(says), "\(problem)")
                #expect(problem.advice.english.contains("[fe80::1%eth1]:4747"))
                let refused = try await node.parlance("config", "set", "peers", "[fe80::2]:4747")
                #expect(refused.code != 0 && refused.errors.contains("which needs its interface"), "\(refused)")
                let set = try await node.parlance("config", "set", "peers", "[fe80::1%eth1]:4747")
                #expect(set.code == 0, "\(set)")
                #expect(try await node.status().problems.first { $0.code == "configuration" } == nil)
            }
        }

        /// Who may not read or write a file is told so, with the code for that.
        @Test func permissionsHaveTheirCode() async throws {
            try await Lab.run { lab in
                let folder = lab.folder.appendingPathComponent("closed")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                let file = folder.appendingPathComponent("config.yaml")
                let own = ["--config", file.path, "--data-dir", lab.folder.appendingPathComponent("none").path]
                try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
                let unwritable = try await lab.parlanceWithoutRights(["config", "set", "port", "1"] + own)
                #expect(unwritable.code == 77 && unwritable.errors.contains("cannot be written"), "\(unwritable)")
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
                try Data("port: 1\n".utf8).write(to: file)
                try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
                for words in [["set", "port", "2"], ["get", "port"], ["list"]] {
                    let unreadable = try await lab.parlanceWithoutRights(["config"] + words + own)
                    #expect(unreadable.code == 77 && unreadable.errors.contains("cannot be read"), "\(unreadable)")
                }
                // The node reads the file for the command.
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
                let runner = ["setpriv"] + Lab.withoutRights
                let node = LabNode(
                    lab,
                    "Ada",
                    port: 0,
                    runner: runner,
                    arguments: ["--config", file.path]
                )
                try node.spawn()
                try await node.ready(onAnyPort: true)
                try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
                let reload = try await node.parlance("config", "reload")
                #expect(reload.code == 77 && reload.errors.contains("cannot be read"), "\(reload)")
                let json = try await node.parlance("config", "reload", "--json")
                #expect(json.code == 77 && json.errors.contains("\"code\":\"fileDenied\""), "\(json)")
            }
        }

        /// The cable may be out, or the VPN not up yet. The interfaces for mDNS are meant by their names, never by numbers.
        @Test func whatCannotBeHadNowStopsNoStart() async throws {
            try await Lab.run { lab in
                let file = lab.folder.appendingPathComponent("config.yaml")
                let listen = "listen: [\"198.51.100.1\", \"127.0.0.1\", \"127.0.0.1\"]\n"
                let text = listen + "mdns-interfaces: [nosuch0, \"1\"]\n"
                try Data(text.utf8).write(to: file)
                let runner = ["env", "-u", "PARLANCE_LISTEN", "PARLANCE_MDNS=embedded"]
                let node = LabNode(lab, "Ada", port: 0, runner: runner, arguments: ["--config", file.path])
                try node.spawn()
                try await node.ready(onAnyPort: true)
                func messages() async throws -> [String] {
                    let problems = try await node.ask(DoctorOperation()).problems.filter { $0.code == "configuration" }
                    // It may come by itself, and the node then goes on without anybody's help.
                    #expect(problems.allSatisfy { $0.severity == .note })
                    return problems.map(\.message.english)
                }
                #expect(
                    try await messages() == [
                        "The setting listen has addresses that this computer does not have now: 198.51.100.1. Nobody can "
                            + "reach this node there.",
                        "The setting mdns-interfaces has interfaces that this computer does not have now: 1 and nosuch0. Nobody "
                            + "is found there.",
                    ]
                )
                // Of what waits for a restart, it is told before.
                let set = try await node.parlance("config", "set", "listen", "198.51.100.2")
                #expect(set.code == 0 && set.output.contains("has them: parlance doctor"), "\(set)")
                #expect(try await messages().first?.contains("not have now: 198.51.100.1 and 198.51.100.2.") == true)
                let list = try await node.parlance("config", "list")
                let waits = "in force in the running daemon, except these, which need a restart: listen\n"
                #expect(list.output.hasPrefix("# \(file.path): \(waits)"), "\(list.output)")
            }
        }

        /// Whoever was given the port that was set does not reach the node, and nothing else would say why.
        @Test(.enabled(if: TwoHosts.areAllowed, "this machine does not let us make network namespaces"))
        func aPortThatIsNotTakenIsTold() async throws {
            try await Lab.run { lab in
                let hosts = try await TwoHosts(lab)
                let ordinary = ["setpriv", "--bounding-set=-net_bind_service"]
                func told(_ name: String, port: UInt16, _ runner: [String]) async throws -> NodeStatus.Problem? {
                    let runner = hosts.runner(on: 1) + ["env", "-u", "PARLANCE_LISTEN"] + runner
                    let node = LabNode(lab, name, port: port, runner: runner, arguments: ["--mdns", "off"])
                    try node.spawn()
                    try await node.ready(onAnyPort: true)
                    return try await node.status().problems.first { $0.code == "configuration" }
                }
                let denied = try await told("Ada", port: 443, ordinary)
                #expect(
                    denied?.message.english
                        == "Only root can take port 443 here, so this node takes links at port 4747 instead."
                )
                #expect(denied?.severity == .note)
                let used = try await told("Bob", port: 4747, [])
                #expect(
                    used?.message.english
                        == "Another program uses port 4747, so this node takes links at port 4748 instead."
                )
                #expect(used?.advice.english.contains("parlance config set port NUMBER") == true)
            }
        }

        private static let variables = [
            (["PARLANCE_PORT=many"], ["PARLANCE_PORT: \"many\" does not fit", "a number"]),
            (["PARLANCE_HIDDEN=perhaps"], ["PARLANCE_HIDDEN: \"perhaps\" does not fit", "true or false"]),
            (["PARLANCE_LOG_LEVEL=loud"], ["PARLANCE_LOG_LEVEL: \"loud\" is not a log level"]),
            (["PARLANCE_PEERS=[fe80::1]:4747"], ["PARLANCE_PEERS: \"[fe80::1]:4747\" is a link-local address"]),
            (["PARLANCE_PEERS=ship.lan:1,ship.lan:0"], ["PARLANCE_PEERS: \"ship.lan:0\" is not the address of a peer"]),
        ]

        @Test func aVariableOfTheEnvironmentThatIsWrongIsRefused() async throws {
            try await Lab.run { lab in
                // The environment overrides the file, so the error must not name the file.
                let file = lab.folder.appendingPathComponent("config.yaml")
                try Data("hidden: true\nlog-level: info\npeers: []\nport: 0\n".utf8).write(to: file)
                let flags = ["--data-dir", lab.folder.appendingPathComponent("data").path, "--config", file.path]
                for (variables, says) in Self.variables {
                    let refusal = Refusal(code: 64, says: says)
                    try await Self.refuses(flags, variables: variables, refusal, variables[0], in: lab)
                }
            }
        }

        /// Starts a daemon that must refuse to start.
        private static func refuses(
            _ flags: [String],
            variables: [String] = [],
            _ refusal: Refusal,
            _ what: String,
            in lab: Lab
        ) async throws {
            let daemon = try Programs.own("parlanced").path
            let child = try lab.start(try Programs.system("env"), variables + [daemon] + flags, name: "daemon")
            try await eventually("parlanced ends or is ready with \(what)") {
                child.exitCode != nil || child.printed.contains("ready: ")
            }
            guard let code = child.exitCode else {
                Issue.record("\(what) was taken: \(child.printed)")
                child.signal(SIGKILL)
                try await child.ended()
                return
            }
            refusal.check(Lab.Outcome(code: code, output: child.printed, errors: child.complained), of: what)
        }

        @Test func aConfigurationFileHoldsAndAFlagWins() async throws {
            try await Lab.run { lab in
                let file = lab.folder.appendingPathComponent("config.yaml")
                let port = try Lab.freePort()
                let text = "name: Zed\nport: \(port)\nmdns: \"off\"\nlisten: [\"127.0.0.1\"]\nlog-level: warning\n"
                try Data(text.utf8).write(to: file)
                let runner = ["env", "-u", "PARLANCE_LISTEN", "-u", "PARLANCE_MDNS"]
                let node = LabNode(lab, "Ada", port: port, runner: runner, arguments: ["--config", file.path])
                try await node.start()
                let status = try await node.status()
                #expect(status.name == "Ada")
                #expect(status.port == Int(port))
                #expect(status.discovery.state == .off)
                #expect(status.listening == ["127.0.0.1:\(port)"])
            }
        }

        @Test func aPortInUseFallsBackToAnother() async throws {
            try await Lab.run { lab in
                let holder = try RawSocket.tcp()
                let port = try holder.bindToFreePort()
                try holder.listen()
                let node = LabNode.onLoopback(lab, "Ada", port: port)
                try node.spawn()
                try await node.ready(onAnyPort: true)
                let status = try await node.status()
                #expect(status.port != Int(port) && status.port > 0)
                // The daemon really listens there.
                let found = try #require(UInt16(exactly: status.port))
                _ = try RawSocket.connected(toPort: found)
            }
        }
    }
}
