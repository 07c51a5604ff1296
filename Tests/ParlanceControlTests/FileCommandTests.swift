import Foundation
import ParlanceErrorCode
import ParlanceWaiting
import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import parlance

/// Files on the command line, against a real socket.
@Suite(.timeLimit(.minutes(30))) struct FileCommandTests {
    /// "hello" and a line feed: the ID follows from these bytes.
    private static let hello = Array("hello\n".utf8)
    private static let id = "di5n2g6l"

    /// Bob offers files to Ada in one message.
    ///
    /// - Returns: the beginning of its ID.
    private func offer(_ files: [(String, [UInt8])], _ fixture: ServerFixture) async throws -> String {
        var mentions: [FileToSend] = []
        for (name, bytes) in files { mentions.append(FileToSend(file: try await fixture.bob.put(bytes), name: name)) }
        let sent = try await fixture.bob.call(SendOperation(who: "Ada", text: "", files: mentions))
        for mention in mentions { try await fixture.ada.has(mention.file, .offered) }
        return String(sent.id.prefix(12))
    }

    /// Bob's file is here as a whole.
    private func receive(_ fixture: ServerFixture) async throws {
        let message = try await offer([("report.pdf", Self.hello)], fixture)
        _ = try await fixture.ada.call(FileFetchOperation(id: message))
        try await eventually("the file is here") {
            try await fixture.ada.call(FilesOperation()).files.allSatisfy { $0.file.state == .here }
        }
    }

    /// Other bytes stand on Ada's shelf.
    private func damage(_ file: String, _ fixture: ServerFixture) async throws {
        let found = try #require(try await fixture.ada.call(FilesOperation()).files.first { $0.file.name == file })
        try await fixture.ada.damage(found.file.file, Array("hallo\n".utf8))
    }

    /// The files that programs have written for the node and that it has not taken.
    private func incoming(_ fixture: ServerFixture) async throws -> [String] {
        let place = try await fixture.ada.call(FilePrepareOperation())
        let folder = URL(fileURLWithPath: place.path).deletingLastPathComponent().path
        return try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    @Test func aFileIsSentWithATextOrWithout() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let (one, other) = (try fixture.put("one", "a b.txt"), try fixture.put("other", "plan.odt"))
            let sent = try await fixture.run("send", "Bob", "--file", one, "--file=" + other, "Here", "they", "are")
            #expect(sent.code == 0, "\(sent.errors)")
            // Whoever is called Bob once the file is copied.
            #expect(fixture.node.asked(SendOperation.self).map(\.who) == [fixture.bob.id])
            let before = try await fixture.run("send", "--file", one, "Bob")
            #expect(before.code == 0, "\(before.errors)")
            let text = try await fixture.run("send", "Bob", "--file", one, "--text", "A text")
            #expect(text.code == 0, "\(text.errors)")
            let messages = try await fixture.ada.messages(with: "Bob")
            #expect(messages.map(\.text) == ["Here they are", "", "A text"])
            let files = messages.flatMap { $0.files ?? [] }
            #expect(files.map(\.name) == ["a b.txt", "plan.odt", "a b.txt", "a b.txt"])
            for (file, text) in zip(files, ["one", "other", "one", "one"]) {
                #expect(try await fixture.ada.bytes(of: file.file) == Array(text.utf8))
            }
            let id = try #require(messages.first).id
            let reply = try await fixture.run("reply", id, "--file", other, "This", "one")
            #expect(reply.code == 0, "\(reply.errors)")
            let answer = try await fixture.ada.messages(with: "Bob").last
            #expect(answer?.text == "This one" && answer?.files?.map(\.name) == ["plan.odt"])
            #expect(answer?.answers?.id == id)
            // A -- begins the text.
            #expect(try await fixture.run("send", "Bob", "--", "--file", "x").code == 0)
            #expect(try await fixture.texts.last == "--file x")
        }
    }

    @Test func standardInputAndFoldersAreSent() async throws {
        try await ServerFixture.with("Bob") { fixture in
            _ = try fixture.put("x", "src/main.c")
            let piped = try await fixture.run("send", "Bob", "--file", "-", "--name", "ps.txt", input: "1 init\n")
            #expect(piped.code == 0, "\(piped.errors)")
            let packed = try await fixture.run("send", "Bob", "--file", fixture.folder + "/src/")
            #expect(packed.code == 0, "\(packed.errors)")
            let files = try await fixture.ada.messages(with: "Bob").flatMap { $0.files ?? [] }
            try #require(files.map(\.name) == ["ps.txt", "src"])
            #expect(files.map(\.folder) == [nil, true])
            #expect(try await fixture.ada.bytes(of: files[0].file) == Array("1 init\n".utf8))
            #expect(try await fixture.ada.bytes(of: files[1].file).last == UInt8(ascii: "x"))
        }
    }

    @Test func whatCannotBeSentIsSaidAndNothingIs() async throws {
        try await ServerFixture.with("Bob", fileLimit: 1_000) { fixture in
            let good = try fixture.put("x", "good")
            let large = try fixture.put(String(repeating: "x", count: 2_000), "large")
            // A program may not look at the limit.
            fixture.node.change(FilePrepareOperation.self) { $0.limit = 1 << 30 }
            let missing = try await fixture.run("send", "Bob", "--file", good, "--file", fixture.folder + "/no")
            #expect(missing.code == 1 && missing.errors.contains("There is no file \(fixture.folder)/no."))
            let device = try await fixture.run("send", "Bob", "--file", "/dev/null")
            #expect(device.code == 1 && device.errors.contains("/dev/null is a device"), "\(device.errors)")
            #expect(fixture.node.asked(FileAddOperation.self).isEmpty)
            let refused = try await fixture.run("send", "Bob", "--file", large)
            #expect(refused.code == 65 && refused.errors.contains("larger than 1000 B"), "\(refused.errors)")
            for usage in [
                ["send", "Bob", "--file", good, "--text", "a", "b"], ["send", "Bob", "--file"],
                ["send", "Bob", "--name", "x"],
                ["send", "Bob", "--file", "-"], ["send", "Bob", "--file", "-", "--name", "x", "-"],
            ] {
                #expect(try await fixture.run(usage).code == 64, "\(usage)")
            }
            #expect(fixture.node.asked(FileAddOperation.self).count == 1)
            #expect(try await fixture.texts.isEmpty)
            #expect(try await incoming(fixture) == [])
        }
    }

    @Test func filesAreListedAndSteered() async throws {
        try await ServerFixture.with("Bob", "Cleo") { fixture in
            let message = try await offer([("report.pdf", Self.hello)], fixture)
            let list = try await fixture.run("files")
            #expect(list.output.contains("\(message.prefix(8))  report.pdf  6 B"), "\(list.output)\(list.errors)")
            #expect(try await fixture.run("files", "Cleo").output.hasPrefix("No files yet."))
            // A file of one chunk is never here in part.
            fixture.node.change(FilesOperation.self) { ($0.files[0].file.state, $0.files[0].file.bytes) = (.paused, 3) }
            let half = try await fixture.run("files")
            #expect(half.output.contains("paused, 50 %"), "\(half.output)")
            try await fixture.bobLeaves()
            #expect(try await fixture.run("fetch", Self.id, "--no-wait").code == 0)
            for (command, words) in [
                ("pause", "Paused: report.pdf.\n"), ("resume", "Going on: report.pdf.\n"),
                ("retry", "Trying again: report.pdf.\n"), ("cancel", "Cancelled: report.pdf.\n"),
            ] {
                let steered = try await fixture.run("files", command, Self.id)
                #expect(steered.output == words, "\(steered)")
            }
        }
    }

    @Test func aFileIsFetchedAndSavedWithoutReplacingAnything() async throws {
        try await ServerFixture.with("Bob") { fixture in
            _ = try fixture.put("mine", "to/report.pdf")
            _ = try await offer([("report.pdf", Self.hello)], fixture)
            let fetched = try await fixture.run("fetch", Self.id, "--to", fixture.folder + "/to")
            #expect(fetched.code == 0, "\(fetched.errors)")
            #expect(fetched.output.hasSuffix("Saved: \(fixture.folder)/to/report (2).pdf (6 B)\n"), "\(fetched.output)")
            #expect(fixture.text("to/report (2).pdf") == "hello\n" && fixture.text("to/report.pdf") == "mine")
            // It is here now, and goes where the user says.
            let exact = try await fixture.run("fetch", Self.id, "--to", fixture.folder + "/mine.pdf", "--json")
            #expect(exact.code == 0 && exact.output.contains(#""type":"saved""#), "\(exact.output)\(exact.errors)")
            #expect(fixture.text("mine.pdf") == "hello\n")
            #expect(try await fixture.run("fetch", Self.id, "--to", fixture.folder + "/mine.pdf").code == 65)
            #expect(symlink("away", fixture.folder + "/link") == 0)
            let link = try await fixture.run("fetch", Self.id, "--to", fixture.folder + "/link")
            #expect(link.code == 65 && link.errors.contains("is a link"), "\(link.errors)")
            #expect(fixture.names == ["link", "mine.pdf", "to"])
        }
    }

    /// A folder that is missing is said before anything is fetched; a name without a slash may be meant as a file's.
    @Test func aFolderThatIsMissingIsNamed() async throws {
        try await ServerFixture.with("Bob") { fixture in
            _ = try fixture.put("mine", "shelf/file")
            try await receive(fixture)
            for (place, missing) in [("none/", "none"), ("none/report.pdf", "none"), ("none/deep/", "none/deep")] {
                let outcome = try await fixture.run("fetch", Self.id, "--to", "\(fixture.folder)/\(place)")
                #expect(outcome.code == 1 && outcome.output.isEmpty, "\(outcome.output)")
                let words = "The folder \"\(fixture.folder)/\(missing)\" does not exist, so nothing can be saved there."
                #expect(outcome.errors.contains(words), "\(outcome.errors)")
                #expect(outcome.errors.contains("Nothing was fetched. Make the folder first"), "\(outcome.errors)")
            }
            let within = try await fixture.run("fetch", Self.id, "--to", fixture.folder + "/shelf/file/x")
            #expect(within.errors.contains("\(fixture.folder)/shelf/file is not a folder"), "\(within.errors)")
            #expect(fixture.names == ["shelf"])
            let named = try await fixture.run("fetch", Self.id, "--to", fixture.folder + "/Downloads")
            #expect(named.code == 0 && fixture.text("Downloads") == "hello\n", "\(named.errors)")
            #expect(named.errors.contains("There was no folder Downloads, so the file"), "\(named.errors)")
        }
    }

    /// What is damaged leaves the shelf, so that it can be fetched again.
    @Test func whatIsNotTheFileIsNotSaved() async throws {
        try await ServerFixture.with("Bob") { fixture in
            try await receive(fixture)
            try await damage("report.pdf", fixture)
            let outcome = try await fixture.run("fetch", Self.id, "--to", fixture.folder)
            #expect(outcome.code == 1 && outcome.errors.contains("damaged on the disk"), "\(outcome.errors)")
            #expect(fixture.names == [])
            let again = try await fixture.run("fetch", Self.id, "--to", fixture.folder)
            #expect(again.code == 0 && fixture.text("report.pdf") == "hello\n", "\(again)")
        }
    }

    @Test func aFileThatDoesNotComeIsSaid() async throws {
        try await ServerFixture.with("Bob") { fixture in
            _ = try await offer([("report.pdf", Self.hello)], fixture)
            try await fixture.bobLeaves()
            let file = try #require(try await fixture.ada.call(FilesOperation()).files.first).file.file
            fixture.node.answer(FileFetchOperation.self) { [node = fixture.node] _, result in
                var event = FileEvent(file: file, conversation: "c1", state: .failed, size: 6, bytes: 3)
                event.why = "those who have it sent wrong bytes"
                node.emit(event)
                return result
            }
            let failed = try await fixture.run("fetch", Self.id)
            #expect(failed.code == 1)
            // It is said only if the wait lasts.
            #expect(!failed.output.contains("Waiting"), "\(failed.output)")
            #expect(failed.errors.contains("could not be fetched: those who have it sent wrong bytes."))
            let asked = try await fixture.run("fetch", Self.id, "--no-wait")
            #expect(asked.code == 0 && asked.output.hasPrefix("report.pdf, 6 B (waiting for Bob: "), "\(asked)")
        }
    }

    @Test func bothNamesOfTheSameBytesAreSaved() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let message = try await offer([("report.pdf", Self.hello), ("copy.pdf", Self.hello)], fixture)
            let outcome = try await fixture.run("fetch", message, "--to", fixture.folder)
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(fixture.text("report.pdf") == "hello\n" && fixture.text("copy.pdf") == "hello\n")
        }
    }

    @Test func aFileThatCannotBeSavedDoesNotHoldUpTheOthers() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let files = [("bad.pdf", Array("other\n".utf8)), ("report.pdf", Self.hello)]
            let message = try await offer(files, fixture)
            #expect(try await fixture.run("fetch", message, "--to", fixture.folder).code == 0)
            try await damage("bad.pdf", fixture)
            let outcome = try await fixture.run("fetch", message, "--to", fixture.folder)
            #expect(outcome.code != 0 && outcome.errors.contains("1 of 2 files were not saved."), "\(outcome.errors)")
            #expect(outcome.errors.contains("damaged on the disk"), "\(outcome.errors)")
            #expect(fixture.names == ["bad.pdf", "report (2).pdf", "report.pdf"])
            // It is fetched again.
            #expect(try await fixture.run("fetch", message, "--to", fixture.folder).code == 0)
            try await damage("bad.pdf", fixture)
            let json = try await fixture.run("fetch", message, "--to", fixture.folder, "--json")
            #expect(json.code == outcome.code && json.output.contains(#""type":"notSaved""#), "\(json.output)")
        }
    }

    @Test func aFileThatTheNodeRefusesDoesNotHoldUpTheOthers() async throws {
        try await ServerFixture.with("Bob", fileLimit: 1_000) { fixture in
            let files = [("film.mp4", [UInt8](repeating: 7, count: 2_000)), ("report.pdf", Self.hello)]
            let message = try await offer(files, fixture)
            let outcome = try await fixture.run("fetch", message, "--to", fixture.folder)
            #expect(outcome.code == 65 && outcome.errors.contains("1 of 2 files were not saved."), "\(outcome.errors)")
            let why =
                "film.mp4 has 2.0 KiB, which is larger than file-limit: 1000 B. Allow larger files with the setting file-limit."
            #expect(outcome.errors.contains(why), "\(outcome.errors)")
            #expect(fixture.text("report.pdf") == "hello\n")
            let json = try await fixture.run("fetch", message, "--to", fixture.folder, "--json")
            #expect(json.code == 65 && json.output.contains(#""type":"notSaved""#), "\(json.output)")
            let asked = try await fixture.run("fetch", message, "--no-wait")
            #expect(asked.code == 65 && asked.output.hasPrefix("report.pdf, 6 B (here: parlance fetch "), "\(asked)")
            #expect(asked.errors.contains(why), "\(asked.errors)")
            #expect(asked.errors.contains("1 of 2 files are not fetched."), "\(asked.errors)")
        }
    }

    @Test func whatIsLargerThanTheNodeTakesIsNotCopied() async throws {
        try await ServerFixture.with("Bob", fileLimit: 500) { fixture in
            let large = try fixture.put(String(repeating: "x", count: 501), "large")
            let file = try await fixture.run("send", "Bob", "--file", large)
            #expect(file.code != 0 && file.errors.contains("larger than your node takes: 500 B"), "\(file.errors)")
            let text = String(repeating: "x", count: 501)
            let piped = try await fixture.run("send", "Bob", "--file", "-", "--name", "x", input: text)
            #expect(piped.code != 0 && piped.errors.contains("larger than your node takes: 500 B"), "\(piped.errors)")
            #expect(fixture.node.asked(FileAddOperation.self).isEmpty)
            #expect(try await incoming(fixture) == [])
        }
    }

    /// Meanwhile another message may have become the last one.
    @Test func whatIsAnsweredIsFoundBeforeAFileIsCopied() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let file = try fixture.put("x", "plan.odt")
            let outcome = try await fixture.run("reply", "nothing1", "--file", file, "text")
            #expect(outcome.code != 0 && outcome.errors.contains("No message here has that ID."), "\(outcome.errors)")
            #expect(fixture.node.asked(FilePrepareOperation.self).isEmpty)
        }
    }

    @Test func namesOfOthersSteerNoTerminal() {
        var message = Sample.message("")
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

extension ServerFixture {
    /// Puts a file into the folder of the test.
    fileprivate func put(_ text: String, _ name: String) throws -> String {
        let url = URL(fileURLWithPath: folder + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    fileprivate func text(_ name: String) -> String? {
        try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    }

    /// What is in the folder of the test, without that of the socket.
    fileprivate var names: [String] {
        let all = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (all ?? []).filter { $0 != "sub" }.sorted()
    }
}
