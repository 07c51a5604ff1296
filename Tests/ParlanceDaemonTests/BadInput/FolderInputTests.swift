import Foundation
import ParlanceControl
import ParlanceCore
import Testing

extension ProgramTests {
    /// A data folder that cannot be used: the daemon says why and what to do, and changes nothing in the folder.
    @Suite struct FolderInputTests {
        /// Runs a daemon on a folder that it must refuse.
        private static func refuses(_ folder: URL, _ refusal: Refusal, _ what: String, in lab: Lab) async throws {
            let outcome = try await lab.parlanced(["--data-dir", folder.path, "--port", "0"])
            refusal.check(outcome, of: what)
        }

        /// A folder that a daemon has used; the test copies it for each way to break it.
        private static func withFolder(
            _ body: @escaping @Sendable (_ lab: Lab, _ copy: @Sendable (String) throws -> URL) async throws -> Void
        ) async throws {
            try await Lab.run { lab in
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                #expect(try await node.end(SIGTERM) == 0)
                try await body(lab) { name in
                    let folder = lab.folder.appendingPathComponent(name)
                    try FileManager.default.copyItem(at: node.folder, to: folder)
                    return folder
                }
            }
        }

        private static func setMode(_ mode: Int, _ path: String) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }

        @Test func twoDaemonsNeverShareAStore() async throws {
            try await Lab.run { lab in
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                let holder = "process \(try #require(node.child).processID)"
                try await Self.refuses(
                    node.folder,
                    .start("uses this message store already: \(holder)", "If that is your node"),
                    "a second daemon",
                    in: lab
                )
                #expect(try await node.status().name == "Ada")
                #expect(FileManager.default.fileExists(atPath: node.socketPath))
            }
        }

        @Test func aDamagedIdentity() async throws {
            try await Self.withFolder { lab, copy in
                for (number, text) in ["", "junk\n", "parlance-identity-1 00ff\n"].enumerated() {
                    let folder = try copy("damaged\(number)")
                    let file = folder.appendingPathComponent("identity")
                    try Data(text.utf8).write(to: file)
                    try Self.setMode(0o600, file.path)
                    try await Self.refuses(
                        folder,
                        .start("identity file \(file.path) is damaged", "Put a copy of it back"),
                        "identity \"\(text)\"",
                        in: lab
                    )
                    #expect(try Data(contentsOf: file) == Data(text.utf8))
                }
            }
        }

        @Test func anIdentityThatOthersCanRead() async throws {
            try await Self.withFolder { lab, copy in
                let folder = try copy("open")
                let file = folder.appendingPathComponent("identity").path
                for mode in [0o644, 0o640, 0o604] {
                    try Self.setMode(mode, file)
                    try await Self.refuses(
                        folder,
                        .start("can be read by others", "chmod 600 \(file)"),
                        "mode \(String(mode, radix: 8))",
                        in: lab
                    )
                }
            }
        }

        @Test func aLostIdentityIsNotReplaced() async throws {
            try await Self.withFolder { lab, copy in
                let folder = try copy("lost")
                let file = folder.appendingPathComponent("identity")
                try FileManager.default.removeItem(at: file)
                try await Self.refuses(
                    folder,
                    .start("Put the identity file back"),
                    "a store without identity",
                    in: lab
                )
                // A new identity would be in the way of the file that must be put back.
                #expect(!FileManager.default.fileExists(atPath: file.path))
            }
        }

        @Test func aStoreOfANewerVersion() async throws {
            try await Self.withFolder { lab, copy in
                let folder = try copy("newer")
                let file = folder.appendingPathComponent("store.sqlite").path
                let script =
                    "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('PRAGMA user_version=99'); c.close()"
                let python = try await lab.run(try Programs.system("python3"), ["-c", script, file])
                try #require(python.code == 0, "\(python.errors)")
                let before = try Data(contentsOf: URL(fileURLWithPath: file))
                try await Self.refuses(
                    folder,
                    .start("written by a newer Parlance", "version 99", "Update Parlance"),
                    "a newer store",
                    in: lab
                )
                #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
            }
        }

        @Test func aStoreThatIsNone() async throws {
            try await Self.withFolder { lab, copy in
                let seed = UInt64.random(in: 1 ... .max)
                var random = SeededGenerator(seed: seed)
                let folder = try copy("junk")
                let file = folder.appendingPathComponent("store.sqlite")
                for name in ["store.sqlite-wal", "store.sqlite-shm"] {
                    try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
                }
                try Data(random.bytes(20_000)).write(to: file)
                try await Self.refuses(
                    folder,
                    .start("message store could not be read", "backup"),
                    "random bytes as a store, seed \(seed)",
                    in: lab
                )
            }
        }

        @Test func aStoreOfSomebodyElse() async throws {
            try await Self.withFolder { lab, copy in
                let other = LabNode.onLoopback(lab, "Eve", port: try Lab.freePort())
                try await other.start()
                #expect(try await other.end(SIGTERM) == 0)
                let folder = try copy("mixed")
                let file = folder.appendingPathComponent("identity")
                try FileManager.default.removeItem(at: file)
                try FileManager.default.copyItem(at: other.folder.appendingPathComponent("identity"), to: file)
                try await Self.refuses(
                    folder,
                    .start("message store belongs to the identity", "Put the identity file back"),
                    "somebody else's store",
                    in: lab
                )
            }
        }

        @Test func aPlaceWhereNoFolderCanBe() async throws {
            try await Lab.run { lab in
                let file = lab.folder.appendingPathComponent("file")
                try Data("x".utf8).write(to: file)
                try await Self.refuses(file, .start("The data folder \(file.path)", "--data-dir"), "a file", in: lab)
                let below = file.appendingPathComponent("data")
                try await Self.refuses(
                    below,
                    .start("The data folder \(below.path)", "--data-dir"),
                    "below a file",
                    in: lab
                )
            }
        }

        @Test func aLinkIsRefusedBeforeAnythingIsWritten() async throws {
            try await Lab.run { lab in
                let behind = lab.folder.appendingPathComponent("behind")
                try FileManager.default.createDirectory(at: behind, withIntermediateDirectories: false)
                let link = lab.folder.appendingPathComponent("link")
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: behind)
                let refusal = Refusal.start("The data folder \(link.path)", "is a link", "--data-dir \(behind.path)")
                for end in ["", "/", "/.", "//./"] {
                    let outcome = try await lab.parlanced(["--data-dir", link.path + end, "--port", "0"])
                    refusal.check(outcome, of: "a link with \"\(end)\"")
                    let made = try await lab.parlanced(["--data-dir", link.path + end, "--init"])
                    refusal.check(made, of: "--init with \"\(end)\"")
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: behind.path).isEmpty)
                try FileManager.default.removeItem(at: behind)
                try await Self.refuses(link, .start("is a link", "leads nowhere"), "a link to nothing", in: lab)
                #expect(!FileManager.default.fileExists(atPath: behind.path))
            }
        }

        @Test func aFolderThatOthersCanWriteToIsTakenFromThem() async throws {
            try await Lab.run { lab in
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try FileManager.default.createDirectory(at: node.folder, withIntermediateDirectories: false)
                try Self.setMode(0o777, node.folder.path)
                try await node.start()
                #expect(try permissions(node.folder.path) == 0o700)
                for name in ["identity", "store.sqlite", "control.sock", "control.path", "store.lock"] {
                    let mode = try permissions(node.folder.appendingPathComponent(name).path)
                    #expect(mode & 0o077 == 0, "\(name) has mode \(String(mode, radix: 8))")
                }
            }
        }
    }
}
