import Foundation
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// What somebody learns who reads the memory of a running node, or what a crash would write.
    @Suite(.enabled(if: geteuid() == 0, "only root can read the memory of a node")) struct MemoryTests {
        /// Looks for bytes in the memory of a process.
        ///
        /// - Returns: how often they are in pages that a dump holds, and in those that it leaves out.
        private static func count(_ wanted: Data, in process: pid_t) throws -> (dumped: Int, guarded: Int) {
            let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
            defer { close(memory) }
            var found = (dumped: 0, guarded: 0)
            var range: Range<UInt>?
            // The kernel gives it in parts, so it is read to its end.
            let map = try #require(try FileHandle(forReadingAtPath: "/proc/\(process)/smaps")?.readToEnd())
            for line in String(decoding: map, as: UTF8.self).split(separator: "\n") {
                let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
                if ends.count == 2 { range = ends[0]..<ends[1] }
                // The kernel's own page is beyond what can be read.
                guard let place = range, line.hasPrefix("VmFlags:"), place.lowerBound < 1 << 47 else { continue }
                // Pages that were never touched are not there; 64 MiB are more than any part of the heap here.
                var bytes = Data(count: min(place.count, 1 << 26))
                let size = bytes.count
                let read = bytes.withUnsafeMutableBytes { pread(memory, $0.baseAddress, size, off_t(place.lowerBound)) }
                guard read > 0 else { continue }
                var rest = bytes[..<read]
                while let hit = rest.range(of: wanted) {
                    if line.split(separator: " ").contains("dd") { found.guarded += 1 } else { found.dumped += 1 }
                    rest = rest[hit.upperBound...]
                }
            }
            return found
        }

        @Test func theIdentityIsOnlyInGuardedPages() async throws {
            try await Lab.run { lab in
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                // The first start makes the identity, the second reads it.
                for start in ["first", "second"] {
                    try await ada.start()
                    let process = try #require(ada.child).processID
                    let line = try String(contentsOf: ada.folder.appendingPathComponent("identity"), encoding: .utf8)
                    let digits = Array(try #require(line.split(separator: " ").last).utf8.prefix(64))
                    let seed = Data(
                        stride(from: 0, to: 64, by: 2).compactMap {
                            UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
                        }
                    )
                    #expect(seed.count == 32)
                    let raw = try Self.count(seed, in: process)
                    #expect(raw.guarded > 0 && raw.dumped == 0, "\(start) start: \(raw)")
                    #expect(try Self.count(Data(digits), in: process).dumped == 0, "\(start) start, in digits")
                    #expect(try await ada.end(SIGTERM) == 0)
                }
            }
        }

        /// The kernel gives what it shows of a process to root when no other process may read its memory.
        @Test func noCrashWritesAFileAndNoOtherProgramOfTheUserReadsTheMemory() async throws {
            try await Lab.run { lab in
                let data = lab.folder.appendingPathComponent("theirs").path
                try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
                _ = chmod(lab.folder.path, 0o755)
                _ = chown(data, 65_534, 65_534)
                // The program is where another user can run it.
                let program = data + "/parlanced"
                try FileManager.default.copyItem(atPath: try Programs.own("parlanced").path, toPath: program)
                _ = chmod(program, 0o755)
                let words = [
                    "--reuid=65534", "--regid=65534", "--clear-groups", "--", "/usr/bin/env", "HOME=\(data)",
                    "XDG_STATE_HOME=\(data)/state", program, "--data-dir", data + "/node", "--port", "0", "--mdns",
                    "off",
                    "--page-port", "off", "--notify", "none",
                ]
                let child = try lab.start(try Programs.system("setpriv"), words, name: "theirs")
                try await eventually("it serves") {
                    FileManager.default.fileExists(atPath: data + "/node/control.path")
                }
                let process = child.processID
                var status = stat()
                #expect(stat("/proc/\(process)/environ", &status) == 0)
                #expect(status.st_uid == 0, "its memory is root's alone")
                let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
                let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
                #expect(core.split(separator: " ").filter { $0 == "0" }.count == 2, "\(core)")
            }
        }
    }
}
