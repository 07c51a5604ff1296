import Foundation

/// Two hosts on one wire: network namespaces joined by a bridge that has a namespace of its own.
///
/// The machine's own network gets no interface, so nothing of it can reach a real neighbour.
struct TwoHosts {
    private let lab: Lab
    private let prefix: String

    /// Whether this machine lets us make network namespaces; tried, not guessed.
    static let areAllowed: Bool = {
        guard let unshare = try? Programs.system("unshare"), (try? Programs.system("ip")) != nil,
            let probe = try? Process.run(unshare, arguments: ["-n", "true"])
        else { return false }
        probe.waitUntilExit()
        if probe.terminationStatus != 0 {
            print("NamespaceTests are not run: this machine does not let us make network namespaces (unshare -n).")
        }
        return probe.terminationStatus == 0
    }()

    /// `ip` refused something.
    struct Refused: Error, CustomStringConvertible {
        let arguments: [String]
        let complaint: String
        var description: String { "ip \(arguments.joined(separator: " ")): \(complaint)" }
    }

    /// Makes both hosts: 10.77.0.1 and 10.77.0.2.
    init(_ lab: Lab) async throws {
        self.lab = lab
        prefix = "plab-\(UInt32.random(in: .min ... .max))"
        try await add(bridge)
        try await ip("-n", bridge, "link", "add", "br0", "type", "bridge", "mcast_snooping", "0", "forward_delay", "0")
        try await ip("-n", bridge, "link", "set", "br0", "up")
        for number in 1...2 {
            let host = host(number)
            try await add(host)
            try await ip(
                "-n",
                host,
                "link",
                "add",
                "eth0",
                "type",
                "veth",
                "peer",
                "name",
                "p\(number)",
                "netns",
                bridge
            )
            try await ip("-n", host, "addr", "add", "10.77.0.\(number)/24", "dev", "eth0")
            try await ip("-n", host, "link", "set", "eth0", "up")
            try await ip("-n", host, "route", "add", "224.0.0.0/4", "dev", "eth0")
            try await ip("-n", bridge, "link", "set", "p\(number)", "master", "br0", "up")
        }
    }

    private var bridge: String { "\(prefix)-br" }

    private func host(_ number: Int) -> String { "\(prefix)-\(number)" }

    private func add(_ namespace: String) async throws {
        try await ip("netns", "add", namespace)
        lab.reaper.add(namespace: namespace)
        try await ip("-n", namespace, "link", "set", "lo", "up")
    }

    private func ip(_ arguments: String...) async throws {
        let outcome = try await lab.run(try Programs.system("ip"), arguments)
        guard outcome.code == 0 else { throw Refused(arguments: arguments, complaint: outcome.errors) }
    }

    /// A node on a host that has no address of anybody and finds others by mDNS alone, unless told more.
    func node(_ name: String, on number: Int, port: UInt16 = 4747, arguments: [String] = []) -> LabNode {
        LabNode(lab, name, port: port, runner: runner(on: number), arguments: ["--mdns", "embedded"] + arguments)
    }

    /// What runs a program on a host.
    func runner(on number: Int) -> [String] { ["ip", "netns", "exec", host(number)] }

    /// Gives a host 65,536 addresses more, and the other the way back to them.
    ///
    /// - Returns: the first.
    func manyAddresses(on number: Int, reaching other: Int) async throws -> String {
        try await ip("-n", host(number), "route", "add", "local", "10.78.0.0/16", "dev", "lo")
        try await ip("-n", host(other), "route", "add", "10.78.0.0/16", "via", "10.77.0.\(number)")
        return "10.78.0.1"
    }

    /// Pulls a host's cable, or plugs it in again. The host sees its carrier go; the other sees nothing.
    func plug(_ number: Int, in isIn: Bool) async throws {
        try await ip("-n", bridge, "link", "set", "p\(number)", isIn ? "up" : "down")
    }
}
