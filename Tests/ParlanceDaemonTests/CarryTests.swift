import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// `parlance carry` with real daemons that are never there at the same time, and a stick that anybody may have had.
    @Suite struct CarryTests {
        private static func stick(in lab: Lab) throws -> String {
            let folder = lab.folder.appending(path: "stick").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            return folder
        }

        @Test func aMessageAndItsReceiptTravelByStick() async throws {
            try await Lab.run { lab in
                let stick = try Self.stick(in: lab)
                let pair = try await Pair.meeting(in: lab)
                try await pair.bob.end(SIGTERM)
                try await pair.ada.sees("Bob", "not connected") { !$0.connected }
                let sent = try await pair.ada.send("by stick", to: "Bob")
                // Whether the keys have been exchanged depends on how long they were linked: a stick brings them, too.
                try await Self.out(pair.ada, stick)
                try await pair.ada.end(SIGTERM)
                for _ in 0..<2 {
                    try await pair.bob.start()
                    try await Self.take(pair.bob, stick)
                    try await Self.out(pair.bob, stick)
                    try await pair.bob.end(SIGTERM)
                    try await pair.ada.start()
                    try await Self.take(pair.ada, stick)
                    try await Self.out(pair.ada, stick)
                    if try await pair.ada.outbox().isEmpty { break }
                    try await pair.ada.end(SIGTERM)
                }
                #expect(try await pair.ada.outbox().isEmpty, "the receipt is back")
                let status = try await pair.ada.messages(in: "Bob").first { $0.id == sent.id }?.status
                #expect(status == .delivered)
                let again = try await pair.ada.parlance("carry", "in", stick)
                #expect(again.output == "From Bob: nothing new.\n" && again.code == 0, "\(again.errors)")
                let last = try await pair.ada.parlance("carry", "out", stick, "Bob")
                #expect(last.output == "Bob: nothing new; receipts are in the folder.\n" && last.code == 0)
                try await pair.ada.end(SIGTERM)
                try await pair.bob.start()
                #expect(try await pair.bob.texts(with: "Ada") == ["first contact", "by stick"])
            }
        }

        @Test func aHostileStickCausesErrorsAndNothingElse() async throws {
            try await Lab.run { lab in
                let stick = try Self.stick(in: lab)
                let pair = try await Pair.meeting(in: lab)
                let nothing = try await pair.ada.parlance("carry", "in", stick)
                #expect(nothing.output == "There is nothing for you in the folder \"\(stick)\".\n" && nothing.code == 0)
                let names = try await pair.ada.ask(CarryFilesOperation(who: "Bob"))
                #expect(Set(names.incoming + names.outgoing).count == 128)
                let secret = lab.folder.appending(path: "secret").path
                try Data("secret".utf8).write(to: URL(filePath: secret))
                let paths = names.incoming.map { stick + "/" + $0 }
                try Data("garbage".utf8).write(to: URL(filePath: paths[0]))
                try FileManager.default.createSymbolicLink(atPath: paths[1], withDestinationPath: secret)
                try FileManager.default.createDirectory(atPath: paths[2], withIntermediateDirectories: false)
                #expect(mkfifo(paths[3], 0o666) == 0)
                try Data(count: names.bytes + 1).write(to: URL(filePath: paths[4]))
                try FileManager.default.createSymbolicLink(atPath: paths[5], withDestinationPath: "/dev/zero")
                try Data("whatever".utf8).write(to: URL(filePath: stick + "/parlance-other"))
                let taken = try await pair.ada.parlance("carry", "in", stick)
                #expect(taken.code == 1 && taken.output == "From Bob: nothing new.\n")
                for (path, says) in zip(
                    paths,
                    [
                        "is damaged", "not an ordinary file", "not an ordinary file", "not an ordinary file",
                        "is too long",
                        "not an ordinary file",
                    ]
                ) {
                    let line = taken.errors.split(separator: "\n").first { $0.contains(path) }
                    #expect(line?.contains(says) == true, "\(taken.errors)")
                }
                // Where this node writes, nothing of that is followed or in the way.
                let own = stick + "/" + names.outgoing[0]
                try FileManager.default.createSymbolicLink(atPath: own, withDestinationPath: secret)
                let written = try await pair.ada.parlance("carry", "out", stick, "Bob")
                #expect(written.code == 0, "\(written.errors)")
                #expect(try Data(contentsOf: URL(filePath: secret)) == Data("secret".utf8))
                let kind = try FileManager.default.attributesOfItem(atPath: own)[.type] as? FileAttributeType
                #expect(kind == .typeRegular)
                let stranger = try await pair.ada.parlance("carry", "out", stick, "Mallory")
                #expect(stranger.code == 65)
                let gone = try await pair.ada.parlance("carry", "out", stick + "/none")
                #expect(gone.code == 1 && gone.errors.contains("cannot be opened"))
            }
        }

        /// Of a folder that cannot be written, nothing is said but that.
        @Test func aFolderThatCannotBeWrittenIsSaidAtOnce() async throws {
            try await Lab.run { lab in
                let stick = try Self.stick(in: lab)
                let pair = try await Pair.meeting(in: lab)
                let nothing = try await pair.ada.parlance("carry", "in", stick, "--json")
                #expect(nothing.code == 0 && nothing.output.contains(#""messages":0,"#), "\(nothing)")
                try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: stick)
                let words = ["carry", "out", stick, "--data-dir", pair.ada.folder.path]
                let refused = try await lab.parlanceWithoutRights(words)
                #expect(refused.code == 77 && refused.output.isEmpty, "\(refused)")
                #expect(refused.errors.contains("The folder \(stick) cannot be written to: Permission denied."))
            }
        }

        private static func out(_ node: LabNode, _ stick: String) async throws {
            let done = try await node.parlance("carry", "out", stick, "--json")
            #expect(done.code == 0 && done.output.contains(#""failed":0"#), "\(done.output) \(done.errors)")
        }

        private static func take(_ node: LabNode, _ stick: String) async throws {
            let done = try await node.parlance("carry", "in", stick)
            #expect(done.code == 0, "\(done.output) \(done.errors)")
        }
    }
}
