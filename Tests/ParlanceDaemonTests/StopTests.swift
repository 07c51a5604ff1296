import Foundation
import ParlanceControl
import ParlanceWaiting
import Synchronization
import Testing

extension ProgramTests {
    /// A stop by SIGTERM or SIGINT: orderly, told to all peers, and without loss of an accepted message.
    @Suite struct StopTests {
        private static func exists(_ name: String, in node: LabNode) -> Bool {
            FileManager.default.fileExists(atPath: node.folder.appendingPathComponent(name).path)
        }

        @Test(arguments: [SIGTERM, SIGINT])
        func itLeavesCleanlyAndSaysGoodbye(_ signal: Int32) async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let watcher = try await Watcher(pair.bob)
                #expect(Self.exists("control.sock", in: pair.bob) && Self.exists("control.path", in: pair.bob))
                let clock = ContinuousClock()
                let stop = clock.now
                #expect(try await pair.bob.end(signal) == 0)
                #expect(clock.now - stop < .seconds(5))
                #expect(!Self.exists("control.sock", in: pair.bob))
                #expect(!Self.exists("control.path", in: pair.bob))
                try await watcher.sees("stopping")
                #expect(try await watcher.ended() == 0)
                // The goodbye arrives over the link; nobody has to miss a heartbeat first.
                try await pair.ada.sees("Bob", within: .seconds(4), "not connected") { !$0.connected }
                try await pair.ada.sees("Bob", within: .seconds(10), "offline") { $0.presence == .offline }
            }
        }

        /// A script may stop the daemon immediately after the ready line.
        @Test func aStopRightAfterTheStartIsClean() async throws {
            try await Lab.run { lab in
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                for round in 1...5 {
                    try await node.start()
                    #expect(try await node.end(SIGTERM) == 0, "round \(round)")
                    #expect(!Self.exists("control.sock", in: node), "round \(round)")
                }
            }
        }

        /// After the next start exactly the answered messages are there, in order: a request that was not answered was
        /// not performed.
        @Test(arguments: [SIGTERM, SIGINT])
        func whatWasAcceptedIsThereAfterARestart(_ signal: Int32) async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await pair.bob.kill()
                let load = KillLoad(from: pair.ada, to: "Bob")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await load.run() }
                    try await eventually("100 messages are accepted") { load.soFar.accepted.count >= 100 }
                    #expect(try await pair.ada.end(signal) == 0)
                    load.stop()
                    try await group.waitForAll()
                }
                let record = load.soFar
                try await pair.ada.start()
                let shown = try await pair.ada.history(with: "Bob", page: 200).map(\.text)
                #expect(record.refused.isEmpty, "\(record.refused)")
                #expect(shown == ["first contact"] + record.accepted.keys.sorted().map(load.text))

                try await pair.bob.start()
                try await pair.ada.deliversAll()
                #expect(try await pair.bob.history(with: "Ada", page: 200).map(\.text) == shown)
            }
        }

        @Test func itStopsAlthoughClientsAndPeersAreConnected() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let idle = try (0..<10).map { _ in try RawSocket.connected(toPath: pair.ada.socketPath) }
                let half = try (0..<10).map { _ in try RawSocket.connected(toPort: pair.ada.port) }
                let watchers = [try await Watcher(pair.ada), try await Watcher(pair.ada)]
                #expect(try await pair.ada.end(SIGTERM) == 0)
                for socket in idle + half { _ = try await socket.receive("the connection is closed") }
                for watcher in watchers { #expect(try await watcher.ended() == 0) }
            }
        }
    }
}
