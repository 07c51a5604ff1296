import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// Another user of the same machine.
    @Suite(.enabled(if: geteuid() == 0, "only root can run a program as another user")) struct OtherUserTests {
        /// Runs a program as the user `nobody`, without groups.
        private func asNobody(_ lab: Lab, _ program: String, _ arguments: [String]) async throws -> Int32 {
            let drop = ["--reuid=65534", "--regid=65534", "--clear-groups", "--", program]
            let child = try lab.start(try Programs.system("setpriv"), drop + arguments, name: "nobody")
            return try await child.ended()
        }

        /// Root's command finds a socket that somebody else put where it looks: nothing is sent there.
        @Test func rootTalksToAnotherUserOnlyWhenToldTo() async throws {
            try await Lab.run { lab in
                let place = lab.folder.appendingPathComponent("theirs").path
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
                _ = chmod(lab.folder.path, 0o755)
                _ = chmod(place, 0o777)
                let (socket, heard) = (place + "/control.sock", place + "/heard")
                let serve = """
                    import socket, sys
                    s = socket.socket(socket.AF_UNIX)
                    s.bind(sys.argv[1] + ".new")
                    s.listen(8)
                    import os; os.rename(sys.argv[1] + ".new", sys.argv[1])
                    while True:
                        c = s.accept()[0]
                        text = c.makefile().readline()
                        if text: open(sys.argv[2], "a").write(text)
                        c.close()
                    """
                let drop = ["--reuid=65534", "--regid=65534", "--clear-groups", "--", "/usr/bin/python3", "-c", serve]
                _ = try lab.start(try Programs.system("setpriv"), drop + [socket, heard], name: "server")
                try await eventually("the other user serves") { FileManager.default.fileExists(atPath: socket) }
                let refusal = Refusal(code: 2, says: ["served by another user", "--any-user"])
                for words in [["status"], ["config", "list"], ["backup", place + "/copy"]] {
                    let outcome = try await lab.parlance(words + ["--socket", socket])
                    refusal.check(outcome, of: words.joined(separator: " "))
                    #expect(!FileManager.default.fileExists(atPath: heard), "nothing was sent to the other user")
                    let told = try await lab.parlance(words + ["--socket", socket, "--any-user"])
                    #expect(!told.errors.contains("another user"), "\(told.errors)")
                    #expect(FileManager.default.fileExists(atPath: heard), "\(words)")
                    try FileManager.default.removeItem(atPath: heard)
                }
            }
        }

        /// As after `sudo chown nobody config.yaml`: the file is theirs, and its group is root's.
        @Test func aFileWhoseGroupIsNotTheUsersIsChanged() async throws {
            try await Lab.run { lab in
                let place = lab.folder.appendingPathComponent("theirs").path
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
                _ = chmod(lab.folder.path, 0o755)
                let file = place + "/config.yaml"
                try Data("notify: all\n".utf8).write(to: URL(fileURLWithPath: file))
                try #require(chmod(file, 0o640) == 0 && chown(file, 65_534, 0) == 0)
                try #require(chown(place, 65_534, 65_534) == 0)
                let daemon = try Programs.own("parlanced").path
                // Another user may not reach the programs that were built here.
                guard try await asNobody(lab, daemon, ["--version"]) == 0 else { return }
                let change = ["config", "set", "--data-dir", place, "--config", file, "--", "log-level", "debug"]
                #expect(try await asNobody(lab, daemon, change) == 0)
                var status = stat()
                try #require(stat(file, &status) == 0)
                #expect(status.st_uid == 65_534 && status.st_gid == 65_534 && status.st_mode & 0o777 == 0o600)
                #expect(try String(contentsOfFile: file, encoding: .utf8).contains("log-level: debug"))
            }
        }

        @Test func anotherUserGetsNeitherFilesNorAnswers() async throws {
            try await Lab.run { lab in
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await ada.start()
                // This test is about the node's own files, so the folder above them is opened.
                _ = chmod(lab.folder.path, 0o755)
                let python = try Programs.system("python3").path
                let talk = """
                    import socket, sys
                    s = socket.socket(socket.AF_UNIX)
                    s.settimeout(10)
                    try:
                        s.connect(sys.argv[1])
                    except PermissionError:
                        sys.exit(4)
                    try:
                        s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"id"}\\n')
                        answer = s.makefile().readline()
                    except (BrokenPipeError, ConnectionResetError):
                        answer = ""
                    sys.exit(3 if '"result"' in answer else 0)
                    """
                let cat = try Programs.system("cat").path
                #expect(try await asNobody(lab, cat, ["/etc/hostname"]) == 0, "the other user can run programs")
                for name in ["identity", "store.sqlite"] {
                    let file = ada.folder.appendingPathComponent(name).path
                    #expect(FileManager.default.fileExists(atPath: file))
                    #expect(try await asNobody(lab, cat, [file]) == 1, "\(name)")
                }
                #expect(
                    try await asNobody(lab, python, ["-c", talk, ada.socketPath]) == 4,
                    "the socket is out of reach"
                )
                // If the permissions of the files were opened too, the daemon still checks which user connects.
                _ = chmod(ada.folder.path, 0o755)
                _ = chmod(ada.socketPath, 0o666)
                #expect(try await asNobody(lab, python, ["-c", talk, ada.socketPath]) == 0)
                #expect(try await ada.status().name == "Ada")
            }
        }
    }
}
