import Foundation
import ParlanceControl
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
