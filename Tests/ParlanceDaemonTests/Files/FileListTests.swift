import Foundation
import ParlanceControl
import ParlanceErrorCode
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// Files of messages, between real daemons, with the real command.
    @Suite struct FileListTests {
        private func command(_ node: LabNode, _ words: [String]) async throws -> Lab.Outcome {
            let program = try Programs.own("parlance")
            return try await node.lab.run(program, [words[0], "--data-dir", node.folder.path] + words.dropFirst())
        }

        private func refusal(_ operation: some ControlOperation, _ node: LabNode) async -> ControlFailure? {
            await #expect(throws: ControlFailure.self) { try await node.ask(operation) }
        }

        /// A name that would be hidden is changed, of one file as of those in a folder, and both sides are told.
        @Test func aFileThatCannotKeepItsNameIsSaid() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let source = lab.folder.appending(path: ".env")
                try Data("x".utf8).write(to: source)
                let sent = try await command(pair.ada, ["send", "Bob", "--file", source.path])
                #expect(sent.code == 0 && sent.errors.contains(".env will be saved as _env"), "\(sent)")
                try await pair.ada.deliversAll()
                let file = try #require(try await pair.bob.ask(FilesOperation()).files.first?.file)
                #expect(file.name == "_env" && file.sentName == ".env")
                let place = lab.folder.appending(path: "place").path
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
                let fetched = try await command(pair.bob, ["fetch", "last", "--to", place])
                #expect(fetched.code == 0 && fetched.output.contains("Saved: \(place)/_env (1 B)"), "\(fetched)")
                #expect(fetched.errors.contains("Its sender calls it .env: not every system"), "\(fetched)")
                let json = try await command(pair.bob, ["fetch", "last", "--to", place, "--json"])
                #expect(json.output.contains(#""renamed":[{"path":".env","name":"_env"}]"#), "\(json)")
                // Who chooses the name is told nothing.
                let named = try await command(pair.bob, ["fetch", "last", "--to", place + "/mine"])
                #expect(named.code == 0 && named.errors.isEmpty, "\(named)")
            }
        }

        @Test func aFileIsSentListedAndSavedByItsSender() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let source = lab.folder.appending(path: "re\u{202E}port.txt")
                try Data("the report".utf8).write(to: source)
                let sent = try await command(pair.ada, ["send", "Bob", "--file", source.path, "Here", "it", "is"])
                #expect(sent.code == 0, "\(sent.errors)")
                // The original is not needed any more.
                try FileManager.default.removeItem(at: source)
                let files = try await pair.ada.ask(FilesOperation(who: "Bob")).files
                let file = try #require(files.first?.file)
                #expect(files.count == 1 && file.name == "report.txt" && file.size == 10 && file.state == .here)
                #expect(files.first?.sender.me == true && files.first?.title == "Bob")
                let message = try #require(try await pair.ada.history(with: "Bob").last)
                #expect(message.text == "Here it is" && message.files == [file])
                #expect(file.sentName == "re\u{202E}port.txt")
                let life = try await pair.ada.ask(InfoOperation(id: message.id))
                #expect(life.message.files == [file])

                // The other side knows it too, by the same ID.
                try await pair.ada.deliversAll()
                let offered = try #require(try await pair.bob.ask(FilesOperation()).files.first)
                #expect(offered.file.file == file.file && offered.message == message.id)
                #expect(offered.file.name == "report.txt" && offered.sender.displayName == "Ada")

                // The sender saves a copy, by the ID of the file and of the message.
                let place = lab.folder.appending(path: "saved")
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
                for id in [String(file.file.prefix(8)), String(message.id.prefix(12))] {
                    let saved = try await command(pair.ada, ["fetch", id, "--to", place.path])
                    #expect(saved.code == 0, "\(saved.errors)")
                }
                let names = try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
                #expect(names == ["report (2).txt", "report.txt"])
                #expect(FileManager.default.contents(atPath: place.path + "/report.txt") == Data("the report".utf8))
                #expect(await refusal(FilePauseOperation(id: file.file), pair.ada)?.code == "notAllowed")
            }
        }

        /// Offices have many equal templates and empty files: a file's ID is its content.
        @Test func theCommandBesideAFileSavesItUnderThatName() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                func send(_ names: String...) async throws {
                    var words = ["send", "Ada"]
                    for name in names {
                        let source = lab.folder.appending(path: name)
                        try Data("Vorlage".utf8).write(to: source)
                        words += ["--file", source.path]
                    }
                    let sent = try await command(pair.bob, words)
                    #expect(sent.code == 0, "\(sent.errors)")
                }
                try await send("Angebot.txt")
                try await send("Rechnung.txt")
                try await send("Mahnung.txt", "Gutschrift.txt")
                try await pair.bob.deliversAll()
                try await eventually("all are here") {
                    try await pair.ada.ask(FilesOperation()).files.map(\.file.state) == [.here, .here, .here, .here]
                }
                let place = lab.folder.appending(path: "saved")
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
                let files = try await pair.ada.ask(FilesOperation()).files.map(\.file)
                #expect(Set(files.map(\.file)).count == 1)
                let history = try await pair.ada.parlance("history", "Bob", "--peek").output
                let list = try await command(pair.ada, ["files"]).output
                for file in files {
                    let id = file.shortReference
                    #expect(history.contains("\(file.name), 7 B (here: parlance fetch \(id))"), "\(history)")
                    #expect(list.contains("\(id) ") && list.contains(file.name), "\(list)")
                    let saved = try await command(pair.ada, ["fetch", id, "--to", place.path])
                    #expect(saved.output.contains("/\(file.name) ") && saved.errors.isEmpty, "\(saved)")
                }
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() == [
                        "Angebot.txt", "Gutschrift.txt", "Mahnung.txt", "Rechnung.txt",
                    ]
                )
                // By the ID of the content it is one of them, and the others are named.
                let any = try await command(pair.ada, ["fetch", files[0].file, "--to", place.path + "/any"])
                let others = files.map(\.name).filter { !any.errors.contains("This is \($0).") }
                #expect(others.count == 3 && others.allSatisfy { any.errors.contains($0) }, "\(any.errors)")
                let none = try await command(pair.ada, ["fetch", files[0].reference.map { $0.dropLast() + "3" } ?? ""])
                #expect(none.errors.contains("That message has 2 files, and no file 3."), "\(none.errors)")
            }
        }

        @Test func aMessageOfSeveralFilesIsLookedAtBeforeItIsFetched() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab, arguments: ["--auto-fetch", "off"])
                var words = ["send", "Ada"]
                for name in ["one.txt", "two.txt"] {
                    let source = lab.folder.appending(path: name)
                    try Data(name.utf8).write(to: source)
                    words += ["--file", source.path]
                }
                let sent = try await command(pair.bob, words)
                #expect(sent.code == 0, "\(sent.errors)")
                try await pair.bob.deliversAll()
                let message = try #require(try await pair.ada.ask(FilesOperation()).files.first).message
                let place = lab.folder.appending(path: "name.txt").path
                let refused = try await command(pair.ada, ["fetch", message, "--to", place])
                #expect(refused.code != 0 && refused.errors.contains("The message has 2 files"), "\(refused.errors)")
                #expect(try await pair.ada.ask(FilesOperation()).files.map(\.file.state) == [.offered, .offered])
                // Neither can be paused, so that is said. The second can while it waits for Bob, and is.
                #expect(await refusal(FilePauseOperation(id: message), pair.ada) != nil)
                #expect(try await pair.bob.end(SIGTERM) == 0)
                let second = try #require(try await pair.ada.ask(FilesOperation()).files.last?.file)
                _ = try await pair.ada.ask(FileFetchOperation(id: second.file))
                let waiting = try await soon("it waits") {
                    try await pair.ada.ask(FilesOperation()).files.first { $0.file.waits == true }
                }
                #expect(waiting.file.waitsFor?.map(\.displayName) == ["Bob"])
                let paused = try await pair.ada.ask(FilePauseOperation(id: message))
                #expect(paused.files.map(\.file.state) == [.paused] && paused.files[0].file.name == second.name)
                #expect(paused.refused?.map(\.file.state) == [.offered])
            }
        }

        @Test func whatIsRefusedOfOneFileDoesNotHoldUpTheOthers() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(
                    in: lab,
                    arguments: ["--file-limit", "100 KiB", "--auto-fetch", "off"]
                )
                var words = ["send", "Ada"]
                for (name, size) in [("one.bin", 200_000), ("two.bin", 1_000), ("three.bin", 300_000)] {
                    let source = lab.folder.appending(path: name)
                    try Data(count: size).write(to: source)
                    words += ["--file", source.path]
                }
                let sent = try await command(pair.bob, words)
                #expect(sent.code == 0, "\(sent.errors)")
                try await pair.bob.deliversAll()
                let message = try #require(try await pair.ada.ask(FilesOperation()).files.first).message
                let place = lab.folder.appending(path: "to").path
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
                let fetched = try await command(pair.ada, ["fetch", message, "--to", place])
                #expect(
                    fetched.code != 0 && fetched.errors.contains("2 of 3 files were not saved."),
                    "\(fetched.errors)"
                )
                #expect(
                    fetched.errors.contains("one.bin has 195 KiB") && fetched.errors.contains("three.bin has 293 KiB")
                )
                #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["two.bin"])
                let asked = try await pair.ada.ask(FileFetchOperation(id: message))
                #expect(asked.files.map(\.file.name) == ["two.bin"])
                #expect(asked.refused?.map(\.file.name) == ["one.bin", "three.bin"])
                #expect(asked.refused?.map(\.error.code) == [.invalidValue, .invalidValue])
            }
        }

        @Test func whatIsLargerThanTheLimitIsNotFetched() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab, arguments: ["--file-limit", "100 KiB"])
                let source = lab.folder.appending(path: "large.bin")
                try Data(count: 200_000).write(to: source)
                #expect(try await command(pair.bob, ["send", "Ada", "--file", source.path]).code == 0)
                try await pair.bob.deliversAll()
                let message = try #require(try await pair.ada.ask(FilesOperation()).files.first).message
                let error = try #require(await refusal(FileFetchOperation(id: message), pair.ada))
                #expect(error.code == "invalidValue", "\(error)")
                #expect(error.message.english == "large.bin has 195 KiB, which is larger than file-limit: 100 KiB.")
                #expect(try await pair.ada.ask(FilesOperation()).files.map(\.file.state) == [.offered])
            }
        }

        @Test func whatNamesNoFileIsRefused() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let text = try await pair.ada.send("no file", to: "Bob")
                for id in ["", "abc", "zzzzzzzzzzzz", "last"] {
                    #expect(await refusal(FileFetchOperation(id: id), pair.ada)?.code == "unknownMessage", "\(id)")
                }
                #expect(await refusal(FileFetchOperation(id: text.id), pair.ada)?.code == "unknownMessage")
                #expect(try await pair.ada.ask(FilesOperation()).files.isEmpty)
                #expect(await refusal(FilesOperation(limit: 0), pair.ada)?.code == "invalidValue")
                #expect(await refusal(FilesOperation(limit: 1_001), pair.ada)?.code == "invalidValue")
                #expect(await refusal(FilesOperation(who: "Nobody"), pair.ada)?.code == "unknownPeer")
                // A file that nobody has added.
                let file = FileToSend(file: String(repeating: "a", count: 52), name: "x")
                let unknown = SendOperation(who: "Bob", text: "", files: [file])
                #expect(await refusal(unknown, pair.ada)?.code == "invalidValue")
                #expect(await refusal(SendOperation(who: "Bob", text: "", files: []), pair.ada)?.code == "emptyText")
                #expect(try await pair.ada.texts(with: "Bob") == ["first contact", "no file"])
            }
        }
    }
}
