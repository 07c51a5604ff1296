import Foundation

/// Two daemons on loopback that accept each other: Ada, who writes, and Bob.
final class NodePair {
    private static let listening = ["--listen", "127.0.0.1"]
    private static let withoutDiscovery = ["--mdns", "off"]

    let ada: Node
    let bob: Node
    /// Bob's port, the same after each start.
    private(set) var port = 0

    /// Starts both and makes them accept each other.
    init(in folder: String, program: String) throws {
        ada = try Node(name: "Ada", in: folder, program: program)
        bob = try Node(name: "Bob", in: folder, program: program)
        Progress.note("Starting two daemons")
        try bob.start(Self.listening + Self.withoutDiscovery)
        struct Status: Decodable {
            let port: Int
        }
        port = try ControlConnection(bob.socket).call("status", as: Status.self).port
        try startAda()
        _ = try ControlConnection(ada.socket).reply(to: "send", ["who": "Bob", "text": "Hello Bob"])
        try acceptAtBob("Ada")
        try waitUntilDelivered()
    }

    /// Waits until Bob has heard of somebody, and accepts them.
    func acceptAtBob(_ who: String) throws {
        try Self.wait(20, "Bob has not heard of \(who)") { [bob] in
            let reply = try ControlConnection(bob.socket).reply(to: "accept", ["who": who])
            return (try? ControlConnection.result(of: reply, as: ControlConnection.Anything.self)) != nil
        }
    }

    /// Ada uses any free port; only Bob's port must stay the same.
    var adaArguments: [String] {
        Self.listening + Self.withoutDiscovery + ["--port", "0", "--peer", "127.0.0.1:\(port)"]
    }

    /// Bob's arguments after his first start.
    var bobArguments: [String] { Self.listening + Self.withoutDiscovery + ["--port", "\(port)"] }

    func startAda() throws {
        try ada.start(adaArguments)
        try waitUntilConnected()
    }

    /// - Parameter interface: the interface on which Bob uses mDNS; `nil` turns mDNS off.
    func startBob(discoveringOn interface: String? = nil) throws {
        var arguments = bobArguments
        if let interface {
            arguments = Self.listening + ["--port", "\(port)", "--mdns", "embedded", "--mdns-interface", interface]
        }
        try bob.start(arguments)
        try waitUntilConnected()
    }

    func writer() throws -> MessageWriter { try MessageWriter(socket: ada.socket, to: bob.name) }

    func waitUntilConnected() throws {
        struct Peers: Decodable {
            struct Peer: Decodable {
                let name: String
                let connected: Bool
            }

            let peers: [Peer]
        }
        try Self.wait(40, "Ada did not connect to Bob at 127.0.0.1:\(port)") { [ada, bob] in
            let known: Peers = try ControlConnection(ada.socket).call("peers")
            return known.peers.contains { $0.name == bob.name && $0.connected }
        }
    }

    private func waitUntilDelivered() throws {
        struct Outbox: Decodable {
            let total: Int
        }
        try Self.wait(10, "Ada's first message was not delivered") { [ada] in
            let outbox: Outbox = try ControlConnection(ada.socket).call("outbox")
            return outbox.total == 0
        }
    }

    private static func wait(_ seconds: Int, _ failure: String, until holds: () throws -> Bool) throws {
        let began = ContinuousClock.now
        while try holds() == false {
            guard .now - began < .seconds(seconds) else { throw BenchError(failure) }
            poll(nil, 0, 50)
        }
    }
}
