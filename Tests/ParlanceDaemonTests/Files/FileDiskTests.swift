import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceWaiting
import ParlanceWire
import ParlanceWords
import Testing

extension ProgramTests {
    /// A disk that others fill while a file comes, and one that has no room for the copy.
    @Suite(.enabled(if: TwoHosts.mountsAreAllowed, "this machine does not let us make mount namespaces"))
    struct FileDiskTests {
        private static let megabytes = 240
        private static let bytes = 80 << 20

        @Test func theDiskIsFilledWhileAFileComes() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                var random = SeededGenerator(seed: 22)
                let disk = lab.folder.appendingPathComponent("disk").path
                let socket = lab.folder.appendingPathComponent("ada.sock").path
                let pair = try await Pair.meeting(
                    in: lab,
                    runner: FullDiskTests.onSmallDisk(disk, megabytes: Self.megabytes),
                    arguments: ["--socket", socket],
                    folder: "disk",
                    socket: socket
                )
                let (ada, bob) = (pair.ada, pair.bob)
                #expect(try await bob.parlance("config", "set", "file-rate", "16 MiB").code == 0)
                let file = try await FileTransferTests.add(Self.bytes, to: bob, &random)
                let sent = try await bob.ask(
                    SendOperation(who: "Ada", text: "", files: [FileToSend(file: file, name: "film.mp4")])
                )
                try await FileTransferTests.sees(file, at: ada)
                try await ada.ask(FileFetchOperation(id: file))
                try await eventually("a part of it is here", within: .seconds(30)) {
                    try await FileTransferTests.entry(file, at: ada).file.bytes ?? 0 > 10 << 20
                }
                // Something else takes all but 40 MiB, and then that is less than messages need.
                let filler = "/proc/\(ada.child?.processID ?? 0)/root\(disk)/filler"
                try Data(count: (Self.megabytes - 40) << 20 - Self.bytes / 2).write(to: URL(fileURLWithPath: filler))
                try await eventually("Ada has given up", within: .seconds(30)) {
                    try await FileTransferTests.entry(file, at: ada).file.state == .failed
                }
                let entry = try await FileTransferTests.entry(file, at: ada)
                #expect(entry.file.why?.english.hasPrefix("the disk has no room: ") == true && entry.rate == nil)
                let table = try await lab.parlance(["files", "--socket", socket]).output
                let line = table.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                #expect(line.contains("failed: the disk has no room: ") && line.contains("files retry "), "\(table)")
                let part = entry.file.bytes ?? 0
                #expect(part >= 10 << 20 && part < Self.bytes, "what has come stays")
                try await eventually("Bob is told why") {
                    let holders = try await bob.ask(InfoOperation(id: sent.id)).holders ?? []
                    return holders.contains { $0.why?.english.contains("no room") == true }
                }
                // Messages have the room that is left.
                try await bob.send("still here?", to: "Ada")
                try await bob.deliversAll()
                #expect(try await ada.texts(with: "Bob").last == "still here?")
                try FileManager.default.removeItem(atPath: filler)
                #expect(try await bob.parlance("config", "set", "file-rate", "off").code == 0)
                try await ada.ask(FileRetryOperation(id: file))
                try await eventually("it is here", within: .seconds(30)) {
                    try await FileTransferTests.entry(file, at: ada).file.state == .here
                }
                let path = try await ada.ask(FilePathOperation(file: file, verify: true)).path
                #expect(try FileTransferTests.id(of: "/proc/\(ada.child?.processID ?? 0)/root\(path)") == file)
            }
        }

        @Test func aCopyThatHasNoRoomLeavesNothing() async throws {
            try await Lab.run { lab in
                var random = SeededGenerator(seed: 23)
                let pair = try await Pair.meeting(in: lab)
                let file = try await FileTransferTests.add(3_000_000, to: pair.ada, &random)
                try await pair.ada.ask(
                    SendOperation(who: "Bob", text: "", files: [FileToSend(file: file, name: "plan.odt")])
                )
                try await FileTransferTests.sees(file, at: pair.bob)
                let place = lab.folder.appending(path: "small").path
                let script = """
                    mkdir '\(place)' && mount -t tmpfs -o size=2m tmpfs '\(place)' && "$@"; code=$?; ls -A '\(place)'; exit $code
                    """
                let fetch = ["fetch", "--data-dir", pair.bob.folder.path, String(file.prefix(12)), "--to", place]
                let program = try Programs.own("parlance").path
                let saved = try await lab.run(
                    Programs.system("unshare"),
                    ["-m", "--propagation", "private", "sh", "-c", script, "sh", program] + fetch
                )
                #expect(saved.code == 1 && saved.errors.contains("room"), "\(saved.errors)")
                #expect(!saved.output.contains("plan.odt\n"), "\(saved.output)")
            }
        }
    }
}
