import Dispatch
import Foundation
import ParlanceWaiting
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// Real programs under supervision.
@Suite(.timeLimit(.minutes(30))) struct HookRunTests {
    private func run(
        _ script: String,
        input: String = "",
        outputLimit: Int = 100,
        _ change: (inout HookLimits) -> Void = { _ in }
    ) async throws -> (end: HookRun.End, output: String, isCut: Bool) {
        let folder = try ScriptFolder()
        defer { folder.remove() }
        try folder.write("script", script)
        var limits = HookLimits()
        change(&limits)
        let plan = ChildProcess.Plan(
            path: folder.path + "/script",
            environment: ["PATH=/usr/bin:/bin", "HOME=/nowhere"],
            folder: folder.path,
            input: Array(input.utf8),
            outputLimit: outputLimit
        )
        let (end, output, isCut) = try await Self.perform(plan, limits)
        return (end, String(decoding: output, as: UTF8.self), isCut)
    }

    /// What another test starts in this moment has the file open for writing until it begins (execve(2), ETXTBSY).
    private static func perform(
        _ plan: ChildProcess.Plan,
        _ limits: HookLimits = HookLimits()
    ) async throws -> (end: HookRun.End, output: [UInt8], isCut: Bool) {
        try await soon("the script begins") {
            let result = await HookRun(plan, limits, on: DispatchQueue(label: "hooks")).perform()
            return result.end == .notStarted(ETXTBSY) ? nil : result
        }
    }

    private static func end(of plan: ChildProcess.Plan) async throws -> HookRun.End { try await perform(plan).end }

    @Test func itGetsTheInputAndSaysHowItEnded() async throws {
        let echo = try await run("cat; echo $HOME >&2; pwd >/dev/null; exit 3", input: "an event\n")
        #expect(echo.end == .exited(3) && echo.output == "an event\n/nowhere\n" && !echo.isCut)
        #expect(try await run("true", input: String(repeating: "x", count: 400_000)).end == .exited(0))
        let count = try await run("wc -c", input: String(repeating: "x", count: 400_000))
        #expect(count.output == "400000\n")
        #expect(try await run("kill -9 $$").end == .killed(SIGKILL))
    }

    @Test func itHasNothingOfTheDaemon() async throws {
        let open = try await run("ls /proc/self/fd | wc -l; env | sort")
        // Standard input, output and error, and the folder that ls reads.
        #expect(open.output.hasPrefix("4\nHOME=/nowhere\nPATH=/usr/bin:/bin\nPWD="), "\(open.output)")
        // The daemon ignores SIGPIPE; a script must not.
        let signals = try await run("grep -E '^Sig(Ign|Blk):' /proc/self/status | cut -f 2")
        let masks = signals.output.split(separator: "\n").map { UInt64($0, radix: 16) }
        // From 32 on they belong to the C library.
        #expect(masks.map { $0.map { $0 & 0x7FFF_FFFF } } == [0, 0], "\(signals.output)")
    }

    @Test func whatItWritesIsBounded() async throws {
        let much = try await run("yes | head -c 200000")
        #expect(much.end == .exited(0) && much.output.utf8.count == 100 && much.isCut)
        let endless = try await run("yes; exit 7")
        #expect(endless.end == .exited(7) && endless.output.utf8.count == 100)
    }

    @Test func itsTimeIsBounded() async throws {
        let polite = try await run("exec sleep 1000") { $0.time = 50 }
        #expect(polite.end == .tooSlow)
        let stubborn = try await run("trap '' TERM; while true; do sleep 0.01; done") {
            $0.time = 200
            $0.grace = 50
        }
        #expect(stubborn.end == .tooSlow)
    }

    @Test func whatItLeavesBehindIsKilled() async throws {
        let left = try await run("sleep 1000 & echo $!")
        #expect(left.end == .exited(0))
        let child = try #require(Int32(left.output.trimmingCharacters(in: .whitespacesAndNewlines)))
        try await eventually("its child is gone") { kill(child, 0) != 0 || Self.isZombie(child) }
    }

    private static func isZombie(_ process: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        return status.contains(") Z ")
    }

    @Test func whatCannotBeStartedIsSaid() async throws {
        let folder = try ScriptFolder()
        defer { folder.remove() }
        try Data("no interpreter".utf8).write(to: folder.url.appendingPathComponent("script"))
        try folder.setMode(0o700, of: folder.url.appendingPathComponent("script"))
        for (name, code) in [("script", ENOEXEC), ("gone", ENOENT)] {
            let plan = ChildProcess.Plan(path: folder.path + "/" + name, environment: [], folder: folder.path)
            #expect(try await Self.end(of: plan) == .notStarted(code))
        }
    }

    @Test func aCancelledRunEnds() async throws {
        let folder = try ScriptFolder()
        defer { folder.remove() }
        try folder.write("script", "echo > began; exec sleep 1000")
        let plan = ChildProcess.Plan(
            path: folder.path + "/script",
            environment: ["PATH=/usr/bin:/bin"],
            folder: folder.path
        )
        let end = try await withThrowingTaskGroup(of: HookRun.End.self) { group in
            group.addTask { try await Self.end(of: plan) }
            try await eventually("it runs") {
                FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("began").path)
            }
            group.cancelAll()
            return try await group.next()
        }
        #expect(end == .stopped)
    }
}
