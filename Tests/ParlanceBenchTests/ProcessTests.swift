import Foundation
import Testing

@testable import parlance_bench

@Suite struct ProcessTests {
    @Test func outputAndExitCodeOfAProgram() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = try Program.output(of: ["sh", "-c", "echo THR n=2 msgps=12.5"], in: folder, within: 10)
        #expect(PrintedFigure.value("msgps", in: "THR", of: text) == 12.5)
        #expect(PrintedFigure.value("msgps", in: "LAT", of: text) == nil)
        #expect(throws: BenchError.self) { try Program.output(of: ["false"], in: folder, within: 10) }
        #expect(throws: BenchError.self) { try Program.output(of: ["sleep", "60"], in: folder, within: 0) }
        let signalled = try ChildProcess(["sh", "-c", "kill -TERM $$"], output: "/dev/null")
        #expect(signalled.wait() == 128 + SIGTERM)
    }

    @Test func aProcessPaysForWhatItWrites() throws {
        let own = getpid()
        let before = try ProcessCounters(own)
        let bytes = [UInt8](repeating: 0, count: 10_000)
        let file = open("/dev/null", O_WRONLY)
        for _ in 0..<10 { _ = write(file, bytes, bytes.count) }
        close(file)
        let cost = try ProcessCounters(own).since(before)
        #expect(cost.writeCalls >= 10 && cost.handedBytes >= 100_000 && cost.processorMicroseconds > 0)
    }
}
