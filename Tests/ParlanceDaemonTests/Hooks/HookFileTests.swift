import Foundation
import ParlanceControl
import ParlanceWords
import Testing

@testable import ParlanceDaemon

/// Which files are run, and what is said of the others.
@Suite struct HookFileTests {
    private func inFolder(_ body: (ScriptFolder) throws -> Void) throws {
        let folder = try ScriptFolder()
        defer { folder.remove() }
        try body(folder)
    }

    private func fault(_ name: String, in folder: ScriptFolder) -> HookFile.Fault? {
        HookFile(name: name, in: folder.path).fault
    }

    @Test func onlyFilesThatNobodyElseCanChangeAreRun() throws {
        try inFolder { folder in
            for (mode, fault) in [
                (0o700, nil), (0o755, nil), (0o500, nil), (0o722, .writable(folder.path + "/on-message")),
                (0o770, .writable(folder.path + "/on-message")),
            ] as [(Int, HookFile.Fault?)] {
                try folder.write("on-message", "true", mode: mode)
                #expect(self.fault("on-message", in: folder) == fault, "\(String(mode, radix: 8))")
            }
            try folder.write("on-message", "true")
            try folder.setMode(0o720, of: folder.url)
            #expect(fault("on-message", in: folder) == .writable(folder.path))
        }
    }

    @Test func aFileThatSomebodyElseOwnsIsNotRun() throws {
        try inFolder { folder in
            try folder.write("on-message", "true")
            let file = folder.url.appendingPathComponent("on-message").path
            // Only root can give a file away.
            guard geteuid() == 0 else { return }
            try #require(chown(file, 65_534, 65_534) == 0)
            #expect(fault("on-message", in: folder) == .otherOwner(file))
            try #require(chown(file, 0, 0) == 0)
            try #require(chown(folder.path, 65_534, 0) == 0)
            #expect(fault("on-message", in: folder) == .otherOwner(folder.path))
        }
    }

    @Test func aServiceOfAnOrdinaryUserDoesNotSeeRoot() {
        #expect(!HookFile.hidesRoot("         0          0 4294967295\n"))
        #expect(!HookFile.hidesRoot("      1000       1000          1\n         0          0          1\n"))
        #expect(HookFile.hidesRoot("      1000       1000          1\n"))
    }

    @Test func aFaultSaysWhatToDo() throws {
        try inFolder { folder in
            try folder.write("on-mesage", "true")
            try folder.write("on-request", "true", mode: 0o600)
            try FileManager.default.createDirectory(
                at: folder.url.appendingPathComponent("on-mention"),
                withIntermediateDirectories: false
            )
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/on-presence",
                withDestinationPath: folder.path + "/gone"
            )
            try folder.write("helper", "true")
            let files = HookFolder(path: folder.path).look()
            #expect(files.map(\.name) == ["on-mention", "on-mesage", "on-presence", "on-request"])
            // Root may run everything that anybody may run.
            #expect(files.map(\.fault) == [.noFile, .unknownEvent, .cannotBeRead(ENOENT), .notExecutable])
            for file in files {
                let words = try #require(file.problem)
                #expect(
                    words.code == "hook" && words.message.english.hasPrefix("The hook \(file.name) is not run: ")
                        && !words.advice.isEmpty
                )
            }
        }
    }

    @Test func aLinkCountsAsWhatItPointsTo() throws {
        try inFolder { folder in
            try folder.write("helper", "true")
            let link = folder.path + "/on-message"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path + "/helper")
            #expect(fault("on-message", in: folder) == nil)
            try folder.setMode(0o702, of: folder.url.appendingPathComponent("helper"))
            #expect(fault("on-message", in: folder) == .writable(folder.path + "/helper"))
        }
    }

    @Test func thereIsALimit() throws {
        try inFolder { folder in
            for number in 100..<100 + HookLimits.files + 2 { try folder.write("on-message-\(number)", "true") }
            let files = HookFolder(path: folder.path).look()
            #expect(files.prefix(HookLimits.files).allSatisfy { $0.fault == nil })
            #expect(files.dropFirst(HookLimits.files).map(\.fault) == [.tooMany, .tooMany])
        }
    }

    @Test func theEnvironmentIsSmall() {
        let given = ["PATH": "/usr/bin", "HOME": "/home/ada", "SECRET": "x", "PARLANCE_NAME": "Ada", "TZ": "UTC"]
        let environment = HookEnvironment(given, socket: "/run/s", profile: "club", program: "/opt/parlance/parlanced")
        #expect(
            environment.variables(for: HookFile(name: "on-mention", in: "/")) == [
                "HOME=/home/ada", "TZ=UTC", "PATH=/usr/bin:/opt/parlance", "PARLANCE_SOCKET=/run/s",
                "PARLANCE_PROFILE=club", "PARLANCE_HOOK=mention",
            ]
        )
    }
}
