import Foundation
import ParlanceControl
import Testing

/// Which firewall is on, and the line that lets Parlance in.
@Suite struct FirewallManagerTests {
    /// A folder that stands for the root of a machine.
    private final class Machine {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("fw-\(UUID().uuidString)")

        func put(_ path: String, _ text: String = "", mode: Int = 0o644) throws {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        }

        var active: FirewallManager? { .active(in: root.path) }

        deinit { try? FileManager.default.removeItem(at: root) }
    }

    @Test(arguments: [
        ("ENABLED=yes\n", true), ("# ENABLED=no\n ENABLED = \"Yes\"\nLOGLEVEL=low", true), ("ENABLED=no\n", false),
        ("#ENABLED=yes\n", false), ("", false), ("\0\u{FFFD}", false),
    ])
    func ufwIsOnIfItsSettingsSaySo(_ text: String, _ isOn: Bool) throws {
        let machine = Machine()
        try machine.put("etc/ufw/ufw.conf", text)
        #expect(machine.active == nil, "what is removed leaves its settings")
        try machine.put("usr/sbin/ufw", mode: 0o755)
        #expect(machine.active == (isOn ? .ufw : nil))
    }

    @Test(arguments: ["sys/fs/cgroup/system.slice/firewalld.service/cgroup.procs", "run/firewalld.pid"])
    func firewalldIsOnWhileItRuns(_ sign: String) throws {
        let machine = Machine()
        try machine.put("usr/bin/firewall-cmd", mode: 0o755)
        #expect(machine.active == nil, "it is installed and does not run")
        try machine.put(sign)
        #expect(machine.active == .firewalld)
    }

    /// Runs the line as root would, with a program in place of the real one that notes its words.
    private func words(_ machine: Machine, _ manager: FirewallManager, code: Int = 0) throws -> (
        said: [String], code: Int32
    ) {
        let path = try #require(manager.program(in: machine.root.path))
        let program = """
            #!/bin/sh
            echo "$#: $*" >>\(machine.root.path)/said
            [ "$1" != --get-active-zones ] || printf 'dmz\\n  interfaces: eth0\\nhome (default)\\n  interfaces: wlan0\\n'
            exit \(code)

            """
        try machine.put(path, program, mode: 0o755)
        let line = try #require(manager.opening(in: machine.root.path))
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", line.replacingOccurrences(of: path, with: machine.root.path + path)]
        try shell.run()
        shell.waitUntilExit()
        let said = try String(contentsOf: machine.root.appendingPathComponent("said"), encoding: .utf8)
        return (said.split(separator: "\n").map(String.init), shell.terminationStatus)
    }

    @Test func ufwLetsEachPrivateNetworkIn() throws {
        let machine = Machine()
        try machine.put("usr/sbin/ufw", mode: 0o755)
        let plain = try words(machine, .ufw)
        #expect(plain.said.count == 12 && plain.code == 0)
        #expect(plain.said.first == "9: allow proto tcp from 10.0.0.0/8 to any port 4747:4762")
        #expect(plain.said.last == "9: allow proto udp from fc00::/7 to any port 5353")
        try machine.put("etc/ufw/applications.d/parlance")
        try machine.put("etc/default/ufw", "IPV6=no\n")
        try machine.put("said")
        let named = try words(machine, .ufw)
        let networks = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"]
        #expect(named.said == networks.map { "7: allow from \($0) to any app Parlance" })
    }

    @Test func firewalldLetsEachPrivateNetworkInForGood() throws {
        let machine = Machine()
        try machine.put("usr/bin/firewall-cmd", mode: 0o755)
        try machine.put("usr/lib/firewalld/services/parlance.xml")
        let named = try words(machine, .firewalld)
        #expect(named.said.first == "1: --get-active-zones" && named.said.last == "1: --reload" && named.code == 0)
        let rules = named.said.dropFirst().dropLast()
        #expect(rules.count == 12, "6 networks in each of the zones that are in use")
        for zone in ["dmz", "home"] {
            let start = "3: --permanent --zone=\(zone) --add-rich-rule=rule family=ipv"
            #expect(rules.count { $0.hasPrefix(start) } == 6)
            #expect(rules.contains("\(start)6 source address=fe80::/10 service name=parlance accept"))
        }
    }

    @Test func theFirstFailureEndsIt() throws {
        let machine = Machine()
        try machine.put("usr/bin/firewall-cmd", mode: 0o755)
        let failed = try words(machine, .firewalld, code: 13)
        #expect(failed.said.count == 2 && failed.code == 13)
    }
}
