/// Time from the start of a daemon until it answers, with many messages stored.
enum ReadyPart: Part {
    static let name = "ready"
    static let about = "from a daemon's start until it answers, with a long conversation"

    static func measure(_ bench: Bench) throws {
        let nodes = try bench.nodes()
        try bench.fill(to: bench.amounts.long)
        bench.results.add("stored_messages", Double(bench.messages))
        try nodes.ada.stop()
        Progress.note("Starting Ada's daemon \(bench.amounts.starts) times")
        for _ in 0..<bench.amounts.starts {
            bench.results.add("ready_ms", try nodes.ada.start(nodes.adaArguments))
            try nodes.ada.stop()
        }
        try nodes.startAda()
    }
}
