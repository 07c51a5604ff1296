import Foundation
import ParlanceControl
import Testing

extension ProgramTests {
    /// `parlance open` with a desktop whose xdg-open is a script.
    @Suite struct OpenCommandTests {
        private func open(_ script: String) async throws -> Lab.Outcome {
            let outcome = Collected()
            try await Lab.run { lab in
                let ada = LabNode.onLoopback(
                    lab,
                    "Ada",
                    port: try Lab.freePort(),
                    arguments: ["--page-port", "0"]
                )
                try await ada.start()
                _ = try await PageVisitor.link(to: ada)
                let folder = lab.folder.appendingPathComponent("bin", isDirectory: true)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let program = folder.appendingPathComponent("xdg-open").path
                let isMade = FileManager.default.createFile(
                    atPath: program,
                    contents: Data("#!/bin/bash\n\(script)\n".utf8),
                    attributes: [.posixPermissions: 0o755]
                )
                #expect(isMade)
                let words = [
                    "PATH=\(folder.path):/usr/bin:/bin", "DISPLAY=:99", try Programs.own("parlance").path, "open",
                    "--data-dir", ada.folder.path,
                ]
                await outcome.set(try await lab.run(try Programs.system("env"), words, input: Array("typed".utf8)))
            }
            return try #require(await outcome.value)
        }

        private actor Collected {
            var value: Lab.Outcome?
            func set(_ value: Lab.Outcome) { self.value = value }
        }

        @Test func aBrowserThatStaysDoesNotHoldTheCommand() async throws {
            let clock = ContinuousClock()
            let start = clock.now
            let opened = try await open(
                // Foundation takes a program for running while anything holds a descriptor that it was given.
                #"for f in /proc/$$/fd/*; do n=${f##*/}; [ $n -gt 2 ] && eval "exec $n>&-"; done; exec sleep 20"#
            )
            #expect(opened.code == 0 && opened.output == "The page opens in your browser.\n")
            #expect(clock.now - start < .seconds(15))
        }

        @Test func theBrowserReadsNothingAndHasASessionOfItsOwn() async throws {
            let opened = try await open(#"[ -z "$(cat)" ] && [ "$(ps -o sid= -p $$ | tr -d ' ')" = $$ ]"#)
            #expect(opened.code == 0, "\(opened.errors)")
        }

        @Test func aBrowserThatCannotOpenIsTold() async throws {
            let opened = try await open("exit 3")
            #expect(opened.code != 0 && opened.errors.contains("/launch?key="))
        }
    }
}
