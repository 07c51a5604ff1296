import Foundation
import ParlanceControl
import ParlanceWaiting

/// A running `parlance watch --json` and the events that it has printed so far.
final class Watcher: Sendable {
    private let child: Child
    private let name: String

    /// Starts watching; every event after this returns is seen, if the node knows somebody. A filter must contain `peer`.
    init(_ node: LabNode, events: String? = nil) async throws {
        name = node.name
        let filter = events.map { ["--events", $0] } ?? []
        let arguments = ["watch", "--json", "--data-dir", node.folder.path] + filter
        child = try node.lab.start(try Programs.own("parlance"), arguments, name: "watch-\(name.lowercased())")
        try await isWatching(node)
    }

    /// Changes an alias until the watcher reports it: then the subscription exists.
    private func isWatching(_ node: LabNode) async throws {
        guard let peer = try await node.peers().first else { return }
        var turn = 0
        try await eventually("the watcher of \(name) has subscribed", every: .milliseconds(40)) {
            turn += 1
            let alias = "probe \(turn)"
            try await node.ask(AliasOperation(who: peer.id, name: alias))
            return try events("peer").contains { $0["alias"]?.text == alias }
        }
        try await node.ask(AliasOperation(who: peer.id, name: ""))
    }

    /// The data of all events of a type, the oldest first.
    func events(_ type: String) throws -> [JSON] {
        // The last line may be incomplete.
        let lines = child.printed.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return try lines.compactMap { line in
            let event = try JSONParser.parse(Array(line.utf8))
            return event["type"]?.text == type ? event["data"] ?? .null : nil
        }
    }

    /// Waits for an event of a type that satisfies a condition.
    @discardableResult
    func sees(
        _ type: String,
        within limit: Duration = .seconds(10),
        where condition: (JSON) -> Bool = { _ in true }
    ) async throws -> JSON {
        try await soon("the watcher of \(name) prints such an event: \(type)", within: limit, last: child.printed) {
            try events(type).first(where: condition)
        }
    }

    /// Waits for the end of the command.
    func ended() async throws -> Int32 {
        try await child.ended()
    }
}
