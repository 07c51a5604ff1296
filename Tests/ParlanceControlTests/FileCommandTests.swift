import Foundation
import ParlanceErrorCode
import ParlanceWords
import Synchronization
import Testing

@testable import ParlanceControl
@testable import parlance

/// Files on the command line, against a real socket.
@Suite(.timeLimit(.minutes(30))) struct FileCommandTests {
    /// A folder that is removed with this object.
    private final class Folder {
        let path = NSTemporaryDirectory() + "/parlance-command-\(UUID().uuidString)"

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func put(_ text: String, _ name: String) throws -> String {
            let url = URL(fileURLWithPath: path + "/" + name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: url)
            return url.path
        }

        func text(_ name: String) -> String? { try? String(contentsOfFile: path + "/" + name, encoding: .utf8) }

        var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
    }

    private func run(
        _ arguments: [String],
        _ fixture: ServerFixture,
        input: String? = nil
    ) async throws -> CommandTests.Outcome {
        try await CommandTests.run(arguments, socket: fixture.path, input: input)
    }

    @Test func aFileIsSentWithATextOrWithout() async throws {
        let folder = try Folder()
        let (one, other) = (try folder.put("one", "a b.txt"), try folder.put("other", "plan.odt"))
        try await ServerFixture.with { fixture in
            let sent = try await run(["send", "Bob", "--file", one, "--file=" + other, "Here", "they", "are"], fixture)
            #expect(sent.code == 0, "\(sent.errors)")
            let before = try await run(["send", "--file", one, "Bob"], fixture)
            #expect(before.code == 0, "\(before.errors)")
            let text = try await run(["send", "Bob", "--file", one, "--text", "A text"], fixture)
            #expect(text.code == 0, "\(text.errors)")
            fixture.node.state.withLock { state in
                #expect(state.messages.map(\.text) == ["Here they are", "", "A text"])
                #expect(state.sent.map(\.name) == ["a b.txt", "plan.odt", "a b.txt", "a b.txt"])
                #expect(state.added == ["one", "other", "one", "one"].map { Array($0.utf8) })
                // Whoever is called Bob once the file is copied.
                #expect(state.changed == [TestNode.bob.id])
            }
            let reply = try await run(["reply", "m1", "--file", other, "This", "one"], fixture)
            #expect(reply.code == 0, "\(reply.errors)")
            fixture.node.state.withLock { state in
                #expect(state.messages.last?.text == "re m1: This one" && state.sent.last?.name == "plan.odt")
            }
            // A -- begins the text.
            #expect(try await run(["send", "Bob", "--", "--file", "x"], fixture).code == 0)
            #expect(fixture.node.state.withLock { $0.messages.last?.text } == "--file x")
        }
    }

    @Test func standardInputAndFoldersAreSent() async throws {
        let folder = try Folder()
        _ = try folder.put("x", "src/main.c")
        try await ServerFixture.with { fixture in
            let piped = try await run(["send", "Bob", "--file", "-", "--name", "ps.txt"], fixture, input: "1 init\n")
            #expect(piped.code == 0, "\(piped.errors)")
            let packed = try await run(["send", "Bob", "--file", folder.path + "/src/"], fixture)
            #expect(packed.code == 0, "\(packed.errors)")
            fixture.node.state.withLock { state in
                #expect(state.sent.map(\.name) == ["ps.txt", "src"])
                #expect(state.sent.map(\.folder) == [nil, true])
                #expect(state.added.first == Array("1 init\n".utf8))
                #expect(state.added.last?.suffix(1) == Array("x".utf8)[...])
            }
        }
    }

    @Test func whatCannotBeSentIsSaidAndNothingIs() async throws {
        let folder = try Folder()
        let good = try folder.put("x", "good")
        let large = try folder.put(String(repeating: "x", count: 2_000), "large")
        try await ServerFixture.with { fixture in
            let missing = try await run(["send", "Bob", "--file", good, "--file", folder.path + "/no"], fixture)
            #expect(missing.code == 1 && missing.errors.contains("There is no file \(folder.path)/no."))
            let device = try await run(["send", "Bob", "--file", "/dev/null"], fixture)
            #expect(device.code == 1 && device.errors.contains("/dev/null is a device"), "\(device.errors)")
            let refused = try await run(["send", "Bob", "--file", large], fixture)
            #expect(refused.code == 65 && refused.errors.contains("larger than 1000 B"), "\(refused.errors)")
            for usage in [
                ["send", "Bob", "--file", good, "--text", "a", "b"], ["send", "Bob", "--file"],
                ["send", "Bob", "--name", "x"],
                ["send", "Bob", "--file", "-"], ["send", "Bob", "--file", "-", "--name", "x", "-"],
            ] {
                #expect(try await run(usage, fixture).code == 64, "\(usage)")
            }
            #expect(fixture.node.state.withLock { $0.messages.isEmpty && $0.added.isEmpty })
        }
    }

    @Test func filesAreListedAndSteered() async throws {
        try await ServerFixture.with { fixture in
            let list = try await run(["files"], fixture)
            #expect(list.output.contains("di5n2g6l  report.pdf  6 B"), "\(list.output)\(list.errors)")
            #expect(list.output.contains("paused, 50 %"), "\(list.output)")
            #expect(try await run(["files", "Nobody"], fixture).output.hasPrefix("No files yet."))
            for (command, words) in [
                ("pause", "Paused: report.pdf.\n"), ("resume", "Going on: report.pdf.\n"),
                ("cancel", "Cancelled: report.pdf.\n"), ("retry", "Trying again: report.pdf.\n"),
            ] {
                #expect(try await run(["files", command, "di5n2g6l"], fixture).output == words)
            }
        }
    }

    @Test func aFileIsFetchedAndSavedWithoutReplacingAnything() async throws {
        let folder = try Folder()
        let shelf = try folder.put("hello\n", "shelf/file")
        _ = try folder.put("mine", "to/report.pdf")
        try await ServerFixture.with { fixture in
            fixture.node.state.withLock { state in
                state.news = [TestFiles.event(.fetching, 0), TestFiles.event(.fetching, 3), TestFiles.event(.here, 6)]
                state.arrives = shelf
            }
            let fetched = try await run(["fetch", "di5n2g6l", "--to", folder.path + "/to"], fixture)
            #expect(fetched.code == 0, "\(fetched.errors)")
            #expect(fetched.output.hasSuffix("Saved: \(folder.path)/to/report (2).pdf (6 B)\n"), "\(fetched.output)")
            #expect(folder.text("to/report (2).pdf") == "hello\n" && folder.text("to/report.pdf") == "mine")
            // It is here now, and goes where the user says.
            let exact = try await run(["fetch", "di5n2g6l", "--to", folder.path + "/mine.pdf", "--json"], fixture)
            #expect(exact.code == 0 && exact.output.contains(#""type":"saved""#), "\(exact.output)\(exact.errors)")
            #expect(folder.text("mine.pdf") == "hello\n")
            #expect(try await run(["fetch", "di5n2g6l", "--to", folder.path + "/mine.pdf"], fixture).code == 65)
            #expect(symlink("away", folder.path + "/link") == 0)
            let link = try await run(["fetch", "di5n2g6l", "--to", folder.path + "/link"], fixture)
            #expect(link.code == 65 && link.errors.contains("is a link"), "\(link.errors)")
            #expect(folder.names == ["link", "mine.pdf", "shelf", "to"])
        }
    }

    /// A folder that is missing is said before anything is fetched; a name without a slash may be meant as a file's.
    @Test func aFolderThatIsMissingIsNamed() async throws {
        let folder = try Folder()
        let shelf = try folder.put("hello\n", "shelf/file")
        try await ServerFixture.with { fixture in
            fixture.node.state.withLock { $0.whole[TestFiles.file.file] = shelf }
            for (place, missing) in [("none/", "none"), ("none/report.pdf", "none"), ("none/deep/", "none/deep")] {
                let outcome = try await run(["fetch", "di5n2g6l", "--to", "\(folder.path)/\(place)"], fixture)
                #expect(outcome.code == 1 && outcome.output.isEmpty, "\(outcome.output)")
                let words = "The folder \"\(folder.path)/\(missing)\" does not exist, so nothing can be saved there."
                #expect(outcome.errors.contains(words), "\(outcome.errors)")
                #expect(outcome.errors.contains("Nothing was fetched. Make the folder first"), "\(outcome.errors)")
            }
            let within = try await run(["fetch", "di5n2g6l", "--to", folder.path + "/shelf/file/x"], fixture)
            #expect(within.errors.contains("\(folder.path)/shelf/file is not a folder"), "\(within.errors)")
            #expect(folder.names == ["shelf"])
            let named = try await run(["fetch", "di5n2g6l", "--to", folder.path + "/Downloads"], fixture)
            #expect(named.code == 0 && folder.text("Downloads") == "hello\n", "\(named.errors)")
            #expect(named.errors.contains("There was no folder Downloads, so the file"), "\(named.errors)")
        }
    }

    @Test func whatIsNotTheFileIsNotSaved() async throws {
        let folder = try Folder()
        let shelf = try folder.put("hallo\n", "shelf/file")
        try await ServerFixture.with { fixture in
            fixture.node.state.withLock { $0.whole[TestFiles.file.file] = shelf }
            let outcome = try await run(["fetch", "di5n2g6l", "--to", folder.path], fixture)
            #expect(outcome.code == 1 && outcome.errors.contains("damaged on the disk"), "\(outcome.errors)")
            #expect(folder.names == ["shelf"])
        }
    }

    @Test func aFileThatDoesNotComeIsSaid() async throws {
        try await ServerFixture.with { fixture in
            fixture.node.state.withLock { $0.news = [TestFiles.event(.fetching, 0), TestFiles.event(.failed, 3)] }
            let failed = try await run(["fetch", "di5n2g6l"], fixture)
            #expect(failed.code == 1)
            // It is said only if the wait lasts.
            #expect(!failed.output.contains("Waiting"), "\(failed.output)")
            #expect(failed.errors.contains("could not be fetched: those who have it sent wrong bytes."))
            let asked = try await run(["fetch", "di5n2g6l", "--no-wait"], fixture)
            #expect(asked.code == 0 && asked.output == "report.pdf, 6 B (fetching)\n", "\(asked.output)\(asked.errors)")
        }
    }

    @Test func bothNamesOfTheSameBytesAreSaved() async throws {
        let folder = try Folder()
        let shelf = try folder.put("hello\n", "shelf/file")
        _ = try folder.put("", "to/keep")
        try await ServerFixture.with { fixture in
            var other = TestFiles.entry(.here)
            other.file.name = "copy.pdf"
            fixture.node.state.withLock { [other] state in
                state.fetched = [TestFiles.entry(.here), other]
                state.whole[TestFiles.file.file] = shelf
            }
            let outcome = try await run(["fetch", "di5n2g6l", "--to", folder.path + "/to"], fixture)
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(folder.text("to/report.pdf") == "hello\n" && folder.text("to/copy.pdf") == "hello\n")
        }
    }

    @Test func aFileThatCannotBeSavedDoesNotHoldUpTheOthers() async throws {
        let folder = try Folder()
        let shelf = try folder.put("hello\n", "shelf/file")
        _ = try folder.put("", "to/keep")
        try await ServerFixture.with { fixture in
            var missing = TestFiles.entry(.here)
            missing.file.file = String(repeating: "a", count: 52)
            missing.file.name = "gone.pdf"
            fixture.node.state.withLock { [missing] state in
                state.fetched = [missing, TestFiles.entry(.here)]
                state.whole[TestFiles.file.file] = shelf
            }
            let outcome = try await run(["fetch", "di5n2g6l", "--to", folder.path + "/to"], fixture)
            #expect(outcome.code != 0 && outcome.errors.contains("1 of 2 files were not saved."), "\(outcome.errors)")
            #expect(outcome.errors.contains("This file is not on this computer as a whole. Fetch it."))
            #expect(folder.text("to/report.pdf") == "hello\n")
            let json = try await run(["fetch", "di5n2g6l", "--to", folder.path + "/to", "--json"], fixture)
            #expect(json.code == outcome.code && json.output.contains(#""type":"notSaved""#), "\(json.output)")
        }
    }

    @Test func aFileThatTheNodeRefusesDoesNotHoldUpTheOthers() async throws {
        let folder = try Folder()
        let shelf = try folder.put("hello\n", "shelf/file")
        _ = try folder.put("", "to/keep")
        try await ServerFixture.with { fixture in
            var large = TestFiles.file
            large.name = "film.mp4"
            let error = ControlError(.invalidValue, "film.mp4 is too large.", advice: "Allow larger files.")
            fixture.node.state.withLock { [large] state in
                state.fetched = [TestFiles.entry(.here)]
                state.refused = [RefusedFile(file: large, error: error)]
                state.whole[TestFiles.file.file] = shelf
            }
            let outcome = try await run(["fetch", "di5n2g6l", "--to", folder.path + "/to"], fixture)
            #expect(outcome.code == 65 && outcome.errors.contains("1 of 2 files were not saved."), "\(outcome.errors)")
            #expect(outcome.errors.contains("film.mp4 is too large. Allow larger files."), "\(outcome.errors)")
            #expect(folder.text("to/report.pdf") == "hello\n")
            let json = try await run(["fetch", "di5n2g6l", "--to", folder.path + "/to", "--json"], fixture)
            #expect(json.code == 65 && json.output.contains(#""type":"notSaved""#), "\(json.output)")
            let asked = try await run(["fetch", "di5n2g6l", "--no-wait"], fixture)
            #expect(asked.code == 65 && asked.output == "report.pdf, 6 B (here: parlance fetch di5n2g6l)\n")
            #expect(asked.errors.contains("film.mp4 is too large. Allow larger files."), "\(asked.errors)")
            #expect(asked.errors.contains("1 of 2 files are not fetched."), "\(asked.errors)")
        }
    }

    @Test func whatIsLargerThanTheNodeTakesIsNotCopied() async throws {
        let folder = try Folder()
        let large = try folder.put(String(repeating: "x", count: 501), "large")
        try await ServerFixture.with { fixture in
            fixture.node.state.withLock { $0.fileLimit = 500 }
            let file = try await run(["send", "Bob", "--file", large], fixture)
            #expect(file.code != 0 && file.errors.contains("larger than your node takes: 500 B"), "\(file.errors)")
            let text = String(repeating: "x", count: 501)
            let piped = try await run(["send", "Bob", "--file", "-", "--name", "x"], fixture, input: text)
            #expect(piped.code != 0 && piped.errors.contains("larger than your node takes: 500 B"), "\(piped.errors)")
            let (added, shelf) = fixture.node.state.withLock { ($0.added, $0.shelf) }
            #expect(added.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: shelf) == [])
        }
    }

    /// Meanwhile another message may have become the last one.
    @Test func whatIsAnsweredIsFoundBeforeAFileIsCopied() async throws {
        let folder = try Folder()
        let file = try folder.put("x", "plan.odt")
        try await ServerFixture.with { fixture in
            let outcome = try await run(["reply", "nothing1", "--file", file, "text"], fixture)
            #expect(outcome.code != 0 && outcome.errors.contains("There is no such message."), "\(outcome.errors)")
            #expect(fixture.node.state.withLock { $0.prepared } == 0)
        }
    }

    @Test func namesOfOthersSteerNoTerminal() {
        var message = MessageInfo(
            id: "m1",
            conversation: "c1",
            sender: "b",
            senderName: "Bob",
            mine: false,
            text: "",
            time: ControlTime(milliseconds: 0)
        )
        var file = FileInfo(file: "3f2a91c0aaaa", name: "a\u{1B}[2J\u{202E}gpj.exe", size: 1_258_291, state: .offered)
        (file.width, file.height) = (4_000, 3_000)
        message.files = [file]
        let clock = LocalClock(now: ControlTime(milliseconds: 0)) { _ in 0 }
        let lines = MessageLines(nameWidth: 3, clock: clock, style: TextStyle(isColoured: false)).lines(message)
        #expect(
            lines == [
                "00:00  Bob  a\\u{1B}[2J\\u{202E}gpj.exe, 1.2 MiB, 4000 x 3000 (offered: parlance fetch 3f2a91c0)"
            ]
        )
    }
}
