import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceWaiting
import ParlanceWire
import Testing

extension ProgramTests {
    /// Files between real daemons.
    @Suite struct FileTransferTests {
        /// Kills of either side while one file of this size comes; `PARLANCE_FILE_BYTES` makes it larger.
        private static let kills = 20
        private static let bytes =
            ProcessInfo.processInfo.environment["PARLANCE_FILE_BYTES"].flatMap { Int($0) } ?? 1 << 28

        @Test func aFileComesWholeThroughTwentyKills() async throws {
            let seed =
                ProcessInfo.processInfo.environment["PARLANCE_SEED"].flatMap(UInt64.init) ?? .random(in: 1 ... .max)
            print("file kill test: PARLANCE_SEED=\(seed)")
            try await Lab.run(limit: .seconds(280)) { lab in
                var random = SeededGenerator(seed: seed)
                let pair = try await Pair.meeting(in: lab)
                let file = try await Self.add(Self.bytes, to: pair.ada, &random)
                try await pair.ada.ask(
                    SendOperation(who: "Bob", text: "", files: [FileToSend(file: file, name: "big.bin")])
                )
                try await Self.sees(file, at: pair.bob)
                try await pair.bob.ask(FileFetchOperation(id: file))
                var before: UInt64 = 0
                for number in 1...Self.kills {
                    // Each time it has come further than before, so that every kill finds another part of it here.
                    let goal = UInt64(Self.bytes) / UInt64(Self.kills + 1) * UInt64(number)
                    let entry = try await soon(
                        "more of it is here, kill \(number), PARLANCE_SEED=\(seed)",
                        within: .seconds(60)
                    ) {
                        let entry = try await Self.entry(file, at: pair.bob)
                        return entry.file.state == .here || entry.file.bytes ?? 0 >= goal ? entry : nil
                    }
                    if entry.file.state == .here { break }
                    #expect(entry.file.bytes ?? 0 >= before, "kill \(number), PARLANCE_SEED=\(seed)")
                    before = (entry.file.bytes ?? 0) / 2
                    try await Task.sleep(for: .milliseconds(random.below(40)))
                    let victim = random.below(2) == 0 ? pair.ada : pair.bob
                    try await victim.kill()
                    try await victim.start()
                }
                try await eventually("the file is here, PARLANCE_SEED=\(seed)", within: .seconds(90)) {
                    try await Self.entry(file, at: pair.bob).file.state == .here
                }
                let to = lab.folder.appendingPathComponent("copy.bin").path
                let fetched = try await pair.bob.parlance("fetch", String(file.prefix(12)), "--to", to)
                #expect(fetched.code == 0, "\(fetched.errors), PARLANCE_SEED=\(seed)")
                #expect(try Self.id(of: to) == file, "PARLANCE_SEED=\(seed)")
            }
        }

        @Test func twentyFilesComeByThemselves() async throws {
            try await Lab.run { lab in
                var random = SeededGenerator(seed: 20)
                let pair = try await Pair.meeting(in: lab)
                var files: [FileToSend] = []
                for number in 0..<20 {
                    let file = try await Self.add(number * 30_000, to: pair.ada, &random)
                    files.append(FileToSend(file: file, name: "part \(number).bin"))
                }
                try await pair.ada.ask(SendOperation(who: "Bob", text: "all of it", files: files))
                try await eventually("all are here", within: .seconds(30)) {
                    let found = try await pair.bob.ask(FilesOperation(who: "Ada")).files
                    return found.count == 20 && found.allSatisfy { $0.file.state == .here }
                }
                let message = try #require(try await pair.bob.history(with: "Ada").last)
                #expect(message.text == "all of it" && message.files?.map(\.file) == files.map(\.file))
                #expect(message.files?.map(\.name) == files.map(\.name))
            }
        }

        /// The disk gives other bytes than were written: the node notices, and the file comes once more.
        @Test func aFileThatTheDiskDamagedIsFetchedAgain() async throws {
            try await Lab.run { lab in
                var random = SeededGenerator(seed: 21)
                let pair = try await Pair.meeting(in: lab)
                let file = try await Self.add(300_000, to: pair.ada, &random)
                try await pair.ada.ask(
                    SendOperation(who: "Bob", text: "", files: [FileToSend(file: file, name: "plan")])
                )
                try await Self.sees(file, at: pair.bob)
                try await eventually("it is here") { try await Self.entry(file, at: pair.bob).file.state == .here }
                let path = try await pair.bob.ask(FilePathOperation(file: file, verify: true)).path
                let handle = try #require(FileHandle(forUpdatingAtPath: path))
                try handle.seek(toOffset: 200_000)
                try handle.write(contentsOf: Data([1, 2, 3, 4, 5, 6, 7, 8]))
                try handle.close()
                let to = lab.folder.appendingPathComponent("plan").path
                let refused = try await pair.bob.parlance("fetch", file, "--to", to)
                #expect(refused.code == 1 && refused.errors.contains("was removed"), "\(refused.errors)")
                #expect(!FileManager.default.fileExists(atPath: to))
                let fetched = try await pair.bob.parlance("fetch", file, "--to", to)
                #expect(fetched.code == 0, "\(fetched.errors)")
                #expect(try Self.id(of: to) == file)
            }
        }

        /// Ada may send 256 KiB a second, and then as much as she can, without a restart.
        @Test func aRateHoldsUntilItIsTakenBack() async throws {
            try await Lab.run { lab in
                var random = SeededGenerator(seed: 16)
                let pair = try await Pair.meeting(in: lab)
                let clock = ContinuousClock()
                var times: [Duration] = []
                for (rate, says) in [("256 KiB", "256 KiB\n"), ("256 KiB 0:00-0:00", ""), ("off", "off\n")] {
                    let set = try await pair.ada.parlance("config", "set", "file-rate", rate)
                    #expect((set.code == 0) == !says.isEmpty, "\(set.output)\(set.errors)")
                    if says.isEmpty { continue }
                    #expect(try await pair.ada.parlance("config", "get", "file-rate").output == says)
                    let file = try await Self.add(1 << 20, to: pair.ada, &random)
                    let began = clock.now
                    try await pair.ada.ask(
                        SendOperation(who: "Bob", text: "", files: [FileToSend(file: file, name: "\(rate).bin")])
                    )
                    try await eventually("the file is here", within: .seconds(30)) {
                        try await pair.bob.ask(FilesOperation()).files.contains {
                            $0.file.file == file && $0.file.state == .here
                        }
                    }
                    times.append(clock.now - began)
                }
                // The first 64 KiB may go at once.
                #expect(times[0] >= .milliseconds(3_700), "\(times)")
                #expect(times[1] < times[0], "\(times)")
            }
        }

        static func entry(_ file: String, at node: LabNode) async throws -> FileEntry {
            try #require(try await node.ask(FilesOperation()).files.first { $0.file.file == file })
        }

        static func sees(_ file: String, at node: LabNode) async throws {
            try await eventually("\(node.name) is told of the file") {
                try await node.ask(FilesOperation()).files.contains { $0.file.file == file }
            }
        }

        /// Puts a file on the shelf of a node, as a face does.
        static func add(_ size: Int, to node: LabNode, _ random: inout SeededGenerator) async throws -> String {
            let place = try await node.ask(FilePrepareOperation())
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            #expect(FileManager.default.createFile(atPath: place.path, contents: nil, attributes: attributes))
            let handle = try #require(FileHandle(forWritingAtPath: place.path))
            let block = Data(random.bytes(1 << 16))
            var (rest, number) = (size, UInt64(0))
            while rest > 0 {
                // Each block is another one, and cheap to make.
                var bytes = block
                bytes.withUnsafeMutableBytes { $0.storeBytes(of: number &* 0x9E37_79B9_7F4A_7C15, as: UInt64.self) }
                try handle.write(contentsOf: bytes.prefix(rest))
                rest -= min(rest, bytes.count)
                number += 1
            }
            try handle.close()
            return try await node.ask(FileAddOperation(name: place.name)).file
        }

        /// The ID of what a file contains.
        static func id(of path: String) throws -> String {
            let handle = try #require(FileHandle(forReadingAtPath: path))
            let size = try handle.seekToEnd()
            try handle.seek(toOffset: 0)
            var hasher = FileHasher(try FileShape(size: size))
            while let block = try handle.read(upToCount: 1 << 20), !block.isEmpty { try hasher.update(Array(block)) }
            return try hasher.finish().id.text
        }
    }
}
