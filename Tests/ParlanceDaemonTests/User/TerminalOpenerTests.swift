import Foundation
import Logging
import ParlanceTexts
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// Which command a click on a notification runs.
@Suite struct TerminalOpenerTests {
    private let bob = NotificationBoard.Subject.conversation("c", who: "b7xq")

    /// The words of the command where these programs are installed; their folder is left out.
    private func words(
        _ programs: [String],
        _ environment: [String: String] = [:],
        for subject: NotificationBoard.Subject
    ) throws -> [String]? {
        let folder = try ScriptFolder()
        defer { folder.remove() }
        for program in programs { try folder.write(program, "true") }
        let opener = TerminalOpener(
            environment: environment.merging(["PATH": "/nowhere:\(folder.path)"]) { $1 },
            dataDirectory: "/data",
            program: folder.path + "/parlanced",
            logger: Logger(label: "test")
        )
        return opener.command(for: subject).map { $0.map { $0.replacing(folder.path + "/", with: "") } }
    }

    @Test func theTerminalOfTheUserComesFirst() throws {
        let chat = ["parlance", "chat", "--data-dir", "/data", "b7xq"]
        #expect(try words([], for: bob) == nil)
        #expect(try words(["xterm"], for: bob) == ["xterm", "-e"] + chat)
        #expect(try words(["xterm", "x-terminal-emulator"], for: bob) == ["x-terminal-emulator", "-e"] + chat)
        let all = ["xterm", "x-terminal-emulator", "gnome-terminal", "own"]
        #expect(try words(all, ["TERMINAL": "own"], for: bob) == ["own", "-e"] + chat)
        #expect(try words(all, ["TERMINAL": "gnome-terminal"], for: bob) == ["gnome-terminal", "--"] + chat)
        #expect(try words(all, ["TERMINAL": "gone"], for: bob) == ["x-terminal-emulator", "-e"] + chat)
        #expect(try words(["foot", "parlance"], for: .requests) == ["foot"] + chat.dropLast())
    }

    /// A service sees no screen, and its walls would stand around the terminal.
    @Test func aServiceLetsSystemdStartIt() throws {
        let service = ["INVOCATION_ID": "1"]
        let run = ["systemd-run", "--user", "--collect", "--quiet", "--"]
        let chat = ["xterm", "-e", "parlance", "chat", "--data-dir", "/data"]
        #expect(try words(["xterm", "systemd-run"], service, for: .requests) == run + chat)
        #expect(try words(["xterm"], service, for: .requests) == chat)
        #expect(try words(["xterm", "systemd-run"], for: .requests) == chat)
    }
}
