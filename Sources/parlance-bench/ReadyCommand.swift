import ArgumentParser
import Foundation
import ParlanceControl

/// Starts a daemon several times and measures from its start until it answers on its control socket.
struct ReadyCommand: Measurement {
    static let configuration = CommandConfiguration(
        commandName: "ready",
        abstract:
            "Starts and stops a daemon: from its start until it answers, in milliseconds, the median of the rounds."
    )

    @Option(help: "The control socket the daemon will serve.")
    var socket: String

    @Option(help: "How many times.")
    var rounds = 5

    @Option(help: "Where the daemon's log goes.")
    var log: String

    @Argument(parsing: .postTerminator, help: "The daemon's program and its arguments, after --.")
    var daemon: [String]

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
        guard !daemon.isEmpty else { throw ValidationError("Name the daemon's program after --.") }
    }

    func measure() async throws {
        var milliseconds: [Double] = []
        for _ in 0..<rounds { milliseconds.append(try await once()) }
        milliseconds.sort()
        Report(["ready_ms": milliseconds.percentile(50), "slowest_ms": milliseconds.percentile(100)]).print()
    }

    private func once() async throws -> Double {
        let began = ContinuousClock.now
        let process = try ChildProcess(daemon, log: log)
        defer { process.stop() }
        return (try await answered(by: process, since: began) - began).milliseconds
    }

    /// When the daemon first answered `status`; a socket that is not served yet is tried again every millisecond.
    private func answered(
        by process: ChildProcess,
        since began: ContinuousClock.Instant
    ) async throws -> ContinuousClock.Instant {
        while process.isRunning, .now - began < .seconds(60) {
            if let client = try? await ControlClient.connect(to: socket) {
                if (try? await client.call(StatusOperation())) != nil {
                    let now = ContinuousClock.now
                    await client.close()
                    return now
                }
                await client.close()
            }
            poll(nil, 0, 1)
        }
        let what = process.isRunning ? "did not answer within a minute" : "ended before it answered"
        throw BenchError("the daemon \(what); \(log) says why")
    }
}
