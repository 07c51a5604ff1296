import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceWaiting
import ParlanceWire
import ParlanceWords
import Testing

extension ProgramTests {
    /// Files between programs and the shelf of a real daemon.
    @Suite struct FileOperationTests {
        /// The error that the daemon answers with.
        private func refusal(_ operation: some ControlOperation, _ node: LabNode) async -> ControlFailure? {
            await #expect(throws: ControlFailure.self) { try await node.ask(operation) }
        }

        private func add(_ file: SampleFile, to node: LabNode) async throws -> FileAddReply {
            let place = try await node.ask(FilePrepareOperation())
            try Data(file.bytes).write(to: URL(fileURLWithPath: place.path))
            return try await node.ask(FileAddOperation(name: place.name))
        }

        @Test func aFileIsPutOnTheShelfAndFoundThere() async throws {
            try await Lab.run { lab in
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await ada.start()
                let file = try SampleFile(200_000)
                let added = try await add(file, to: ada)
                #expect(added == FileAddReply(file: file.id.text, size: 200_000))
                #expect(try await add(file, to: ada) == added)
                let found = try await ada.ask(FilePathOperation(file: added.file))
                #expect(found.size == 200_000)
                #expect(FileManager.default.contents(atPath: found.path) == Data(file.bytes))
                let attributes = try FileManager.default.attributesOfItem(atPath: found.path)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                // It is there after a start, and what was only prepared is not.
                let place = try await ada.ask(FilePrepareOperation())
                try Data([1]).write(to: URL(fileURLWithPath: place.path))
                #expect(try await ada.end(SIGTERM) == 0)
                try await ada.start()
                #expect(try await ada.ask(FilePathOperation(file: added.file)) == found)
                #expect(!FileManager.default.fileExists(atPath: place.path))
                let metrics = try await ada.ask(StatsOperation()).metrics
                func value(_ name: String) -> Int? { metrics.first { $0.name == name }?.samples.first?.value }
                #expect(value("parlance_files") == 1 && value("parlance_files_bytes") == 200_000)
                let looked = try await ada.ask(DoctorOperation()).looked.map(\.english)
                #expect(looked.contains("files: 1 whole (195 KiB), 0 in part (0 B)"), "\(looked)")
                #expect(value("parlance_file_parts") == 0 && value("parlance_file_parts_bytes") == 0)
            }
        }

        /// On a disk of eight megabytes: messages need the room that is left.
        @Test(.enabled(if: TwoHosts.mountsAreAllowed, "this machine does not let us make mount namespaces"))
        func aFullDiskTakesNoFile() async throws {
            try await Lab.run { lab in
                let disk = lab.folder.appendingPathComponent("disk").path
                let socket = lab.folder.appendingPathComponent("ada.sock").path
                let ada = LabNode.onLoopback(
                    lab,
                    "Ada",
                    folder: "disk",
                    port: try Lab.freePort(),
                    runner: FullDiskTests.onSmallDisk(disk),
                    arguments: ["--socket", socket],
                    socket: socket
                )
                try await ada.start()
                let place = try await ada.ask(FilePrepareOperation())
                let inside = "/proc/\(ada.child?.processID ?? 0)/root\(place.path)"
                try Data(count: 1_000).write(to: URL(fileURLWithPath: inside))
                let error = await refusal(FileAddOperation(name: place.name), ada)
                #expect(error?.code == "storeFailed" && error?.message.english.hasPrefix("There is no room: ") == true)
                #expect(error?.message.english.hasSuffix(" are free, and 64 MiB are needed.") == true)
                #expect(!FileManager.default.fileExists(atPath: inside))
                #expect(try await ada.ask(StatusOperation()).problems.contains { $0.code == "disk" })
            }
        }

        @Test func whatIsNoFileOrTooLargeIsRefused() async throws {
            try await Lab.run { lab in
                let limit = ["--file-limit", "100 KiB"]
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort(), arguments: limit)
                try await ada.start()
                for name in ["", "..", "nothing", "a/b", "../../identity"] {
                    let error = await refusal(FileAddOperation(name: name), ada)
                    #expect(error?.code == "invalidValue", "\(name)")
                    #expect(error?.message.english == "There is no ordinary file to take.")
                }
                #expect(FileManager.default.fileExists(atPath: ada.folder.appending(path: "identity").path))
                let place = try await ada.ask(FilePrepareOperation())
                #expect(place.limit == 102_400)
                try Data(count: 102_401).write(to: URL(fileURLWithPath: place.path))
                let error = await refusal(FileAddOperation(name: place.name), ada)
                #expect(error?.code == "invalidValue" && error?.message.english == "The file is larger than 100 KiB.")
                #expect(!FileManager.default.fileExists(atPath: place.path), "it would only take room")
                _ = try await add(try SampleFile(102_400), to: ada)
                let unknown = try SampleFile(5).id.text
                #expect(await refusal(FilePathOperation(file: unknown), ada)?.code == "notYet")
                for id in ["", "x", unknown + "a", String(unknown.dropLast())] {
                    let error = await refusal(FilePathOperation(file: id), ada)
                    #expect(error?.code == "invalidValue", "\(id)")
                }
            }
        }
    }
}
