import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// Backups of running nodes, with the real programs and a peer that remembers.
    @Suite struct BackupTests {
        private static let words = Array("correct horse battery staple\n".utf8)

        private static func names(_ folder: URL) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        }

        private static func bothShow(_ texts: [String], _ ada: LabNode, _ bob: LabNode) async throws {
            for (node, other) in [(ada, "Bob"), (bob, "Ada")] {
                var last: [String] = []
                try await eventually("\(node.name) shows \(texts)", last: "\(last)") {
                    last = try await node.texts(with: other)
                    return last == texts
                }
            }
        }

        @Test func aRestoredBackupIsANewReplicaAndLosesNothing() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let (ada, bob) = (pair.ada, pair.bob)
                let old = try await ada.status()
                try await ada.send("before", to: "Bob")
                try await ada.deliversAll()
                let file = lab.folder.appendingPathComponent("ada.backup")
                let made = try await ada.parlance("backup", file.path)
                #expect(made.code == 0, "\(made.errors)")
                #expect(
                    made.output.contains("It is not encrypted: whoever gets it can read your messages and write in")
                )
                #expect(made.output.contains("The files that were sent are not in it."))
                #expect(try permissions(file.path) == 0o600)
                #expect(!Self.names(ada.folder).contains { $0.hasPrefix("backup-") }, "\(Self.names(ada.folder))")
                try await ada.send("after", to: "Bob")
                try await ada.deliversAll()
                #expect(try await ada.end(SIGTERM) == 0)
                try await bob.send("while Ada was away", to: "Ada")

                // Into the same place, so that the guard of the old store is there.
                try FileManager.default.moveItem(at: ada.folder, to: lab.folder.appendingPathComponent("set-aside"))
                let restored = try await ada.parlance("restore", file.path)
                #expect(restored.code == 0 && restored.output.hasPrefix("Restored Ada ("), "\(restored.errors)")
                #expect(restored.output.contains(/\) as of (yesterday )?\d\d:\d\d\.\n/), "\(restored.output)")
                #expect(Self.names(ada.folder) == ["identity", "store.lock", "store.sqlite"])
                for name in ["identity", "store.sqlite"] {
                    #expect(try permissions(ada.folder.appendingPathComponent(name).path) == 0o600)
                }
                try await ada.start()
                let new = try await ada.status()
                #expect(new.peerID == old.peerID && new.replica != old.replica)
                #expect(new.problems.contains { $0.code == "copy" })
                try await Self.bothShow(["first contact", "before", "after", "while Ada was away"], ada, bob)
                try await ada.send("on at once", to: "Bob")
                try await Self.bothShow(
                    ["first contact", "before", "after", "while Ada was away", "on at once"],
                    ada,
                    bob
                )
            }
        }

        /// A backup has no files. Who was sent one gives it back, and what somebody else sent is fetched once more.
        @Test func filesComeBackFromOthersAfterARestore() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let (ada, bob) = (pair.ada, pair.bob)
                for (node, other) in [(ada, "Bob"), (bob, "Ada")] {
                    let source = lab.folder.appending(path: "\(node.name).txt")
                    try Data("the file of \(node.name)".utf8).write(to: source)
                    #expect(try await node.parlance("send", other, "--file", source.path).code == 0)
                }
                for node in [ada, bob] {
                    try await eventually("both files are with \(node.name)") {
                        let found = try await node.ask(FilesOperation()).files
                        return found.count == 2 && found.allSatisfy { $0.file.state == .here }
                    }
                }
                let backup = lab.folder.appending(path: "ada.backup").path
                #expect(try await ada.parlance("backup", backup).code == 0)
                #expect(try await ada.end(SIGTERM) == 0)
                try FileManager.default.moveItem(at: ada.folder, to: lab.folder.appending(path: "set-aside"))
                #expect(try await ada.parlance("restore", backup).code == 0)
                try await ada.start()
                #expect(try await ada.ask(FilesOperation()).files.map(\.file.state) == [.offered, .offered])
                for entry in try await ada.ask(FilesOperation()).files {
                    let place = lab.folder.appending(path: "again-\(entry.file.name)").path
                    let fetched = try await ada.parlance("fetch", entry.file.file, "--to", place)
                    #expect(fetched.code == 0, "\(fetched.errors)")
                    let text = FileManager.default.contents(atPath: place).map { String(decoding: $0, as: UTF8.self) }
                    #expect(text == "the file of \(entry.sender.me == true ? "Ada" : "Bob")")
                }
                #expect(try await ada.ask(FilesOperation()).files.map(\.file.state) == [.here, .here])
            }
        }

        /// The backups are made while the node writes: each is one moment, nothing in it is torn.
        @Test func aBackupIsOneMomentOfABusyNode() async throws {
            try await Lab.run(limit: .seconds(90)) { lab in
                let pair = try await Pair.meeting(in: lab)
                let ada = pair.ada
                async let sending: Void = {
                    for number in 1...300 { try await ada.send("\(number)", to: "Bob") }
                }()
                let files = (1...3).map { lab.folder.appendingPathComponent("\($0).backup") }
                for file in files {
                    let made = try await ada.parlance("backup", file.path)
                    #expect(made.code == 0, "\(made.errors)")
                }
                try await sending
                var counts: [Int] = []
                for (number, file) in zip(1..., files) {
                    let copy = LabNode.onLoopback(lab, "Ada", folder: "copy\(number)", port: try Lab.freePort())
                    #expect(try await copy.parlance("restore", file.path).code == 0)
                    try await copy.start()
                    let texts = try await copy.texts(with: "Bob").dropFirst()
                    #expect(Array(texts) == (0..<texts.count).map { "\($0 + 1)" })
                    counts.append(texts.count)
                    try await copy.end(SIGTERM)
                }
                #expect(counts == counts.sorted())
            }
        }

        @Test func anEncryptedBackupOpensWithItsPassphraseOnly() async throws {
            try await Lab.run { lab in
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await ada.start()
                let id = try await ada.status().peerID
                let seed = try String(contentsOf: ada.folder.appendingPathComponent("identity"), encoding: .utf8)
                let file = lab.folder.appendingPathComponent("ada.backup")
                let short = try await ada.parlance(
                    ["backup", file.path, "--passphrase-fd", "0"],
                    input: Array("x".utf8)
                )
                #expect(short.code == 65 && short.errors.contains("at least 8 bytes"))
                #expect(!FileManager.default.fileExists(atPath: file.path))
                let made = try await ada.parlance(["backup", file.path, "--passphrase-fd", "0"], input: Self.words)
                #expect(made.code == 0 && made.output.contains("It is encrypted"), "\(made.errors)")
                let bytes = try Data(contentsOf: file)
                for text in [seed, "SQLite format 3", id] { #expect(bytes.range(of: Data(text.utf8)) == nil) }

                let other = LabNode.onLoopback(lab, "Ada", folder: "other", port: try Lab.freePort())
                let wrong = try await other.parlance(
                    ["restore", file.path, "--passphrase-fd", "0"],
                    input: Array("another one\n".utf8)
                )
                Refusal.given("That is not the passphrase of the backup", "Try again").check(
                    wrong,
                    of: "another passphrase"
                )
                #expect(
                    !FileManager.default.fileExists(atPath: other.folder.path),
                    "a wrong passphrase leaves no folder"
                )
                let right = try await other.parlance(["restore", file.path, "--passphrase-fd", "0"], input: Self.words)
                #expect(right.code == 0, "\(right.errors)")
                try await other.start()
                #expect(try await other.status().peerID == id)
            }
        }

        /// As for every command that needs a terminal and has none.
        @Test func withoutATerminalNobodyIsAskedForAPassphrase() async throws {
            try await Lab.run { lab in
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await ada.start()
                let file = lab.folder.appendingPathComponent("ada.backup").path
                let other = lab.folder.appendingPathComponent("other").path
                func alone(_ words: [String]) async throws -> Lab.Outcome {
                    let command = ["-w", try Programs.own("parlance").path] + words
                    return try await lab.run(try Programs.system("setsid"), command)
                }
                let backup = try await alone(["backup", file, "--passphrase", "--data-dir", ada.folder.path])
                #expect(backup.code == 2 && backup.errors.contains("There is no terminal to ask"), "\(backup)")
                #expect(!FileManager.default.fileExists(atPath: file))
                let made = try await ada.parlance(["backup", file, "--passphrase-fd", "0"], input: Self.words)
                #expect(made.code == 0, "\(made.errors)")
                let restore = try await alone(["restore", file, "--data-dir", other])
                #expect(restore.code == 2 && restore.errors.contains("There is no terminal to ask"), "\(restore)")
                #expect(!FileManager.default.fileExists(atPath: other))
            }
        }

        @Test func whatIsNoBackupChangesNothing() async throws {
            try await Lab.run { lab in
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await ada.start()
                let file = lab.folder.appendingPathComponent("ada.backup")
                #expect(try await ada.parlance("backup", file.path).code == 0)
                let whole = try Data(contentsOf: file)
                var flipped = whole
                flipped[whole.count / 2] ^= 1
                let cases: [(Data, String)] = [
                    (Data("junk".utf8), "is not a backup of Parlance"), (whole.dropLast(), "its end is missing"),
                    (whole.prefix(whole.count / 2), "its end is missing"), (flipped, "is damaged"),
                    (whole + [0], "something follows its end"),
                ]
                for (number, (bytes, words)) in zip(1..., cases) {
                    let bad = lab.folder.appendingPathComponent("bad\(number)")
                    try bytes.write(to: bad)
                    let other = LabNode.onLoopback(lab, "Ada", folder: "other\(number)", port: 1)
                    Refusal.given(words).check(try await other.parlance("restore", bad.path), of: words)
                    #expect(Self.names(other.folder).allSatisfy { $0 == "store.lock" }, "\(Self.names(other.folder))")
                }
                let missing = try await ada.parlance("restore", lab.folder.path + "/no")
                #expect(missing.code == 65 || missing.code == 1)
            }
        }

        @Test func aProfileInUseIsNotRestoredInto() async throws {
            try await Lab.run { lab in
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await ada.start()
                let file = lab.folder.appendingPathComponent("ada.backup")
                #expect(try await ada.parlance("backup", file.path).code == 0)
                let again = try await ada.parlance("backup", file.path)
                Refusal.given("There is a file \(file.path) already").check(again, of: "a second backup")
                #expect(try await ada.parlance("backup", file.path, "--force").code == 0)
                let refusal = Refusal.given("This profile is in use", "--profile NAME")
                refusal.check(try await ada.parlance("restore", file.path), of: "a running node")
                let before = try Data(contentsOf: ada.folder.appendingPathComponent("identity"))
                #expect(try await ada.end(SIGTERM) == 0)
                refusal.check(try await ada.parlance("restore", file.path), of: "a used folder")
                try FileManager.default.removeItem(at: ada.folder.appendingPathComponent("identity"))
                refusal.check(try await ada.parlance("restore", file.path), of: "a store without identity")
                try before.write(to: ada.folder.appendingPathComponent("identity"))
                let forced = try await ada.parlance("restore", file.path, "--force")
                #expect(forced.code == 64 && forced.errors.contains("never replaces anything"))
                #expect(try await ada.parlance("backup", file.path, "--force").code == 2, "no daemon runs")
            }
        }

        @Test func settingsComeBackUnlessThereAreSome() async throws {
            try await Lab.run { lab in
                let config = lab.folder.appendingPathComponent(".config/parlance/config.yaml")
                try FileManager.default.createDirectory(
                    at: config.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                let text = "# mine\nlog-level: warning\n"
                try Data(text.utf8).write(to: config)
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await ada.start()
                let file = lab.folder.appendingPathComponent("ada.backup")
                #expect(try await ada.parlance("backup", file.path, "--json").code == 0)
                func restore(_ folder: String, _ more: String...) async throws -> JSON? {
                    let other = LabNode.onLoopback(lab, "Ada", folder: folder, port: 1)
                    let restored = try await other.parlance(["restore", file.path, "--json"] + more)
                    #expect(restored.code == 0, "\(restored.errors)")
                    return try JSONParser.parse(Array(restored.output.utf8))["settings"]
                }
                #expect(try await restore("one", "--config", config.path) == .string("kept"))
                try FileManager.default.removeItem(at: config)
                // A trial in a folder of its own leaves nothing elsewhere.
                #expect(try await restore("trial") == .string("left"))
                #expect(!FileManager.default.fileExists(atPath: config.path))
                #expect(try await restore("two", "--config", config.path) == .string("written"))
                #expect(try String(contentsOf: config, encoding: .utf8) == text)
            }
        }
    }
}
