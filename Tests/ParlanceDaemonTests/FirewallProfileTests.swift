import Foundation
import ParlanceControl
import ParlanceNetwork
import ParlanceWaiting
import ParlanceWire
import Testing

/// The ports of the profiles, of `doctor --fix` and of the daemon are the same.
@Suite struct FirewallProfileTests {
    private func file(_ name: String) throws -> String {
        let tests = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("contrib/firewall/\(name)"), encoding: .utf8)
    }

    @Test func theyAreThePortsThatNodesTake() throws {
        let (first, last) = FirewallProfile.tcp
        #expect(first == Int(LinkService.preferredPort) && last - first + 1 == Limits.portsTried)
        #expect(try file("ufw").contains("\nports=\(first):\(last)/tcp|\(FirewallProfile.udp)/udp\n"))
        let service = try file("firewalld.xml")
        #expect(service.contains("<port protocol=\"tcp\" port=\"\(first)-\(last)\"/>"))
        #expect(service.contains("<port protocol=\"udp\" port=\"\(FirewallProfile.udp)\"/>"))
    }
}

extension ProgramTests {
    /// `parlance doctor --fix`, with a ufw in place of the real one that notes its words.
    @Suite(.enabled(if: TwoHosts.mountsAreAllowed, "this machine does not let us make namespaces"))
    struct DoctorFixTests {
        /// Mounts the folder over /etc and /usr/sbin for one program.
        private static let mounts = """
            mount -t overlay overlay -o lowerdir="$0/etc:/etc" /etc &&
            mount -t overlay overlay -o lowerdir="$0/sbin:/usr/sbin" /usr/sbin && exec "$@" 2>&1
            """

        private func fix(_ lab: Lab, ufw isOn: Bool, _ act: (ChatTerminal) async throws -> Void) async throws -> String
        {
            let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
            try await node.start()
            return try await fix(lab, node, ufw: isOn, act)
        }

        /// - Parameters:
        ///   - does: what ufw does besides, as a line of the shell.
        ///   - runner: runs the command, so that ufw meets the firewall of the node.
        private func fix(
            _ lab: Lab,
            _ node: LabNode,
            ufw isOn: Bool,
            does line: String = "",
            runner: [String] = [],
            _ act: (ChatTerminal) async throws -> Void
        ) async throws -> String {
            let machine = lab.folder.appendingPathComponent("machine")
            let said = machine.appendingPathComponent("said").path
            for (path, text) in [
                ("etc/ufw/ufw.conf", "ENABLED=\(isOn ? "yes" : "no")\n"),
                ("sbin/ufw", "#!/bin/sh\necho \"$*\" >>\(said)\n\(line)\n"),
            ] {
                let file = machine.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(text.utf8).write(to: file)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            }
            let runner = runner + ["unshare", "-m", "sh", "-c", Self.mounts, machine.path]
            try await act(try ChatTerminal(node, command: ["doctor", "--fix"], runner: runner, width: 200))
            return (try? String(contentsOfFile: said, encoding: .utf8)) ?? ""
        }

        @Test(.enabled(if: geteuid() == 0, "another user would be asked for a password"))
        func itShowsTheLineAndRunsItAfterAYes() async throws {
            try await Lab.run { lab in
                let said = try await fix(lab, ufw: true) { screen in
                    try await screen.shows("allow proto tcp from $net to any port 4747:4762")
                    try await screen.shows("Do it? Type yes:")
                    screen.type("yes\r")
                    try await screen.shows("To see whether they work: parlance --data-dir ")
                    #expect(try await screen.ended() == 0)
                }
                #expect(said.contains("allow proto tcp from 192.168.0.0/16 to any port 4747:4762\n"))
            }
        }

        /// After running the line it checks again, without the cached result, and reports the outcome.
        @Test(.enabled(if: geteuid() == 0 && TwoHosts.haveFirewall, "there is no nft here"), arguments: [true, false])
        func afterwardsItSaysWhetherTheRulesWork(isOpened: Bool) async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let hosts = try await TwoHosts(lab)
                try await hosts.load(1, FirewallRules.firewalld)
                let ada = hosts.node("Ada", on: 1)
                try await ada.start()
                try await eventually("Ada's firewall is named", within: .seconds(30)) {
                    try await ada.status().problems.map(\.code) == ["firewall"]
                }
                #expect(try await ada.ask(DoctorOperation()).firewall == .closed)
                let line = isOpened ? "/usr/sbin/nft flush ruleset" : ""
                _ = try await fix(lab, ada, ufw: true, does: line, runner: hosts.runner(on: 1)) { screen in
                    try await screen.shows("Do it? Type yes:")
                    screen.type("yes\r")
                    try await screen.shows(isOpened ? "added and in force" : "still drops what they let in")
                    #expect(try await screen.ended() == (isOpened ? 0 : 1))
                }
                #expect(try await ada.ask(DoctorOperation()).firewall == (isOpened ? .open : .closed))
            }
        }

        @Test(.enabled(if: geteuid() == 0, "another user would be asked for a password"))
        func itDoesNothingWithoutAYes() async throws {
            try await Lab.run { lab in
                let said = try await fix(lab, ufw: true) { screen in
                    try await screen.shows("Do it? Type yes:")
                    screen.type("\r")
                    #expect(try await screen.ended() == 64)
                }
                #expect(said.isEmpty)
            }
        }

        @Test func whereNoFirewallIsOnItSaysWhatIsNeeded() async throws {
            try await Lab.run { lab in
                let said = try await fix(lab, ufw: false) { screen in
                    try await screen.shows("let TCP")
                    #expect(try await screen.ended() == 0)
                }
                #expect(said.isEmpty)
            }
        }

        @Test func itAsksAPersonOnly() async throws {
            try await Lab.run { lab in
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                let piped = try await node.parlance("doctor", "--fix")
                #expect(piped.code == 2 && piped.errors.contains("there is no terminal to ask on"), "\(piped)")
                let asJSON = try await node.parlance("doctor", "--fix", "--json")
                #expect(asJSON.code == 64 && asJSON.output.isEmpty, "\(asJSON)")
                let about = try await node.parlance("doctor", "--fix", "Bob")
                #expect(about.code == 64 && about.errors.contains("takes no WHO"), "\(about)")
            }
        }
    }
}
