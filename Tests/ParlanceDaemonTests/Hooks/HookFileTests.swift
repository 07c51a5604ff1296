import Dispatch
import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

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
            let files = try HookFolder(path: folder.path).look()
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

    @Test func aFolderThatCannotBeReadIsNoEmptyOne() throws {
        try inFolder { folder in
            try folder.write("hooks", "This is a file.")
            #expect(throws: HookFolder.Unreadable(code: ENOTDIR)) {
                try HookFolder(path: folder.path + "/hooks").look()
            }
            #expect(try HookFolder(path: folder.path + "/gone").look().isEmpty)
            let nowhere = folder.path + "/link"
            try FileManager.default.createSymbolicLink(atPath: nowhere, withDestinationPath: folder.path + "/gone")
            #expect(throws: HookFolder.Unreadable(code: ENOENT)) { try HookFolder(path: nowhere).look() }
            // Whoever asks what is wrong is told, and not that there are none.
            for (code, closed, advice) in [
                (EACCES, nil, "read it: chmod u+rx \(nowhere)"), (EACCES, "/home/ada", "above: chmod u+x /home/ada"),
                (ENOTDIR, nil, "mkdir"), (ENOENT, nil, "leads nowhere"), (EIO, nil, "ls -la"),
            ] as [(Int32, String?, String)] {
                let fault = HookFolder.Unreadable(code: code, closed: closed)
                let report = HookService.Report(folder: nowhere, fault: fault)
                let problem = try #require(report.problems.first)
                #expect(problem.code == "hook" && problem.advice.english.contains(advice))
                #expect(!report.line.english.hasPrefix("hooks: none in"))
            }
        }
    }

    /// What is closed may be above the folder, also behind a link.
    @Test func theFolderThatIsClosedIsNamed() throws {
        try inFolder { folder in
            let base = folder.path
            for (link, target) in [("link", "a/b/hooks"), ("far", base + "/a/b"), ("loop", "loop")] {
                try FileManager.default.createSymbolicLink(atPath: base + "/" + link, withDestinationPath: target)
            }
            func closed(_ path: String, _ places: String...) -> String? {
                FolderPath.closed(above: base + path) { place in !places.contains { base + $0 == place } }
            }
            #expect(closed("/a/b/hooks") == nil)
            #expect(closed("/a/b/hooks", "/a/b", "/a/b/hooks") == base + "/a/b")
            #expect(closed("/a/b/hooks", "/a", "/a/b", "/a/b/hooks") == base + "/a")
            // Then it is the folder itself that cannot be read.
            #expect(closed("/a/b/hooks", "/a/b/hooks") == nil)
            #expect(closed("/link", "/link", "/a/b/hooks") == nil)
            #expect(closed("/link", "/link", "/a", "/a/b", "/a/b/hooks") == base + "/a")
            #expect(closed("/far/hooks", "/far/hooks", "/a/b/hooks") == nil)
            #expect(closed("/far/hooks", "/far", "/far/hooks", "/a/b", "/a/b/hooks") == base + "/a/b")
            #expect(closed("/loop", "/loop") == nil)
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root enters every folder"))
    func aFolderBehindAClosedOneSaysWhichIsClosed() throws {
        try inFolder { folder in
            let (above, path) = (folder.path + "/above", folder.path + "/above/hooks")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for (place, closed) in [(above, above), (path, nil)] as [(String, String?)] {
                try #require(chmod(place, 0) == 0)
                let unreadable = HookFolder.Unreadable(code: EACCES, closed: closed)
                #expect(throws: unreadable) { try HookFolder(path: path).look() }
                try #require(chmod(place, 0o700) == 0)
            }
            #expect(try HookFolder(path: path).look().isEmpty)
        }
    }

    @Test func thereIsALimit() throws {
        try inFolder { folder in
            for number in 100..<100 + HookLimits.files + 2 { try folder.write("on-message-\(number)", "true") }
            let files = try HookFolder(path: folder.path).look()
            #expect(files.prefix(HookLimits.files).allSatisfy { $0.fault == nil })
            #expect(files.dropFirst(HookLimits.files).map(\.fault) == [.tooMany, .tooMany])
        }
    }

    /// A home of old days, and one with a line feed: what the system has is bytes.
    @Test func theEnvironmentIsPassedOnByteForByte() async throws {
        let (home, path) = (
            Array("/home/m".utf8) + [0xFC, 0x0A] + Array("x'\"=".utf8), Array("/bin:/usr/bin:/o".utf8) + [0xFC]
        )
        let values = ["HOME": home, "PATH": path, "TZ": []]
        let environment = HookEnvironment({ values[$0] }, socket: "/run/s", profile: nil, program: "/bin/parlanced")
        let variables = environment.variables(for: HookFile(name: "on-message", in: "/"))
        #expect(variables.contains(EnvironmentVariable("PATH", path)), "the folder of the program is in it")
        let folder = try ScriptFolder()
        defer { folder.remove() }
        try folder.write("script", "cat; printf '%s\\0' \"$HOME\" \"$PATH\" \"$TZ\" \"$PARLANCE_HOOK\"")
        let plan = ChildProcess.Plan(
            path: folder.path + "/script",
            environment: variables,
            folder: folder.path,
            outputLimit: 1_000
        )
        let (end, output): (HookRun.End, [UInt8]) = try await soon("the script begins") {
            let run = await HookRun(plan, HookLimits(), on: DispatchQueue(label: "hooks")).perform()
            return run.end == .notStarted(ETXTBSY) ? nil : (run.end, run.output)
        }
        #expect(end == .exited(0))
        #expect(
            output.split(separator: 0, omittingEmptySubsequences: false) == [
                home[...], path[...], [], Array("message".utf8)[...], [],
            ]
        )
    }

    /// Whatever texts and names hold, a hook gets one line of JSON, and gets it back whole.
    @Test func anEventIsOneLine() throws {
        let text = "a\nb\r\n\u{85}\u{2028}\u{0}\u{1B}[31m\"\\ \u{FFFD}\u{10FFFF}"
        var message = MessageInfo(
            id: "m",
            conversation: "c",
            sender: "b",
            senderName: "B\n'; rm -rf /'",
            mine: false,
            text: text,
            time: ControlTime(milliseconds: 0)
        )
        message.group = "-x\ty"
        let line = HookService.input(MessageEvent(message))
        #expect(line.count { $0 == 0x0A } == 1 && line.last == 0x0A && !line.contains { $0 < 0x20 && $0 != 0x0A })
        let data = try JSONParser.parse(Array(line.dropLast()))["data"]
        #expect(data?["text"]?.text == text && data?["senderName"]?.text == message.senderName)
        #expect(data?["group"]?.text == message.group)
    }

    /// The name of a hook of old days cannot be passed on as text: it is said, and nothing else fails by it.
    @Test func aNameThatIsNoTextIsSaid() throws {
        try inFolder { folder in
            try folder.write("on-message", "true")
            let name = Array((folder.path + "/on-mention-").utf8) + [0xFC, 0]
            let made = name.withUnsafeBytes {
                open($0.baseAddress!.assumingMemoryBound(to: CChar.self), O_CREAT | O_WRONLY, 0o700)
            }
            try #require(made >= 0)
            close(made)
            let files = try HookFolder(path: folder.path).look()
            #expect(files.map(\.fault) == [.nameIsNoText, nil])
            let problem = try #require(files.first?.problem(.nameIsNoText))
            #expect(problem.message.english.contains("is not UTF-8"))
        }
    }

    @Test func theEnvironmentIsSmall() {
        let given = ["PATH": "/usr/bin", "HOME": "/home/ada", "SECRET": "x", "PARLANCE_NAME": "Ada", "TZ": "UTC"]
        let environment = HookEnvironment(
            { given[$0].map { Array($0.utf8) } },
            socket: "/run/s",
            profile: "club",
            program: "/opt/parlance/parlanced"
        )
        #expect(
            environment.variables(for: HookFile(name: "on-mention", in: "/")) == [
                "HOME=/home/ada", "TZ=UTC", "PATH=/usr/bin:/opt/parlance", "PARLANCE_SOCKET=/run/s",
                "PARLANCE_PROFILE=club", "PARLANCE_HOOK=mention",
            ]
        )
    }
}
