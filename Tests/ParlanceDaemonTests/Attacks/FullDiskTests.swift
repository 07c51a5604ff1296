import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWire
import ParlanceWords
import Testing

extension ProgramTests {
    /// A full disk of eight megabytes: the error says so, nothing is acknowledged that was not stored, and everything
    /// goes on when there is room again.
    @Suite(.enabled(if: TwoHosts.mountsAreAllowed, "this machine does not let us make mount namespaces"))
    struct FullDiskTests {
        /// Mounts the small disk for the daemon alone; the arguments of `sh` are the daemon's command line.
        static func onSmallDisk(_ folder: String, megabytes: Int = 8) -> [String] {
            let script = """
                mkdir -p '\(folder)' && mount -t tmpfs -o size=\(megabytes)m,mode=700 tmpfs '\(folder)' && exec "$@"
                """
            return ["unshare", "-m", "--propagation", "private", "sh", "-c", script, "sh"]
        }

        @Test func aFullDiskLosesNothingAndLiesToNobody() async throws {
            try await Lab.run(limit: .seconds(180)) { lab in
                let disk = lab.folder.appendingPathComponent("disk").path
                let socket = lab.folder.appendingPathComponent("ada.sock").path
                let pair = try await Pair.meeting(
                    in: lab,
                    runner: Self.onSmallDisk(disk),
                    arguments: ["--socket", socket],
                    folder: "disk",
                    socket: socket
                )
                let (ada, bob) = (pair.ada, pair.bob)
                let filler = "/proc/\(ada.child?.processID ?? 0)/root\(disk)/filler"
                try Self.fill(filler)
                let sent = try await Self.sendUntilRefused(ada)
                #expect(ada.child?.exitCode == nil)

                // Bob's messages cannot be stored, so they are not shown as delivered.
                let text = "what there is no room for " + String(repeating: "x", count: 60_000)
                for _ in 0..<8 { try await bob.send(text, to: "Ada") }
                try await Self.settles(bob)
                #expect(try await !bob.outbox().isEmpty, "a message was called delivered that there is no room for")

                try FileManager.default.removeItem(atPath: filler)
                try await bob.deliversAll(within: .seconds(60))
                let back = try await ada.send("room again", to: "Bob")
                #expect(!back.id.isEmpty)
                try await ada.deliversAll(within: .seconds(60))
                let expected = ["first contact"] + sent + ["room again"]
                let (there, here) = (try await bob.texts(with: "Ada"), try await ada.texts(with: "Bob"))
                #expect(there.filter { $0 != text } == expected && here == there)
                #expect(there.count { $0 == text } == 8)
            }
        }

        /// Where Parlance alone fills the disk, to clear a conversation is the way out: there is room kept for that.
        @Test func aConversationIsClearedWithoutAByteOfRoomAlsoAfterACrash() async throws {
            try await Lab.run(limit: .seconds(240)) { lab in
                let disk = lab.folder.appendingPathComponent("disk").path
                let socket = lab.folder.appendingPathComponent("ada.sock").path
                // The disk outlives the daemon.
                let holder = try lab.start(
                    Self.onSmallDisk(disk),
                    try Programs.system("sleep"),
                    ["3600"],
                    name: "disk"
                )
                let mounts = "/proc/\(holder.processID)/mounts"
                try await eventually("the disk is there") {
                    (try? String(contentsOfFile: mounts, encoding: .utf8))?.contains(" \(disk) ") == true
                }
                let pair = try await Pair.meeting(
                    in: lab,
                    runner: ["nsenter", "--target", "\(holder.processID)", "--mount"],
                    arguments: ["--socket", socket],
                    folder: "disk",
                    socket: socket
                )
                let (ada, bob) = (pair.ada, pair.bob)
                let inside = "/proc/\(holder.processID)/root\(disk)"
                #expect(try Self.bytes(of: "\(inside)/store.reserve") == Int(Limits.diskReserveFileBytes))
                _ = try await Self.sendUntilRefused(ada)
                try await ada.deliversAll(within: .seconds(60))
                // The log stays short on such a disk: the database has to have room for it.
                #expect(try Self.bytes(of: "\(inside)/store.sqlite-wal") < Int(Limits.tightDiskBytes) / 32)
                try Self.fill("\(inside)/filler")

                // The sender hears why.
                try await bob.send("is there room?", to: "Ada")
                try await eventually("Bob is told", within: .seconds(30)) {
                    try await bob.outbox().contains { $0.why.english.contains("Ada's disk is full") == true }
                }
                try await ada.kill()
                try Self.fill("\(inside)/more")
                try await ada.start()
                let before = try await ada.texts(with: "Bob").count
                // So do other commands that bring no text.
                for words in [["forget", "Bob"], ["accept", "Bob"]] {
                    let outcome = try await lab.parlance(words + ["--socket", socket])
                    #expect(outcome.code == 0, "\(words): \(outcome.errors)")
                }
                let cleared = try await lab.parlance(["conversation", "clear", "Bob", "--yes", "--socket", socket])
                #expect(cleared.code == 0, "\(cleared.errors)")
                try await eventually("all is gone", within: .seconds(60)) {
                    // A page can begin at a message that is gone by then.
                    (try? await ada.texts(with: "Bob"))?.allSatisfy { $0 == "is there room?" } == true
                }
                #expect(before > 20)
                // New messages take the place of those that are gone, and some room is kept again. The one that waited may have
                // come with the first room there was, and have been cleared with the others.
                try await bob.send("and now?", to: "Ada")
                try await bob.deliversAll(within: .seconds(60))
                let now = try await ada.texts(with: "Bob")
                #expect(now.last == "and now?" && now.dropLast().allSatisfy { $0 == "is there room?" }, "\(now)")
                #expect(try Self.bytes(of: "\(inside)/store.reserve") >= Int(Limits.diskReserveFileBytes / 8))
                #expect(try await ada.end(SIGTERM) == 0)
                holder.signal(SIGKILL)
            }
        }

        private static func bytes(of path: String) throws -> Int {
            try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        }

        @Test func aBackupWithoutRoomSaysSoAndLeavesNothing() async throws {
            try await Lab.run { lab in
                let disk = lab.folder.appendingPathComponent("disk").path
                let socket = lab.folder.appendingPathComponent("ada.sock").path
                let ada = LabNode.onLoopback(
                    lab,
                    "Ada",
                    folder: "disk",
                    port: try Lab.freePort(),
                    runner: Self.onSmallDisk(disk),
                    arguments: ["--socket", socket],
                    socket: socket
                )
                try await ada.start()
                let inside = "/proc/\(ada.child?.processID ?? 0)/root\(disk)"
                try Self.fill("\(inside)/filler")
                let file = lab.folder.appendingPathComponent("ada.backup").path
                let refused = try await lab.parlance(["backup", "--socket", socket, file])
                #expect(refused.code == 1 && refused.output.isEmpty, "\(refused.errors)")
                #expect(refused.errors.contains("There is no room for a copy of the message store"))
                #expect(!FileManager.default.fileExists(atPath: file))
                let names = try FileManager.default.contentsOfDirectory(atPath: inside)
                #expect(!names.contains { $0.hasPrefix("backup-") }, "\(names)")

                try FileManager.default.removeItem(atPath: "\(inside)/filler")
                #expect(try await ada.status().problems.allSatisfy { $0.code != "copy" })
                #expect(try await ada.ask(BackupOperation()).copy.hasPrefix(disk))
            }
        }

        @Test func theAssistantIsNotTurnedOnWithoutRoom() async throws {
            try await Lab.run { lab in
                let disk = lab.folder.appendingPathComponent("disk").path
                let socket = lab.folder.appendingPathComponent("ada.sock").path
                let ada = LabNode.onLoopback(
                    lab,
                    "Ada",
                    folder: "disk",
                    port: try Lab.freePort(),
                    runner: Self.onSmallDisk(disk),
                    arguments: ["--socket", socket],
                    socket: socket
                )
                try await ada.start()
                let inside = "/proc/\(ada.child?.processID ?? 0)/root\(disk)"
                try Self.fill("\(inside)/filler")
                let refused = try await lab.parlance(["assistant", "on", "--socket", socket])
                #expect(refused.code == 1 && refused.errors.contains("There is no room left for the assistant's file."))
                let names = try FileManager.default.contentsOfDirectory(atPath: inside)
                #expect(!names.contains { $0.hasPrefix("assistant") }, "\(names)")
                try FileManager.default.removeItem(atPath: "\(inside)/filler")
                #expect(try await lab.parlance(["assistant", "on", "--socket", socket]).code == 0)
            }
        }

        private static func fill(_ path: String) throws {
            let file = open(path, O_WRONLY | O_CREAT, 0o600)
            guard file >= 0 else { throw RawSocket.Failure(what: "open \(path)", code: errno) }
            defer { close(file) }
            let piece = [UInt8](repeating: 7, count: 4_096)
            while write(file, piece, piece.count) > 0 {}
        }

        /// Sends until there is no room even in the space that the store had reserved; returns the accepted texts.
        private static func sendUntilRefused(_ ada: LabNode) async throws -> [String] {
            var sent: [String] = []
            for number in 0..<400 {
                // Words that are all different also take room in the index of the search.
                let text = "\(number)" + (0..<6_000).map { " w\(number * 6_000 + $0)" }.joined()
                do {
                    _ = try await ada.send(text, to: "Bob")
                    sent.append(text)
                } catch let failure as ControlFailure {
                    print("full disk: after \(sent.count) messages: \(failure.message) \(failure.advice)")
                    let said = "\(failure.message) \(failure.advice)"
                    #expect(said.contains("disk") && !failure.advice.isEmpty, "\(said)")
                    return sent
                }
            }
            Issue.record("the disk never was full")
            return sent
        }

        /// Waits until nothing changes for a while, so that the link has had time to carry everything.
        private static func settles(_ bob: LabNode) async throws {
            var last = -1
            var same = 0
            try await eventually("Bob's outbox is quiet", within: .seconds(30), every: .milliseconds(100)) {
                let count = try await bob.outbox().count
                same = count == last ? same + 1 : 0
                last = count
                return same >= 20
            }
        }
    }
}
