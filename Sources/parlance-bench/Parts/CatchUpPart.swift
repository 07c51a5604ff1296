import Foundation

/// Delivery of the messages that a peer missed while its daemon did not run, from its connection to the last message.
enum CatchUpPart: Part {
    static let name = "catchup"
    static let about = "messages a second when a peer comes back, with its memory and signature checks"

    private static let size = 200

    static func measure(_ bench: Bench) throws {
        let nodes = try bench.nodes()
        let ideal = Ideal(bench)
        let count = bench.amounts.missed
        bench.results.add("missed_messages", Double(count))
        for round in 1...bench.amounts.catchUpRounds {
            let which = "\(round) of \(bench.amounts.catchUpRounds)"
            Progress.note("Bob misses \(Table.number(Double(count))) messages and catches up, \(which)")
            try nodes.bob.stop()
            bench.results.add("ideal_caught_up_per_second", ideal.throughput(count))
            let writer = try nodes.writer()
            var progress = Progress(of: count, "messages written")
            let last = try writer.send(count, size: size, window: bench.amounts.window, progress: &progress)
            bench.wrote(count)
            try catchUp(bench, nodes, writer, through: last)
        }
        try nodes.startBob()
    }

    /// Starts Bob's daemon, and stops it when it has all messages.
    private static func catchUp(
        _ bench: Bench,
        _ nodes: NodePair,
        _ writer: MessageWriter,
        through last: UInt64
    ) throws {
        let count = bench.amounts.missed
        let checks = SignatureChecks(bench)
        let receipts = writer.receipts
        let began = try writer.connected {
            try nodes.bob.spawn(nodes.bobArguments, variables: checks.variables)
        }
        let counters = try PairCounters(nodes)
        var progress = Progress(of: count, "messages delivered")
        let delivered = try writer.delivered(through: last, progress: &progress)
        try counters.add("caught_up", perMessageOf: count, to: &bench.results)
        bench.results.add("caught_up_per_second", Double(count) / (delivered - began).seconds)
        bench.results.add("caught_up_messages_per_batch", Double(count) / Double(max(1, writer.receipts - receipts)))
        bench.results.add("caught_up_peak_rss_mb", ProcessFiles.peakMegabytes(try nodes.bob.pid))
        try nodes.bob.stop()
        bench.results.add("caught_up_checks_per_message", checks.count().map { $0 / Double(count) })
    }
}
