import ParlanceNetwork
import ParlanceWire

/// What somebody whom Bob has accepted can cost him, while Ada writes to him.
enum InsiderPart: Part {
    static let name = "insiders"
    static let about = "a friend's messages while another accepted peer floods"

    /// What Bob writes to each insider, so that there are bodies to ask for.
    private static let text = String(repeating: "words ", count: 1_000)

    static func measure(_ bench: Bench) throws {
        let nodes = try bench.nodes()
        let target = try Target("127.0.0.1:\(nodes.port)", sources: nil)
        let mallory = try Node(name: "Mallory", in: bench.folder, program: bench.program("parlanced"))
        try mallory.start(nodes.adaArguments)
        _ = try ControlConnection(mallory.socket).reply(to: "send", ["who": "Bob", "text": "Hello Bob"])
        try nodes.acceptAtBob("Mallory")
        try flood(bench, "texts", TextFlood(socket: mallory.socket, to: "Bob"), target)
        try mallory.stop()
        let bob = try ControlConnection(nodes.bob.socket)
        let log = try log(of: bob)
        for kind in Insider.Kind.allCases {
            let insider = try Insider(kind, target, bob: log)
            insider.connect()
            let who = insider.peer.grouped
            try nodes.acceptAtBob(who)
            for _ in 0..<Limits.bodiesPerRequest { _ = try bob.reply(to: "send", ["who": who, "text": text]) }
            try flood(bench, kind.rawValue, insider, target)
        }
    }

    private static func log(of connection: ControlConnection) throws -> LogID {
        struct Status: Decodable {
            let peerID: String
            let replica: String
        }
        let status = try connection.call("status", as: Status.self)
        guard let author = PeerID(text: status.peerID),
            let replica = Base32.decode(status.replica).flatMap({ ReplicaID($0) })
        else { throw BenchError("status names no log: \(status)") }
        return LogID(author: author, replica: replica)
    }

    private static func flood(_ bench: Bench, _ name: String, _ flood: any Flooding, _ target: Target) throws {
        let nodes = try bench.nodes()
        Progress.note("An accepted peer floods for \(bench.amounts.attackSeconds) s: \(name)")
        let attack = Attack(
            flood: flood,
            target: target,
            seconds: bench.amounts.attackSeconds,
            process: try nodes.bob.pid,
            friend: try nodes.writer()
        )
        for (figure, value) in try attack.measure().sorted(by: { $0.key < $1.key }) {
            bench.results.add("insider_\(name).\(figure)", value)
        }
    }
}
