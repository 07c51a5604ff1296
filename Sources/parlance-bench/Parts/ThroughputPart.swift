/// Messages a second in a stream, from the first request until the last message is delivered.
enum ThroughputPart: Part {
    static let name = "throughput"
    static let about = "messages a second in a stream, until delivered"

    private static let size = 150

    static func measure(_ bench: Bench) throws {
        let nodes = try bench.nodes()
        let ideal = Ideal(bench)
        let count = bench.amounts.throughput
        for round in 1...bench.amounts.rounds {
            Progress.note(
                "A stream of \(Table.number(Double(count))) messages, round \(round) of \(bench.amounts.rounds)"
            )
            let writer = try nodes.writer()
            var progress = Progress(of: count, "messages")
            let counters = try PairCounters(nodes)
            let receipts = writer.receipts
            let began = ContinuousClock.now
            let last = try writer.send(count, size: size, window: bench.amounts.window, progress: &progress)
            let delivered = try writer.delivered(through: last, progress: &progress)
            try counters.add("stream", perMessageOf: count, to: &bench.results)
            bench.results.add("messages_per_second", Double(count) / (delivered - began).seconds)
            bench.results.add("stream_messages_per_batch", Double(count) / Double(max(1, writer.receipts - receipts)))
            bench.wrote(count)
            bench.results.add("ideal_messages_per_second", ideal.throughput(count))
        }
    }
}
