import Foundation
import ParlanceControl
import Testing

extension ProgramTests {
    /// A daemon that may open 64 files, and strangers who would take all of them.
    @Suite struct FewFilesTests {
        @Test func friendsAreServedWithSixtyFourFiles() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let (first, second) = (try Lab.freePort(), try Lab.freePort())
                let ada = LabNode(
                    lab,
                    "Ada",
                    port: first,
                    runner: ["prlimit", "--nofile=64:64"],
                    arguments: ["--listen", "127.0.0.1", "--mdns", "off", "--peer", "127.0.0.1:\(second)"]
                )
                let bob = LabNode.onLoopback(lab, "Bob", port: second, dials: [first])
                let pair = Pair(ada: ada, bob: bob)
                try ada.spawn()
                try bob.spawn()
                try await ada.ready()
                try await bob.ready()
                try await pair.meet()
                let limits = try String(contentsOfFile: "/proc/\(ada.child?.processID ?? 0)/limits", encoding: .utf8)
                #expect(limits.split(separator: "\n").contains { $0.contains("open files") && $0.contains(" 64 ") })

                let strangers = try (0..<200).map { _ in try RawSocket.connected(toPort: first) }
                try await bob.send("through the crowd", to: "Ada")
                try await bob.deliversAll()
                // A friend who comes back gets in, too.
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

        /// The soft limit is a shell's; the daemon takes what it may.
        @Test func theSoftLimitIsRaised() async throws {
            try await Lab.run { lab in
                let ada = LabNode(
                    lab,
                    "Ada",
                    port: try Lab.freePort(),
                    runner: ["prlimit", "--nofile=256:2048"],
                    arguments: ["--listen", "127.0.0.1", "--mdns", "off"]
                )
                try await ada.start()
                let limits = try String(contentsOfFile: "/proc/\(ada.child?.processID ?? 0)/limits", encoding: .utf8)
                let line = try #require(limits.split(separator: "\n").first { $0.contains("open files") })
                #expect(line.split(whereSeparator: \.isWhitespace)[3] == "2048")
            }
        }
    }
}
