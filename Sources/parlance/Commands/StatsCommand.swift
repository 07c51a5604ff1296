import ArgumentParser
import ParlanceControl
import ParlanceTerminal

/// `parlance stats [--prometheus]`
struct StatsCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show figures for monitoring: links, messages, the store, memory.",
        discussion: """
            Names that end in _total count since the daemon started.

            Examples: parlance stats
                      parlance stats --prometheus > parlance.prom
            """
    )

    @Flag(help: "Print the text format of Prometheus.")
    var prometheus = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        if prometheus {
            let stats = try await session.client.call(StatsOperation())
            return session.terminal.write(stats.metrics.flatMap(\.prometheusLines))
        }
        try await session.show(StatsOperation()) { stats in
            let rows = stats.metrics.flatMap { metric in
                metric.samples.map { sample in
                    let label = sample.label.map { "{\($0)=\(sample.labelValue ?? "")}" } ?? ""
                    return (name: VisibleText.line(metric.name + label), value: sample.value)
                }
            }
            let width = rows.reduce(0) { max($0, $1.name.count) } + 2
            return rows.map { "\(DisplayWidth.pad($0.name, to: width))\($0.value)" }
        }
    }
}
