import Foundation
import ParlanceNetwork
import ParlanceWire

/// What somebody whom Bob has accepted can cost him, while Ada writes to him.
enum InsiderPart: Part {
    static let name = "insiders"
    static let about = "a friend's messages while another accepted peer floods"

    static func measure(_ bench: Bench) throws {
        let nodes = try bench.nodes()
        let target = try Target("127.0.0.1:\(nodes.port)", sources: nil)
        let mallory = try Node(name: "Mallory", in: bench.folder, program: bench.program("parlanced"))
        try mallory.start(nodes.adaArguments)
        _ = try ControlConnection(mallory.socket).reply(to: "send", ["who": "Bob", "text": "Hello Bob"])
        try accept("Mallory", nodes)
        try flood(bench, "texts", TextFlood(socket: mallory.socket, to: "Bob"), target)
        try mallory.stop()
        struct Status: Decodable {
            let peerID: String
        }
        let bob = try ControlConnection(nodes.bob.socket).call("status", as: Status.self).peerID
        for kind in Insider.Kind.allCases {
            guard let bob = PeerID(text: bob) else { throw BenchError("\(bob) is not a peer ID") }
            let insider = try Insider(kind, target, bob: bob)
            insider.connect()
            try accept(insider.identity.peer.grouped, nodes)
            try flood(bench, kind.rawValue, insider, target)
        }
    }

    private static func accept(_ who: String, _ nodes: NodePair) throws {
        let began = ContinuousClock.now
        while true {
            let reply = try ControlConnection(nodes.bob.socket).reply(to: "accept", ["who": who])
            if (try? ControlConnection.result(of: reply, as: ControlConnection.Anything.self)) != nil { return }
            guard .now - began < .seconds(20) else { throw BenchError("Bob never saw \(who)") }
            poll(nil, 0, 50)
        }
    }

    private static func flood(_ bench: Bench, _ name: String, _ flood: any Flooding, _ target: Target) throws {
        let nodes = try bench.nodes()
        Progress.note("An accepted peer floods for \(bench.amounts.attackSeconds) s: \(name)")
        let attack = Attack(
            flood: flood,
            target: target,
            connections: 1,
            isAnswered: true,
            seconds: bench.amounts.attackSeconds,
            process: try nodes.bob.pid,
            friend: try nodes.writer()
        )
        for (figure, value) in try attack.measure().sorted(by: { $0.key < $1.key }) {
            bench.results.add("insider_\(name).\(figure)", value)
        }
    }
}
