import Foundation
import ParlanceWaiting

/// A program in the place of a terminal, which notes what it was told to run.
struct FakeTerminal {
    private let program: URL
    private let note: URL

    init(in lab: Lab) throws {
        program = lab.folder.appendingPathComponent("terminal")
        note = lab.folder.appendingPathComponent("opened")
        let script =
            "#!/bin/sh\nfor word; do echo \"$word\"; done > \(note.path).new\nmv \(note.path).new \(note.path)\n"
        try Data(script.utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
    }

    /// Runs a daemon that opens this terminal.
    var runner: [String] { ["env", "-u", "INVOCATION_ID", "TERMINAL=\(program.path)"] }

    /// Waits until it is opened, and returns its arguments.
    func opened() async throws -> [String] {
        try await soon("the terminal is opened") {
            try? String(contentsOf: note, encoding: .utf8).split(separator: "\n").map(String.init)
        }
    }
}
