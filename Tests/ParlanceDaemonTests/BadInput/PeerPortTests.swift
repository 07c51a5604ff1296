import ParlanceControl
import ParlanceCore
import Testing

extension ProgramTests {
    /// Garbage at the peer port costs the sender its connection and affects nobody else.
    @Suite struct PeerPortTests {
        /// `PLN`, version 1, open mode, no tag: the preamble of an honest initiator (protocol/link.md).
        private static let preamble: [UInt8] = Array("PLN".utf8) + [1, 0, 0, 0, 0, 0]

        private static func garbage(_ seed: UInt64) -> [(what: String, bytes: [UInt8])] {
            var random = SeededGenerator(seed: seed)
            return [
                ("random bytes", random.bytes(4096)),
                ("a web request", Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)),
                ("an unknown version", Array("PLN".utf8) + [99, 0, 0, 0, 0, 0] + random.bytes(64)),
                ("a mode it does not take", Array("PLN".utf8) + [1, 1, 1, 2, 3, 4] + random.bytes(64)),
                ("an open mode with a tag", Array("PLN".utf8) + [1, 0, 1, 2, 3, 4] + random.bytes(64)),
                ("the largest record as a handshake", preamble + [0xFF, 0xFF] + random.bytes(65_535)),
                ("a handshake over its limit", preamble + [0x04, 0x01] + random.bytes(1025)),
                ("an empty handshake", preamble + [0, 0]),
                ("a short handshake", preamble + [0, 5] + random.bytes(5)),
                (
                    "a key of zeros, then garbage",
                    preamble + [0, 32] + Array(repeating: 0, count: 32) + [0xFF, 0xFF] + random.bytes(65_535)
                ),
                (
                    "a key, then a false message 3",
                    preamble + [0, 32] + random.bytes(32) + [0, 200] + random.bytes(200)
                ),
                ("a megabyte without sense", preamble + random.bytes(1 << 20)),
            ]
        }

        @Test func garbageCostsItsConnectionOnly() async throws {
            let seed = UInt64.random(in: 1 ... .max)
            print("peer port test: seed \(seed)")
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                for (what, bytes) in Self.garbage(seed) {
                    let socket = try RawSocket.connected(toPort: pair.ada.port)
                    socket.send(bytes)
                    let answer = try await socket.receive("the connection with \(what) is closed, seed \(seed)")
                    // The answer tells a stranger nothing: it is at most message 2 of the handshake.
                    #expect(answer.count < 1024, "\(what), seed \(seed)")
                }
                try await Self.stillWorks(pair)
            }
        }

        @Test func silentConnectionsDoNotKeepFriendsOut() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let silent = try (0..<100).map { _ in try RawSocket.connected(toPort: pair.ada.port) }
                for socket in silent.prefix(50) { socket.send(Array(Self.preamble.prefix(4))) }
                try await Self.stillWorks(pair)
                // Silent connections are closed when the time for a handshake is over (10 s).
                for socket in silent {
                    _ = try await socket.receive("a silent connection is closed", within: .seconds(20))
                }
                // A friend is admitted although there were many.
                try await pair.bob.kill()
                try await pair.bob.start()
                try await Self.stillWorks(pair)
            }
        }

        private static func stillWorks(_ pair: Pair) async throws {
            let before = try await pair.bob.history(with: "Ada").count
            try await pair.ada.sees("Bob", "connected") { $0.connected }
            try await pair.ada.send("still here", to: "Bob")
            try await pair.ada.deliversAll()
            #expect(try await pair.bob.history(with: "Ada").count == before + 1)
            #expect(pair.ada.child?.exitCode == nil)
        }
    }
}
