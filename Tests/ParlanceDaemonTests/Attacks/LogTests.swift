import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// The log contains no message text, no key and nobody's whole ID.
    @Suite struct LogTests {
        @Test(arguments: ["info", "debug"]) func theLogHoldsNoTextsKeysOrIDs(level: String) async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let ports = [try Lab.freePort(), try Lab.freePort(), try Lab.freePort()]
                func node(_ name: String, _ index: Int) -> LabNode {
                    let others = ports.filter { $0 != ports[index] }
                    let arguments = ["--log-level", level]
                    return LabNode.onLoopback(lab, name, port: ports[index], dials: others, arguments: arguments)
                }
                let (ada, bob, eve) = (node("Ada", 0), node("Bob", 1), node("Eve", 2))
                let nodes = [ada, bob, eve]
                for each in nodes { try each.spawn() }
                for each in nodes { try await each.ready() }
                let pair = Pair(ada: ada, bob: bob)
                try await pair.meet()
                try await Self.live(pair, eve)
                var secrets = [
                    "first contact", "the plain secret", "beg your pardon", "Secret room", "at the usual place",
                ]
                for each in nodes {
                    secrets += try await Self.secrets(of: each)
                    try await each.end(SIGTERM)
                }
                let logs = try FileManager.default.contentsOfDirectory(at: lab.folder, includingPropertiesForKeys: nil)
                    .filter { $0.pathExtension == "err" && !$0.lastPathComponent.hasPrefix("parlance-") }
                    .map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
                #expect(logs.count >= 3 && logs.contains { !$0.isEmpty })
                for log in logs {
                    for secret in secrets where log.contains(secret) {
                        let line = log.split(separator: "\n").first { $0.contains(secret) } ?? ""
                        Issue.record("the log holds \(secret.prefix(8))...: \(line)")
                    }
                }
            }
        }

        /// Messages, a group, a refused request, garbage at the port, and a friend who is killed and comes back.
        private static func live(_ pair: Pair, _ eve: LabNode) async throws {
            try await pair.ada.send("the plain secret", to: "Bob")
            try await pair.ada.deliversAll()
            _ = try await pair.ada.parlance("presence", "busy", "--text", "at the usual place")
            _ = try await pair.ada.parlance("group", "create", "Secret room", "Bob")
            try await pair.bob.has("Secret room")
            try await eve.sees("Ada", "connected") { $0.connected }
            try await eve.send("beg your pardon", to: "Ada")
            try await eventually("Ada is asked") { try await pair.ada.conversation(with: "Eve")?.contact == .requested }
            try await pair.ada.ask(BlockOperation(who: "Eve"))
            try await eve.sees("Ada", within: .seconds(30), "not connected") { !$0.connected }
            for bytes in [Array("GET / HTTP/1.1\r\n\r\n".utf8), Array("PLN".utf8) + [1, 0, 0, 0, 0, 0, 0, 0]] {
                let socket = try RawSocket.connected(toPort: pair.ada.port)
                socket.send(bytes)
                _ = try await socket.receive("garbage is refused")
            }
            try await pair.bob.kill()
            try await pair.bob.start()
            try await pair.ada.sees("Bob", within: .seconds(30), "connected again") { $0.connected }
        }

        /// A node's whole ID in each form, and its secret key as its file contains it.
        private static func secrets(of node: LabNode) async throws -> [String] {
            let status = try await node.status()
            let id = status.peerID.filter { $0 != " " && $0 != "-" }
            let file = try String(contentsOf: node.folder.appendingPathComponent("identity"), encoding: .utf8)
            let seed = try #require(file.split(whereSeparator: \.isWhitespace).last)
            #expect(id.count >= 52 && seed.count == 64)
            return [
                status.peerID, id, String(id.prefix(52)), String(id.prefix(24)), String(seed), String(seed.prefix(16)),
            ]
        }
    }
}
