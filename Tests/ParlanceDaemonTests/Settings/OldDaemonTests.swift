import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// `parlance config` beside a running daemon that does not do what this version does.
    @Suite struct OldDaemonTests {
        /// A daemon that knows no method; if it is given a file, it tells its settings and ends when it should read them.
        private static let daemon = """
            import json, os, socket, sys
            server = socket.socket(socket.AF_UNIX)
            server.bind(sys.argv[1])
            server.listen()
            while True:
                client, _ = server.accept()
                for line in client.makefile():
                    call = json.loads(line)
                    answer = {"jsonrpc": "2.0", "id": call["id"]}
                    if len(sys.argv) > 2 and call["method"] == "config.reload": os._exit(0)
                    if len(sys.argv) > 2:
                        answer["result"] = {"file": sys.argv[2], "running": True, "settings": []}
                    else:
                        answer["error"] = {"code": -32601, "message": "", "data": {"code": "methodNotFound"}}
                    client.sendall(json.dumps(answer).encode() + b"\\n")
            """

        private static func start(_ lab: Lab, _ file: String?) async throws -> [String] {
            let socket = lab.folder.appendingPathComponent("old.sock").path
            let words = ["-c", daemon, socket] + (file.map { [$0] } ?? [])
            _ = try lab.start(try Programs.system("python3"), words, name: "old")
            try await eventually("the socket is there") {
                (try? await ControlClient.connect(to: socket).close()) != nil
            }
            return ["--socket", socket]
        }

        @Test func aDaemonThatCannotBeAskedMustBeRestarted() async throws {
            try await Lab.run { lab in
                let file = lab.folder.appendingPathComponent(".config/parlance/config.yaml")
                let socket = try await Self.start(lab, nil)
                let get = try await lab.parlance(["config", "get", "port"] + socket)
                #expect(get.code == 0 && get.output == "4747\n", "\(get.errors)")
                let set = try await lab.parlance(["config", "set", "port", "4802"] + socket)
                #expect(set.code == 0 && set.output.contains("Written to \(file.path)."), "\(set.errors)")
                #expect(set.output.contains("must be restarted"))
                #expect(try String(contentsOf: file, encoding: .utf8) == "port: 4802\n")
            }
        }

        @Test func whatWasWrittenIsSaidEvenIfTheDaemonEnds() async throws {
            try await Lab.run { lab in
                let file = lab.folder.appendingPathComponent("config.yaml").path
                let socket = try await Self.start(lab, file)
                let set = try await lab.parlance(["config", "set", "port", "4802"] + socket)
                #expect(set.output == "Written to \(file).\n")
                #expect(set.code == 2 && set.errors.contains("closed the connection"), "\(set.errors)")
            }
        }
    }
}
