import Foundation
import ParlanceControl
import Testing

extension ProgramTests {
    /// Files that are written to another file system than that of the data folder, such as a stick.
    @Suite struct OtherDiskTests {
        /// Bob has the files of a message from Ada.
        private static func bob(with sizes: [Int], in lab: Lab) async throws -> (pair: Pair, files: [String]) {
            let pair = try await Pair.meeting(in: lab)
            var words = ["send", "Bob"]
            for (number, size) in sizes.enumerated() {
                let path = lab.folder.appending(path: "sample-\(number).bin")
                try Data(try SampleFile(size, number: UInt64(number) + 1).bytes).write(to: path)
                words += ["--file", path.path]
            }
            let sent = try await pair.ada.parlance(words + ["samples"])
            #expect(sent.code == 0, "\(sent.errors)")
            try await pair.ada.deliversAll()
            let files = try await pair.bob.history(with: "Ada").flatMap { $0.files ?? [] }
            return (pair, files.map { String($0.file.prefix(16)) })
        }

        private static func shell(_ line: String, _ pair: Pair, _ lab: Lab, apart: Bool = false) async throws
            -> Lab.Outcome
        {
            let program = try Programs.own("parlance").path
            let words = ["sh", "-c", line, program, pair.bob.folder.path]
            guard apart else { return try await lab.run(try Programs.system("env"), words) }
            return try await lab.run(
                try Programs.system("unshare"),
                ["-m", "--propagation", "private"] + words
            )
        }

        @Test(.enabled(if: TwoHosts.mountsAreAllowed, "this machine does not let us make mount namespaces"))
        func aSmallStickTakesWhatItHasRoomFor() async throws {
            try await Lab.run { lab in
                let (pair, files) = try await Self.bob(with: [6, 3_000_000], in: lab)
                let stick = lab.folder.appending(path: "stick").path
                try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: false)
                let script = """
                    mount -t tmpfs -o size=1m tmpfs '\(stick)' && "$0" fetch --data-dir "$1" \(files[0]) --to '\(stick)/small' &&
                    test "$(wc -c <'\(stick)/small')" = 6 && exec "$0" fetch --data-dir "$1" \(files[1]) --to '\(stick)'
                    """
                let outcome = try await Self.shell(script, pair, lab, apart: true)
                // On a slow machine a line about the progress comes first.
                #expect(outcome.code == 1 && outcome.output.contains("Saved: \(stick)/small (6 B)\n"), "\(outcome)")
                #expect(outcome.errors.contains("The disk has no room: 2.9 MiB are needed"), "\(outcome.errors)")
            }
        }

        /// The limits of the file system are told with the name that the user knows.
        @Test func whatTheFileSystemDoesNotTakeIsNamed() async throws {
            try await Lab.run { lab in
                let (pair, files) = try await Self.bob(with: [3_000_000], in: lab)
                let line = "trap '' XFSZ; ulimit -f 2048; exec \"$0\" fetch --data-dir \"$1\" \(files[0]) --to"
                let large = try await Self.shell("\(line) '\(lab.folder.path)/big.bin'", pair, lab)
                #expect(large.code == 1, "\(large)")
                let limit = "the file system there takes no file of this size; FAT takes none of 4 GiB or more."
                #expect(
                    large.errors.contains("big.bin cannot be written to \(lab.folder.path): \(limit)"),
                    "\(large.errors)"
                )
                #expect(!large.errors.contains(".parlance-"), "\(large.errors)")
                let name = String(repeating: "n", count: 256)
                let named = try await Self.shell(
                    "exec \"$0\" fetch --data-dir \"$1\" \(files[0]) --to '\(name)'",
                    pair,
                    lab
                )
                #expect(named.code == 65 && named.errors.contains("\(name) cannot be written to .: "), "\(named)")
                #expect(named.errors.contains("Name the file in another way"), "\(named.errors)")
                let nowhere = try await Self.shell(
                    "exec \"$0\" fetch --data-dir \"$1\" \(files[0]) --to none/x",
                    pair,
                    lab
                )
                #expect(nowhere.code == 1, "\(nowhere)")
                #expect(nowhere.errors.contains("The folder \"none\" does not exist"), "\(nowhere)")
            }
        }

        /// A file system that keeps no permissions, as those of sticks do: what is said of the file is what it has.
        @Test func whoCanReadAFileIsLookedUp() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let source = """
                    #define _GNU_SOURCE
                    #include <dlfcn.h>
                    #include <sys/stat.h>
                    int fchmod(int file, mode_t mode) { return ((int (*)(int, mode_t))dlsym(RTLD_NEXT, "fchmod"))(file, 0755); }
                    """
                let library = try await Preload.library(source, in: lab)
                for (words, file) in [("backup", "b"), ("export --output", "o")] {
                    let place = lab.folder.appending(path: file).path
                    let kept = try await Self.shell("exec \"$0\" \(words) '\(place)1' --data-dir \"$1\"", pair, lab)
                    #expect(kept.code == 0 && kept.output.contains("Only you can read the file."), "\(kept)")
                    let line = "LD_PRELOAD='\(library)' exec \"$0\" \(words) '\(place)2' --data-dir \"$1\""
                    let lost = try await Self.shell(line, pair, lab)
                    #expect(lost.code == 0 && lost.output.contains("Others can read the file: "), "\(lost)")
                    #expect(!lost.output.contains("Only you"), "\(lost)")
                    let json = try await Self.shell(line + " --json --force", pair, lab)
                    #expect(try JSONParser.parse(Array(json.output.utf8))["private"] == .bool(false), "\(json)")
                }
            }
        }
    }
}
