import ArgumentParser
import ParlanceControl
import ParlanceTerminal
import ParlanceWords

/// `parlance stats [--prometheus]`
struct StatsCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show figures for monitoring: links, messages, the store, memory.",
        discussion: """
            With --prometheus the names are those of Prometheus: 'links opened' is parlance_links_opened_total. \
            Both are English in every language.

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
            let (counters, gauges) = (rows(stats.metrics, .counter), rows(stats.metrics, .gauge))
            let width = (counters + gauges).reduce(0) { max($0, DisplayWidth.of($1.name)) } + 2
            func lines(_ rows: [Row]) -> [String] {
                rows.map { "  \(DisplayWidth.pad($0.name, to: width))\($0.value)" }
            }
            // In English in every language, as the names of the figures are.
            return ["Now:"] + lines(gauges) + ["Since the daemon started:"] + lines(counters)
        }
    }

    private typealias Row = (name: String, value: Int)

    /// The figures of a kind by the names of Prometheus without what all of them share:
    /// `parlance_outbox_entries{status="staged"}` is `outbox entries, staged`.
    private func rows(_ metrics: [Metric], _ kind: Metric.Kind) -> [Row] {
        metrics.filter { $0.kind == kind }.flatMap { metric in
            var words = metric.name.split(separator: "_")
            if words.first == "parlance" { words.removeFirst() }
            if words.last == "total" { words.removeLast() }
            let name = words.joined(separator: " ")
            return metric.samples.map { (VisibleText.line(name + ($0.labelValue.map { ", \($0)" } ?? "")), $0.value) }
        }
    }
}
