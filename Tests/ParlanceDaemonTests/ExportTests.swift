import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// Whole conversations out of a real node.
    @Suite struct ExportTests {
        private static func lines(_ file: URL, _ type: String) throws -> [JSON] {
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
                let value = try JSONParser.parse(Array(line.utf8))
                return value["type"] == .string(type) ? value["data"] : nil
            }
        }

        @Test func anExportIsTheWholeHistory() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab, "Night watch")
                // More than two pages, among them long texts, which end a page early.
                let long = String(repeating: "long ", count: 12_000)
                for number in 1...230 {
                    try await crew.ada.send(number % 20 == 0 ? long : "text \(number)", to: "Night watch")
                }
                let first = try await crew.ada.send("a typo", to: "Night watch")
                try await crew.ada.ask(EditOperation(id: first.id, text: "no typo"))
                let gone = try await crew.ada.send("too much", to: "Night watch")
                try await crew.ada.ask(DeleteOperation(id: gone.id))
                try await crew.ada.ask(ReactOperation(id: first.id, emoji: "👍"))
                let file = lab.folder.appendingPathComponent("out.jsonl")
                let made = try await crew.ada.parlance(
                    "export",
                    "Night watch",
                    "--format",
                    "json",
                    "--output",
                    file.path
                )
                #expect(made.code == 0, "\(made.errors)")
                let expected = try await crew.ada.history(with: "Night watch")
                #expect(expected.count > 232)
                let exported = try Self.lines(file, "message")
                #expect(exported.map { $0["id"]?.text } == expected.map(\.id))
                #expect(exported.map { $0["text"]?.text } == expected.map(\.text))
                #expect(exported.contains { $0["deleted"] != nil } && exported.contains { $0["versions"] != nil })
                #expect(try Self.lines(file, "end")[0]["messages"] == .integer(Int64(expected.count)))

                let text = lab.folder.appendingPathComponent("out.txt")
                #expect(try await crew.bob.parlance("export", "--output", text.path).code == 0)
                let told = try String(contentsOf: text, encoding: .utf8)
                #expect(told.contains("\nNight watch\n===========\nA group with 3 members\n"))
                #expect(told.contains("\nAda\n===\n") && !told.contains("\nCleo\n====\n"))
            }
        }

        /// Both wait for a daemon that hangs when the signal comes.
        @Test(arguments: ["export", "backup"], [SIGINT, SIGTERM, SIGHUP])
        func aSignalLeavesNoPartOfAFile(command: String, signal: Int32) async throws {
            try await Lab.run { lab in
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                node.child?.signal(SIGSTOP)
                let file = lab.folder.appendingPathComponent("out").path
                let words = command == "export" ? ["--output", file] : [file]
                let program = try Programs.own("parlance")
                let child = try lab.start(program, [command, "--data-dir", node.folder.path] + words, name: command)
                try await eventually("the file is begun") { FileManager.default.fileExists(atPath: file + ".new") }
                child.signal(signal)
                #expect(try await child.ended() == 128 + signal)
                lab.reaper.ended(child)
                let left = try FileManager.default.contentsOfDirectory(atPath: lab.folder.path)
                #expect(!left.contains { $0.hasPrefix("out") }, "\(left)")
                node.child?.signal(SIGCONT)
            }
        }

        @Test func aPageIsAfterAMessageOrBeforeOne() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                for number in 1...5 { try await pair.ada.send("\(number)", to: "Bob") }
                func page(_ operation: HistoryOperation) async throws -> HistoryReply {
                    try await pair.ada.ask(operation)
                }
                let first = try await page(HistoryOperation(who: "Bob", after: "", limit: 2))
                #expect(first.messages.map(\.text) == ["first contact", "1"] && first.more)
                let next = try await page(HistoryOperation(who: "Bob", after: first.messages[1].id, limit: 4))
                #expect(next.messages.map(\.text) == ["2", "3", "4", "5"] && !next.more)
                let last = next.messages[3].id
                let prefix = String(last.prefix(12))
                #expect(try await page(HistoryOperation(who: "Bob", after: prefix)).messages.isEmpty)
                for wrong in [
                    HistoryOperation(who: "Bob", before: last, after: last),
                    HistoryOperation(who: "Bob", before: last, unread: true),
                    HistoryOperation(who: "Bob", after: "aaaaaaaa"),
                    HistoryOperation(who: "Bob", before: ""),
                ] {
                    await #expect(throws: ControlFailure.self) { try await page(wrong) }
                }
            }
        }

        @Test func aPageIsAroundTheFirstUnreadMessage() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                for number in 1...9 { try await pair.ada.send("\(number)", to: "Bob") }
                try await eventually("Bob has all") { try await pair.bob.history(with: "Ada").last?.text == "9" }
                let here = try await pair.bob.ask(HistoryOperation(who: "Ada", after: ""))
                let third = try #require(here.messages.first { $0.text == "3" }).id
                _ = try await pair.bob.ask(ReadOperation(who: "Ada", through: third))
                let page = try await pair.bob.ask(HistoryOperation(who: "Ada", unread: true, limit: 3))
                #expect(page.messages.map(\.text) == ["3", "4", "5"] && page.more && page.newer == true)
                #expect(page.messages.map(\.unread) == [nil, true, true])
                _ = try await pair.bob.ask(ReadOperation(who: "Ada"))
                let end = try await pair.bob.ask(HistoryOperation(who: "Ada", unread: true, limit: 3))
                #expect(end.messages.map(\.text) == ["7", "8", "9"] && end.more && end.newer == nil)
            }
        }
    }
}
