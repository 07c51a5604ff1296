import Foundation

/// Floods of Bob's port while Ada writes to him.
///
/// Strangers with many addresses, and announcements from a second network, are measured only if `contrib/bench` could
/// create networks.
enum FloodPart: Part {
    static let name = "floods"
    static let about = "a friend's messages during floods of the peer port and of mDNS"

    private static let startsPerSecond = 2_000

    static func measure(_ bench: Bench) throws {
        let nodes = try bench.nodes()
        let amounts = bench.amounts
        let neighbour = bench.neighbour
        if neighbour.neighbour != nil {
            try nodes.bob.stop()
            try nodes.startBob(discoveringOn: neighbour.interface)
        }
        if let strangers = neighbour.strangers {
            let sources = "\(strangers)+\(amounts.connections)"
            try flood(bench, "half_open", .halfOpen, amounts.connections, from: sources)
            try flood(bench, "drip", .drip, amounts.connections, from: sources)
        }
        try flood(bench, "handshakes", .handshakes, 8)
        try flood(bench, "links", .links, 32)
        guard let process = neighbour.neighbour else { return }
        var announcer: ChildProcess?
        try flood(bench, "announcements", .halfOpen, 0) {
            let arguments = ["--rate", "\(amounts.announced)", "--seconds", "\(amounts.attackSeconds)"]
            announcer = try ChildProcess(
                ["nsenter", "-t", "\(process)", "-n", bench.program("parlance-bench"), "announce"]
                    + ["--from", neighbour.neighbourAddress] + arguments,
                output: "\(bench.folder)/announced"
            )
        }
        let code = announcer?.wait() ?? 0
        guard code == 0 else { throw BenchError("the announcements ended with code \(code)") }
    }

    private static func flood(
        _ bench: Bench,
        _ name: String,
        _ kind: Flood.Kind,
        _ connections: Int,
        from sources: String? = nil,
        meanwhile: () throws -> Void = {}
    ) throws {
        let nodes = try bench.nodes()
        Progress.note("A flood of \(bench.amounts.attackSeconds) s: \(name.replacing("_", with: " "))")
        let target = try Target("127.0.0.1:\(nodes.port)", sources: sources)
        let attack = Attack(
            flood: Flood(kind, target, connections: connections, startsPerSecond: startsPerSecond),
            target: target,
            seconds: bench.amounts.attackSeconds,
            process: try nodes.bob.pid,
            friend: try nodes.writer()
        )
        for (figure, value) in try attack.measure(meanwhile: meanwhile).sorted(by: { $0.key < $1.key }) {
            bench.results.add("attack_\(name).\(figure)", value)
        }
    }
}
