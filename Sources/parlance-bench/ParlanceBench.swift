import ArgumentParser

/// Measures running daemons through their control sockets; `contrib/bench` calls it and prints what it finds.
@main
struct ParlanceBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parlance-bench",
        abstract: "Measures running daemons. contrib/bench calls it.",
        subcommands: [
            LatencyCommand.self, CostCommand.self, ThroughputCommand.self, CatchUpCommand.self, FillCommand.self,
            HistoryCommand.self,
            ReadyCommand.self, AttackCommand.self, AnnounceCommand.self,
        ]
    )
}

/// What every measurement of sending needs to know.
struct SendingOptions: ParsableArguments {
    @Option(help: "The control socket of the sender's daemon.")
    var socket: String

    @Option(help: "Whom to write to: a peer that is accepted on both sides and connected.")
    var to: String

    @Option(help: "How many messages.")
    var count: Int

    @Option(help: "Bytes of each text.")
    var size = 150

    func validate() throws {
        guard count > 0 else { throw ValidationError("--count must be at least 1.") }
        guard size > 0 else { throw ValidationError("--size must be at least 1.") }
    }

    /// The text of a message: its number, and letters up to the size.
    func text(_ number: Int) -> String {
        let start = "\(number) "
        return start + String(repeating: "x", count: max(0, size - start.utf8.count))
    }
}
