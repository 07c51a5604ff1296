import Foundation

/// Two hosts on one network: network namespaces joined by a bridge in its own namespace.
///
/// The machine's own network gets no interface, so nothing can reach a real neighbour.
struct TwoHosts {
    private let lab: Lab
    private let prefix: String

    /// Whether this machine lets us create network namespaces; found out by trying.
    static let areAllowed = (try? Programs.system("ip")) != nil && mayUnshare("-n")

    /// Whether this machine lets us mount a disk that only one process sees.
    static let mountsAreAllowed = mayUnshare("-m")

    private static func mayUnshare(_ what: String) -> Bool {
        guard let unshare = try? Programs.system("unshare"),
            let probe = try? Process.run(unshare, arguments: [what, "true"])
        else { return false }
        probe.waitUntilExit()
        if probe.terminationStatus != 0 {
            print("Some tests are not run: this machine does not let us make namespaces (unshare \(what)).")
        }
        return probe.terminationStatus == 0
    }

    /// A command of `ip` failed.
    struct Refused: Error, CustomStringConvertible {
        let arguments: [String]
        let complaint: String
        var description: String { "ip \(arguments.joined(separator: " ")): \(complaint)" }
    }

    /// Creates the hosts, each with at least one address; by default two hosts in one subnet.
    init(_ lab: Lab, addresses: [[String]] = [["10.77.0.1/24"], ["10.77.0.2/24"]]) async throws {
        self.lab = lab
        prefix = "plab-\(UInt32.random(in: .min ... .max))"
        try await add(bridge)
        try await ip("-n", bridge, "link", "add", "br0", "type", "bridge", "mcast_snooping", "0", "forward_delay", "0")
        try await ip("-n", bridge, "link", "set", "br0", "up")
        for (number, own) in zip(1..., addresses) {
            let host = host(number)
            try await add(host)
            try await connect(number, by: "eth0", port: "p\(number)", own)
            try await ip("-n", host, "route", "add", "224.0.0.0/4", "dev", "eth0")
        }
    }

    /// Gives a host one more interface on the network, with these addresses.
    func connect(_ number: Int, by interface: String, _ addresses: [String]) async throws {
        try await connect(number, by: interface, port: "\(interface)-\(number)", addresses)
    }

    private func connect(_ number: Int, by interface: String, port: String, _ addresses: [String]) async throws {
        // An interface that comes back has the address that neighbours know.
        let sum: UInt8 = interface.utf8.reduce(0) { $0 &+ $1 }
        let address = [0x02, 0, 0, 0, UInt8(number), sum].map { String($0, radix: 16) }.joined(separator: ":")
        let peer = ["peer", "name", port, "netns", bridge]
        try await ip(["-n", host(number), "link", "add", interface, "address", address, "type", "veth"] + peer)
        for address in addresses { try await ip("-n", host(number), "addr", "add", address, "dev", interface) }
        try await ip("-n", host(number), "link", "set", interface, "up")
        try await ip("-n", bridge, "link", "set", port, "master", "br0", "up")
    }

    /// Takes an address from a host.
    func drop(_ address: String, of number: Int, on interface: String = "eth0") async throws {
        try await ip("-n", host(number), "addr", "del", address, "dev", interface)
    }

    /// Takes an interface from a host, as undocking does.
    func remove(_ interface: String, of number: Int) async throws {
        try await ip("-n", host(number), "link", "del", interface)
    }

    private var bridge: String { "\(prefix)-br" }

    private func host(_ number: Int) -> String { "\(prefix)-\(number)" }

    private func add(_ namespace: String) async throws {
        try await ip("netns", "add", namespace)
        lab.reaper.add(namespace: namespace)
        try await ip("-n", namespace, "link", "set", "lo", "up")
    }

    private func ip(_ arguments: String...) async throws { try await ip(arguments) }

    private func ip(_ arguments: [String]) async throws {
        let outcome = try await lab.run(try Programs.system("ip"), arguments)
        guard outcome.code == 0 else { throw Refused(arguments: arguments, complaint: outcome.errors) }
    }

    /// A node on a host that has no addresses and finds others by mDNS alone, unless `arguments` say otherwise. It
    /// listens on all interfaces of the host.
    func node(_ name: String, on number: Int, port: UInt16 = 4747, arguments: [String] = []) -> LabNode {
        let runner = runner(on: number) + ["env", "-u", "PARLANCE_LISTEN"]
        return LabNode(lab, name, port: port, runner: runner, arguments: ["--mdns", "embedded"] + arguments)
    }

    /// Ada on the first host and Bob on the second, who have found and accepted each other.
    func meeting() async throws -> Pair {
        let pair = Pair(ada: node("Ada", on: 1), bob: node("Bob", on: 2))
        try await pair.start(linkedWithin: .seconds(30))
        return pair
    }

    /// The words that run a program on a host.
    func runner(on number: Int) -> [String] { ["ip", "netns", "exec", host(number)] }

    /// Gives a host 65,536 more addresses, and the other host the route back to them.
    ///
    /// - Returns: the first address.
    func manyAddresses(on number: Int, reaching other: Int) async throws -> String {
        try await ip("-n", host(number), "route", "add", "local", "10.78.0.0/16", "dev", "lo")
        try await ip("-n", host(other), "route", "add", "10.78.0.0/16", "via", "10.77.0.\(number)")
        return "10.78.0.1"
    }

    /// Makes a host send packets for other subnets to a router.
    func route(_ number: Int, through router: String) async throws {
        try await ip("-n", host(number), "route", "add", "default", "via", router)
    }

    /// Makes a host forward packets that are not for it.
    func forward(_ number: Int) async throws {
        _ = try await run(number, "sysctl", ["-q", "-w", "net.ipv4.ip_forward=1"])
    }

    /// Whether this machine has a firewall to test with.
    static let haveFirewall = (try? Programs.system("nft")) != nil

    /// Makes a host's firewall drop new connections to a port; existing connections stay.
    func close(_ number: Int, port: Int) async throws {
        for rule in [
            ["add", "table", "inet", "lab"],
            ["add", "chain", "inet", "lab", "input", "{ type filter hook input priority 0 ; }"],
            ["add", "rule", "inet", "lab", "input", "tcp", "dport", "\(port)", "tcp", "flags", "syn", "drop"],
        ] {
            let outcome = try await run(number, "nft", rule)
            guard outcome.code == 0 else { throw Refused(arguments: rule, complaint: outcome.errors) }
        }
    }

    /// Loads a set of rules into a host's firewall.
    func load(_ number: Int, _ rules: String) async throws {
        let file = lab.folder.appendingPathComponent("rules-\(number).nft")
        try Data(rules.utf8).write(to: file)
        let outcome = try await run(number, "nft", ["-f", file.path])
        guard outcome.code == 0 else { throw Refused(arguments: [rules], complaint: outcome.errors) }
    }

    /// Removes all rules of a host's firewall.
    func openAll(_ number: Int) async throws {
        let outcome = try await run(number, "nft", ["flush", "ruleset"])
        guard outcome.code == 0 else { throw Refused(arguments: ["flush", "ruleset"], complaint: outcome.errors) }
    }

    private func run(_ number: Int, _ program: String, _ arguments: [String]) async throws -> Lab.Outcome {
        let path = try Programs.system(program).path
        return try await lab.run(try Programs.system("ip"), ["netns", "exec", host(number), path] + arguments)
    }

    /// Makes a host's interface pass no multicast on.
    func switchMulticastOff(_ number: Int) async throws {
        try await ip("-n", host(number), "link", "set", "eth0", "multicast", "off")
    }

    /// Unplugs a host's cable, or plugs it in again. The host sees the carrier disappear; the other sees nothing.
    func plug(_ number: Int, in isIn: Bool) async throws {
        try await ip("-n", bridge, "link", "set", "p\(number)", isIn ? "up" : "down")
    }
}
