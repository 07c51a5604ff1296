/// Time from the request on the control socket to `delivered`, one message at a time.
enum LatencyPart: Part {
    static let name = "latency"
    static let about = "from sent to delivered, one message at a time"

    private static let warm = 100
    private static let size = 150

    static func measure(_ bench: Bench) throws {
        let nodes = try bench.nodes()
        let ideal = Ideal(bench)
        let count = bench.amounts.latency
        for round in 1...bench.amounts.rounds {
            Progress.note("\(count) messages one at a time, round \(round) of \(bench.amounts.rounds)")
            let writer = try nodes.writer()
            for number in 0..<warm { _ = try writer.deliverOne(number, size: size) }
            let counters = try PairCounters(nodes)
            var milliseconds: [Double] = []
            var progress = Progress(of: count, "messages")
            for number in 0..<count {
                milliseconds.append(try writer.deliverOne(number, size: size))
                progress.reached(number)
            }
            try counters.add("alone", perMessageOf: count, to: &bench.results)
            milliseconds.sort()
            bench.results.add("send_to_delivered_p50_ms", milliseconds.percentile(50))
            bench.results.add("send_to_delivered_p99_ms", milliseconds.percentile(99))
            bench.wrote(warm + count)
            if let figures = ideal.latency(count) {
                bench.results.add("ideal_p50_ms", figures.p50)
                bench.results.add("ideal_p99_ms", figures.p99)
            }
        }
        bench.results.add("rounds", Double(bench.amounts.rounds))
    }
}
