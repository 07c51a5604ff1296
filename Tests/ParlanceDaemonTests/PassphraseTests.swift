import Foundation
import ParlanceControl
import ParlanceSodium
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

extension ProgramTests {
    /// The passphrase of an identity, with the real programs.
    @Suite struct PassphraseTests {
        private static let words = "correct horse battery staple"

        private func seed(_ node: LabNode) throws -> Data {
            let text = try String(contentsOf: node.folder.appendingPathComponent("identity"), encoding: .utf8)
            let digits = try #require(text.split(whereSeparator: \.isWhitespace).last)
            return Data(try #require([UInt8](hex: String(digits))))
        }

        /// The same node, with the environment of a service that has the credential, or with a descriptor.
        private func node(_ lab: Lab, _ runner: [String] = [], _ arguments: [String] = []) throws -> LabNode {
            .onLoopback(lab, "Ada", port: try Lab.freePort(), runner: runner, arguments: arguments)
        }

        @Test func aStolenDiskDoesNotHoldTheSeed() async throws {
            try await Lab.run(limit: .seconds(90)) { lab in
                let ada = try node(lab)
                try await ada.start()
                let id = try await ada.status().peerID
                let secret = try seed(ada)
                #expect(try FolderSearch.finds(secret, in: ada.folder))
                #expect(try await ada.status().protected == false)
                Refusal.given("at least 8 bytes", "Nothing was changed")
                    .check(try await ada.parlance("passphrase", "set", input: Array("short\n".utf8)), of: "a short one")
                let set = try await ada.parlance("passphrase", "set", input: Array((Self.words + "\n").utf8))
                #expect(set.code == 0, "\(set.errors)")
                #expect(try await ada.status().protected)
                Refusal.given("not the passphrase", "Try again")
                    .check(
                        try await ada.parlance("passphrase", "remove", input: Array("wrong one\n".utf8)),
                        of: "a wrong one"
                    )
                try await ada.end(SIGTERM)
                #expect(try !FolderSearch.finds(secret, in: ada.folder), "the seed lies in the data folder")

                try await refusesToStart(ada, lab)
                // A service gets the passphrase as a credential, a script through a descriptor.
                let folder = lab.folder.appendingPathComponent("credentials")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let file = folder.appendingPathComponent("parlance-passphrase")
                try Data((Self.words + "\n").utf8).write(to: file)
                let service = try node(lab, ["env", "CREDENTIALS_DIRECTORY=\(folder.path)"])
                try await service.start()
                #expect(try await service.status().peerID == id)
                try await service.end(SIGTERM)
                let script = try node(
                    lab,
                    ["sh", "-c", "exec \"$@\" 9<'\(file.path)'", "sh"],
                    ["--passphrase-fd", "9"]
                )
                try await script.start()
                #expect(try await script.status().peerID == id)
                #expect(try !FolderSearch.finds(secret, in: script.folder))
                try await changesByDescriptor(script, lab)
                try await script.end(SIGTERM)
                try await ada.start()
                #expect(try await ada.status().peerID == id)
            }
        }

        /// The lines come through a descriptor: a new passphrase, and then none.
        private func changesByDescriptor(_ ada: LabNode, _ lab: Lab) async throws {
            let lines = lab.folder.appendingPathComponent("lines")
            let options = ["--data-dir", ada.folder.path, "--passphrase-fd", "9"]
            let new = "other words than before"
            for (verb, text) in [("set", "\(Self.words)\n\(new)\n"), ("remove", new), ("remove", "")] {
                try Data(text.utf8).write(to: lines)
                let script = ["-c", "exec \"$@\" 9<'\(lines.path)'", "sh", try Programs.own("parlance").path]
                let words = script + ["passphrase", verb] + options
                let outcome = try await lab.run(try Programs.system("sh"), words)
                #expect((outcome.code == 0) == !text.isEmpty, "\(verb): \(outcome.errors)")
            }
        }

        /// Without the passphrase the node does not start, and says what to do.
        private func refusesToStart(_ ada: LabNode, _ lab: Lab) async throws {
            let options = ["--data-dir", ada.folder.path]
            let alone = try await lab.run(
                try Programs.system("setsid"),
                ["-w", try Programs.own("parlanced").path] + options
            )
            #expect(alone.code == 1)
            #expect(
                alone.errors.contains("no terminal to ask for the passphrase")
                    && alone.errors.contains("--passphrase-fd")
            )
            let wrong = try await lab.run(
                try Programs.own("parlanced"),
                options + ["--passphrase-fd", "0"],
                input: Array("wrong one".utf8)
            )
            #expect(wrong.code == 1 && wrong.errors.contains("That is not the passphrase of this identity."))
            let closed = try await lab.parlanced(options + ["--passphrase-fd", "77"])
            #expect(
                closed.code == 64 && closed.errors.contains("77 is not an open file descriptor"),
                "\(closed.errors)"
            )
            // The command starts another program for it, whose option has another name.
            for words in [["backup", "b.backup"], ["restore", "b.backup"]] {
                let command = try await lab.run(try Programs.own("parlance"), words + ["--passphrase-fd", "77"])
                #expect(command.code == 64 && command.errors.contains("--passphrase-fd"), "\(command.errors)")
                #expect(!command.errors.contains("secret-fd"), "\(command.errors)")
            }
        }

        /// On a terminal the program asks for it, twice for a new one, and does not show it.
        @Test func theTerminalAsksAndShowsNothing() async throws {
            try await Lab.run { lab in
                let ada = try node(lab)
                let typist = """
                    import os, pty, sys
                    pid, terminal = pty.fork()
                    if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
                    shown = b""
                    for question in (b"New passphrase:", b"New passphrase again:"):
                        while question not in shown: shown += os.read(terminal, 1024)
                        os.write(terminal, b"nonsense\\x15correct horsx\\x7fe\\n")
                    try:
                        while True:
                            piece = os.read(terminal, 1024)
                            if not piece: break
                            shown += piece
                    except OSError: pass
                    sys.stdout.write(shown.decode())
                    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
                    """
                let command = [
                    try Programs.own("parlanced").path, "--init", "--passphrase", "--data-dir", ada.folder.path,
                ]
                let made = try await lab.run(try Programs.system("python3"), ["-c", typist] + command)
                #expect(made.code == 0 && made.output.contains("made: "), "\(made.output) \(made.errors)")
                #expect(!made.output.contains("horse") && !made.output.contains("nonsense"))
                let file = IdentityFile(in: ada.folder.path)
                let opened = try file.open { (isAgain: Bool) throws(DaemonError) -> SecretBytes? in
                    isAgain ? nil : SecretBytes(copying: Array("correct horse".utf8))
                }
                #expect(opened.isWrapped)
            }
        }

        @Test func anIdentityIsMadeUnderAPassphrase() async throws {
            try await Lab.run { lab in
                let ada = try node(lab)
                let options = ["--data-dir", ada.folder.path]
                let daemon = try Programs.own("parlanced")
                let input = Array(Self.words.utf8)
                let made = try await lab.run(
                    daemon,
                    ["--init", "--passphrase", "--passphrase-fd", "0"] + options,
                    input: input
                )
                #expect(made.code == 0 && made.output.hasPrefix("made: "), "\(made.errors)")
                let text = try String(contentsOf: ada.folder.appendingPathComponent("identity"), encoding: .utf8)
                #expect(text.hasPrefix("parlance-identity-2 argon2id 3 268435456 "))
                let again = try await lab.parlanced(["--init"] + options)
                #expect(again.code == 1 && again.errors.contains("There is an identity already"))
                #expect(try await lab.parlanced(["--passphrase"] + options).code == 64)
            }
        }
    }
}
