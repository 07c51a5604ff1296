import Foundation
import ParlanceControl
import Testing

extension ProgramTests {
    /// Another user of the same machine.
    @Suite struct OtherUserTests {
        /// Runs a program as the user `nobody`, without groups.
        private func asNobody(_ lab: Lab, _ program: String, _ arguments: [String]) async throws -> Int32 {
            let drop = ["--reuid=65534", "--regid=65534", "--clear-groups", "--", program]
            let child = try lab.start(try Programs.system("setpriv"), drop + arguments, name: "nobody")
            return try await child.ended()
        }

        @Test func anotherUserGetsNeitherFilesNorAnswers() async throws {
            try await Lab.run { lab in
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await ada.start()
                // This test is about the node's own files, so the folder above them is opened.
                _ = chmod(lab.folder.path, 0o755)
                let identity = ada.folder.appendingPathComponent("identity").path
                #expect(FileManager.default.fileExists(atPath: identity))
                let cat = try Programs.system("cat").path
                #expect(try await asNobody(lab, cat, ["/etc/hostname"]) == 0, "the other user can run programs")
                #expect(try await asNobody(lab, cat, [identity]) != 0)
                #expect(try await asNobody(lab, cat, [ada.folder.appendingPathComponent("store.sqlite").path]) != 0)
                let parlance = try Programs.own("parlance").path
                #expect(try await asNobody(lab, parlance, ["status", "--socket", ada.socketPath]) != 0)
                // If the permissions of the files were opened too, the daemon still checks which user connects.
                _ = chmod(ada.folder.path, 0o755)
                _ = chmod(ada.socketPath, 0o666)
                let python = try Programs.system("python3").path
                let talk = """
                    import socket, sys
                    s = socket.socket(socket.AF_UNIX)
                    s.settimeout(10)
                    s.connect(sys.argv[1])
                    try:
                        s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"id"}\\n')
                        answer = s.makefile().readline()
                    except (BrokenPipeError, ConnectionResetError):
                        answer = ""
                    sys.exit(3 if '"result"' in answer else 0)
                    """
                #expect(try await asNobody(lab, python, ["-c", talk, ada.socketPath]) == 0)
                #expect(try await ada.status().name == "Ada")
            }
        }
    }
}
