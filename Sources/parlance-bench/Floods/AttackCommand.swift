import ArgumentParser
import Foundation

/// Floods a daemon's peer port, and prints the effect on a friend of that daemon.
struct AttackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attack",
        abstract: "A friend's messages before and during a flood of the peer port, and how soon it is over after it."
    )

    @Option(help: "The control socket of a friend, who writes to the daemon that is attacked.")
    var socket: String?

    @Option(help: "Whom it writes to: the daemon that is attacked.")
    var to: String?

    @Option(help: "The port that is attacked, as 192.0.2.7:4747.")
    var target: String

    @Option(help: "half-open, drip (one byte a second), handshakes or links.")
    var kind = Flood.Kind.halfOpen.rawValue

    @Option(help: "How many connections are wanted all the time.")
    var connections = 10_000

    @Option(help: "How many are started in a second at most.")
    var rate = 2_000

    @Option(help: "Addresses to come from, as 10.78.0.1+1000.")
    var sources: String?

    @Option(help: "How long, in seconds.")
    var seconds = 20

    @Option(name: .customLong("pid"), help: "The process that is attacked, to see its memory.")
    var process: Int32?

    func run() throws {
        guard let kind = Flood.Kind(rawValue: kind) else {
            let kinds = Flood.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw BenchError("\(kind) is not a kind of attack; the kinds are \(kinds)")
        }
        var friend: MessageWriter?
        if let socket, let to { friend = try MessageWriter(socket: socket, to: to) }
        let target = try Target(target, sources: sources)
        let attack = Attack(
            flood: Flood(kind, target, connections: connections, startsPerSecond: rate),
            target: target,
            seconds: seconds,
            process: process,
            friend: friend
        )
        var results = Results()
        for (name, value) in try attack.measure().sorted(by: { $0.key < $1.key }) { results.add(name, value) }
        print(results.json)
    }
}
