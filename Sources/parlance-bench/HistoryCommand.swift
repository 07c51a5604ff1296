import ArgumentParser
import ParlanceControl

/// Opens the last page of a conversation again and again, over the socket and as the whole command.
struct HistoryCommand: Measurement {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "The last page of a conversation: milliseconds of the request, and of the command after --, medians."
    )

    @Option(help: "The control socket of the daemon.")
    var socket: String

    @Option(help: "Whose conversation.")
    var who: String

    @Option(help: "Messages of a page.")
    var limit = HistoryOperation.defaultLimit

    @Option(help: "How many times.")
    var rounds = 21

    @Argument(parsing: .postTerminator, help: "The command that shows the same page, after --.")
    var command: [String] = []

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
    }

    func measure() async throws {
        let client = try await ControlClient.connect(to: socket)
        var page: [Double] = []
        for _ in 0..<rounds {
            let began = ContinuousClock.now
            let history = try await client.call(HistoryOperation(who: who, limit: limit))
            page.append((ContinuousClock.now - began).milliseconds)
            guard history.messages.count == limit else {
                throw BenchError("the page has not \(limit) messages")
            }
        }
        await client.close()
        // The first page after a start comes from a cold cache, so it is told by itself.
        var values = ["first_ms": page[0]]
        page.sort()
        values["page_ms"] = page.percentile(50)
        if !command.isEmpty {
            var whole: [Double] = []
            for _ in 0..<rounds { whole.append(try run()) }
            whole.sort()
            values["command_ms"] = whole.percentile(50)
        }
        Report(values).print()
    }

    /// Milliseconds from the start of the command to its end.
    private func run() throws -> Double {
        let began = ContinuousClock.now
        let process = try ChildProcess(command, log: "/dev/null")
        let code = process.wait()
        let elapsed = ContinuousClock.now - began
        guard code == 0 else { throw BenchError("\(command[0]) ended with code \(code)") }
        return elapsed.milliseconds
    }
}
