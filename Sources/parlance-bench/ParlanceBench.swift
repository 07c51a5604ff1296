import ArgumentParser

/// Measures daemons; `contrib/bench` creates a network for it and starts `run`.
@main
struct ParlanceBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parlance-bench",
        abstract: "Measures daemons. contrib/bench starts it.",
        subcommands: [RunCommand.self, AttackCommand.self, AnnounceCommand.self],
        defaultSubcommand: RunCommand.self
    )
}
