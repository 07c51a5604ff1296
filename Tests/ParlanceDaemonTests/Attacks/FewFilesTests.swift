import Foundation
import ParlanceControl
import ParlanceWire
import Testing

extension ProgramTests {
    /// A daemon that may open 64 files, and strangers who try to use all of them.
    @Suite struct FewFilesTests {
        @Test func friendsAreServedWithSixtyFourFiles() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let pair = try await Pair.meeting(in: lab, runner: ["prlimit", "--nofile=64:64"])
                let (ada, bob) = (pair.ada, pair.bob)
                let limits = try String(contentsOfFile: "/proc/\(ada.child?.processID ?? 0)/limits", encoding: .utf8)
                #expect(limits.split(separator: "\n").contains { $0.contains("open files") && $0.contains(" 64 ") })

                let strangers = try (0..<200).map { _ in try RawSocket.connected(toPort: ada.port) }
                try await bob.send("through the crowd", to: "Ada")
                try await bob.deliversAll()
                // A friend who comes back is admitted too.
                try await bob.kill()
                try await bob.start()
                try await bob.sees("Ada", within: .seconds(40), "connected") { $0.connected }
                try await bob.send("back again", to: "Ada")
                try await bob.deliversAll()
                #expect(try await ada.texts(with: "Bob") == ["first contact", "through the crowd", "back again"])
                let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(ada.child?.processID ?? 0)/fd")
                    .count
                print("few files: \(open) of 64 are open with \(strangers.count) strangers")
                #expect(open < 64)
            }
        }

        /// The last descriptors are reserved for people and the store: while only these are free, a link is refused.
        @Test func peopleAreServedWhenNoLinkIsTaken() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let (first, second) = (try Lab.freePort(), try Lab.freePort())
                let ada = LabNode.onLoopback(lab, "Ada", port: first, runner: ["prlimit", "--nofile=64:64"])
                try await ada.start()
                let process = ada.child?.processID ?? 0
                // Of 64 files an eighth is reserved.
                let kept = 64 - min(Limits.descriptorsKept, 64 / 8)
                func areTaken() throws -> Bool {
                    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").compactMap(
                        Int.init
                    )
                    return Set(0..<kept).isSubset(of: open)
                }
                // While a descriptor below the reserved ones is free, a connection is accepted; a silent one is kept
                // for 10 s.
                let early = try RawSocket.connected(toPort: first)
                var terminals: [RawSocket] = []
                let question = Array(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#.utf8) + [10]
                var extra = 0
                // Opens one terminal more than needed, because a file may have been open for a moment only.
                while extra < 2 {
                    try #require(terminals.count < 64)
                    let terminal = try RawSocket.connected(toPath: ada.socketPath)
                    _ = try await terminal.ask(question)
                    terminals.append(terminal)
                    if try areTaken() { extra += 1 }
                }
                let late = try RawSocket.connected(toPort: first)
                #expect(try await late.receive("a link is refused at once").isEmpty)
                let shown = try await ada.parlance("status")
                #expect(shown.code == 0, "\(shown.errors)")
                // Once there is room again, friends are admitted.
                terminals = []
                let bob = LabNode.onLoopback(lab, "Bob", port: second, dials: [first])
                try await bob.start()
                try await bob.sees("Ada", within: .seconds(40), "connected") { $0.connected }
                withExtendedLifetime(early) {}
            }
        }

        /// The shell sets the soft limit; the daemon raises it to the hard limit.
        @Test func theSoftLimitIsRaised() async throws {
            try await Lab.run { lab in
                let runner = ["prlimit", "--nofile=256:2048"]
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort(), runner: runner)
                try await ada.start()
                let limits = try String(contentsOfFile: "/proc/\(ada.child?.processID ?? 0)/limits", encoding: .utf8)
                let line = try #require(limits.split(separator: "\n").first { $0.contains("open files") })
                #expect(line.split(whereSeparator: \.isWhitespace)[3] == "2048")
            }
        }
    }
}
