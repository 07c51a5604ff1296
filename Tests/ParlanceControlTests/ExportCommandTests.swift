import Foundation
import ParlanceWords
import Testing

@testable import ParlanceControl

/// `parlance export` with the built command: where it writes, and what it refuses.
@Suite(.timeLimit(.minutes(30))) struct ExportCommandTests {
    private func run(_ arguments: String..., fixture: ServerFixture, locale: String? = nil) async throws
        -> CommandTests.Outcome
    {
        try await fixture.run(arguments, locale: locale)
    }

    /// Bob has written to Ada so often.
    private func withMessages(_ count: Int, _ body: (ServerFixture) async throws -> Void) async throws {
        try await ServerFixture.with("Bob") { fixture in
            for number in 1..<count {
                _ = try await fixture.bob.call(SendOperation(who: "Ada", text: "text \(number)"))
            }
            _ = try await fixture.hear("text \(count)", from: fixture.bob)
            try await body(fixture)
        }
    }

    @Test func aLongConversationIsReadFromItsBeginning() async throws {
        try await withMessages(450) { fixture in
            let text = try await run("export", "Bob", fixture: fixture)
            let told = text.output.split(separator: "\n").compactMap { line in
                line.wholeMatch(of: /\d\d:\d\d  Bob: (text \d+)/).map { String($0.1) }
            }
            #expect(told == (1...450).map { "text \($0)" })
            let file = fixture.folder + "/bob.jsonl"
            let json = try await run("export", "Bob", "Bob", "--format", "json", "--output", file, fixture: fixture)
            #expect(json.code == 0, "\(json.errors)")
            let whole = try String(contentsOfFile: file, encoding: .utf8)
            let lines = try whole.split(separator: "\n").map { try JSONParser.parse(Array($0.utf8)) }
            #expect(lines.count == 453, "the same conversation twice is one")
            #expect(lines[2]["data"]?["text"] == .string("text 1"))
            #expect(lines.last?["data"]?["messages"] == .integer(450))
            #expect(!fixture.node.called.contains("read"))
        }
    }

    @Test func aFileIsForItsOwnerAndReplacesNothingUnasked() async throws {
        try await withMessages(3) { fixture in
            let file = fixture.folder + "/bob.html"
            let made = try await run("export", "Bob", "--format", "html", "--output", file, fixture: fixture)
            #expect(
                made.output == "Exported to \(file): 1 conversation, 3 messages.\n"
                    + "Only you can read the file. It is not encrypted.\n",
                "\(made.errors)"
            )
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
            let page = try String(contentsOfFile: file, encoding: .utf8)
            #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n") && page.contains("text 3"))

            let again = try await run("export", "Bob", "--output", file, fixture: fixture)
            #expect(again.code == 65 && again.errors.contains("There is a file \(file) already."))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == page)
            let forced = try await run("export", "Bob", "--output", file, "--force", "--json", fixture: fixture)
            let report = try JSONParser.parse(Array(forced.output.utf8))
            #expect(report["messages"] == .integer(3) && report["file"] == .string(file))
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains("  Bob: text 1\n"))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: fixture.folder).sorted() == ["bob.html", "sub"]
            )
        }
    }

    @Test func whatCannotBeWrittenLeavesNothing() async throws {
        try await withMessages(1) { fixture in
            let missing = try await run("export", "Bob", "--output", fixture.folder + "/no/file", fixture: fixture)
            #expect(missing.code == 1 && missing.errors.contains("cannot be written: No such file or directory."))
            let folder = try await run("export", "Bob", "--output", fixture.folder, "--force", fixture: fixture)
            #expect(folder.code == 65 && folder.errors.contains("is a folder, a link or a device"))
            let device = try await run("export", "Bob", "--output", "/dev/null", "--force", fixture: fixture)
            #expect(device.code == 65 && FileManager.default.fileExists(atPath: "/dev/null"))
            let file = fixture.folder + "/file"
            let unknown = try await run("export", "Nobody", "--output", file, fixture: fixture)
            #expect(unknown.code == 65)
            #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder) == ["sub"])
        }
    }

    @Test(arguments: [
        ["export", "--force"], ["export", "--format", "pdf"], ["export", "--format", "html", "--json"],
    ])
    func wrongUsageIsTold(_ words: [String]) async throws {
        let outcome = try await CommandTests.run(words, socket: "/nowhere/control.sock")
        #expect(outcome.code == 64 && !outcome.errors.isEmpty)
    }

    @Test func itSpeaksGerman() async throws {
        try await withMessages(1) { fixture in
            let file = fixture.folder + "/bob.txt"
            let made = try await run("export", "Bob", "--output", file, fixture: fixture, locale: "de_DE.UTF-8")
            #expect(made.output.hasPrefix("Exportiert nach \(file): 1 Unterhaltung, 1 Nachricht.\n"), "\(made.errors)")
            let clock = LocalClock(now: .init(milliseconds: .max)) { _ in 0 }
            let time = try #require(try await fixture.ada.messages(with: "Bob").last).time
            let day = Language.$current.withValue(.german) { clock.dayName(time) }
            #expect(day.wholeMatch(of: /[A-Z][a-z]+tag, \d+\. \p{L}+ \d{4}|Mittwoch, .*/) != nil, "\(day)")
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains(day))
        }
    }

    /// Not even root can make a file in that folder.
    @Test func aDeniedFileHasItsExitCode() async throws {
        try await withMessages(1) { fixture in
            let denied = try await run("export", "Bob", "--output", "/sys/parlance.txt", fixture: fixture)
            #expect(
                denied.code == 77 && denied.errors.contains("/sys/parlance.txt cannot be written"),
                "\(denied.errors)"
            )
            let missing = try await run("export", "Bob", "--output", fixture.folder + "/no/file", fixture: fixture)
            #expect(missing.code == 1, "\(missing.errors)")
        }
    }
}
