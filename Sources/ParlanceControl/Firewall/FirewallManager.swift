#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The program that manages this computer's firewall, as far as an ordinary user can see, and how it lets Parlance in.
///
/// Which rules are in force only root can read. Whether a manager is on, its files tell everybody.
package enum FirewallManager: String, CaseIterable, Sendable {
    case ufw, firewalld

    /// The manager that is installed and switched on; `nil` if there is none.
    ///
    /// - Parameter root: the folder that stands for `/`.
    package static func active(in root: String = "") -> FirewallManager? {
        allCases.first { $0.program(in: root) != nil && $0.isOn(in: root) }
    }

    /// The path of its command, without `root`.
    package func program(in root: String = "") -> String? {
        let name = self == .ufw ? "ufw" : "firewall-cmd"
        let folders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]
        return folders.map { "\($0)/\(name)" }.first { access(root + $0, X_OK) == 0 }
    }

    private func isOn(in root: String) -> Bool {
        switch self {
        case .ufw: Self.setting("ENABLED", of: root + "/etc/ufw/ufw.conf") == "yes"
        // The control group of a service is there while it runs; without systemd the daemon leaves its number.
        case .firewalld:
            [
                "/sys/fs/cgroup/system.slice/firewalld.service",
                "/sys/fs/cgroup/systemd/system.slice/firewalld.service", "/run/firewalld.pid",
            ].contains { access(root + $0, F_OK) == 0 }
        }
    }

    /// Whether the package's profile is there: then the rules have a name that people recognize.
    private func hasProfile(in root: String) -> Bool {
        access(root + (self == .ufw ? FirewallProfile.ufwPath : FirewallProfile.firewalldPath), F_OK) == 0
    }

    /// The commands that let Parlance in from private networks, now and after each start of the computer, as one line for
    /// `sh -c`. Nothing in it comes from a peer, from the daemon or from a setting of Parlance.
    package func opening(in root: String = "") -> String? {
        guard let program = program(in: root) else { return nil }
        let (ports, isNamed) = (FirewallProfile.tcp, hasProfile(in: root))
        switch self {
        case .ufw:
            let hasIPv6 = Self.setting("IPV6", of: root + "/etc/default/ufw") != "no"
            let networks = FirewallProfile.ipv4 + (hasIPv6 ? FirewallProfile.ipv6 : [])
            let rules =
                isNamed
                ? ["\(program) allow from $net to any app Parlance"]
                : [
                    "\(program) allow proto tcp from $net to any port \(ports.first):\(ports.last)",
                    "\(program) allow proto udp from $net to any port \(FirewallProfile.udp)",
                ]
            return Self.each(networks, rules)
        case .firewalld:
            let services =
                isNamed
                ? ["service name=parlance"]
                : [
                    "port port=\(ports.first)-\(ports.last) protocol=tcp",
                    "port port=\(FirewallProfile.udp) protocol=udp",
                ]
            let loops = [("ipv4", FirewallProfile.ipv4), ("ipv6", FirewallProfile.ipv6)].map { family, networks in
                let rules = services.map {
                    """
                    \(program) --permanent --zone="$zone" --add-rich-rule="rule family=\(family) source address=$net \($0) accept"
                    """
                }
                return Self.each(networks, rules)
            }
            // The zones of the networks that are there; without a network, the one that a new network gets.
            let zones = "\(program) --get-active-zones | sed -n 's/^\\([^ ][^ ]*\\).*/\\1/p'"
            let all = "zones=$(\(zones)); for zone in ${zones:-$(\(program) --get-default-zone)}"
            return "\(all); do \(loops.joined(separator: "; ")); done; \(program) --reload"
        }
    }

    private static func each(_ networks: [String], _ rules: [String]) -> String {
        let body = rules.map { "\($0) || exit" }.joined(separator: "; ")
        return "for net in \(networks.joined(separator: " ")); do \(body); done"
    }

    /// The value of a line `KEY=VALUE` of a file of shell variables, in lower case; `nil` if there is none.
    private static func setting(_ key: String, of path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: ControlLimits.settingsFileRead)
        let count = fread(&bytes, 1, bytes.count, file)
        for line in String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == key else { continue }
            return parts[1].lowercased().filter { $0.isLetter || $0.isNumber }
        }
        return nil
    }
}
