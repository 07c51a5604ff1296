import Foundation

/// The assistant: the search among embeddings, and what a daemon needs for it, without and with the embedding model.
enum AssistantPart: Part {
    static let name = "assistant"
    static let about = "the assistant's scans, memory and file"

    /// How long it may take to read all messages, in seconds.
    private static let readingSeconds = 600
    /// The model has been dropped if the daemon needs so much less memory.
    private static let droppedMegabytes = 10.0
    /// More than the 5 minutes without use after which the daemon drops it, and the time until it notices.
    private static let dropSeconds = 420
    private static let seed = 11
    private static let scanSeconds = 600
    private static let questions = [
        "Where is the spare key?", "Who asked about the budget?", "When does the meeting begin?", "What is closed?",
        "Which delivery has to wait for the weather?",
    ]

    static func measure(_ bench: Bench) throws {
        try scan(bench)
        // Of its own: with the messages of the other parts the model would be busy for hours.
        let nodes = try NodePair(in: "\(bench.folder)/a", program: bench.program("parlanced"))
        let count = bench.amounts.read
        Progress.note("Writing \(Table.number(Double(count))) messages for the assistant")
        var (chatter, progress) = (Chatter(), Progress(of: count, "messages"))
        let connection = try ControlConnection(nodes.ada.socket)
        for number in 0..<count {
            _ = try connection.reply(to: "send", ["who": nodes.bob.name, "text": chatter.next()])
            progress.reached(number)
        }
        bench.results.add("read_messages", Double(count))
        try restart(nodes)
        let off = try settled(nodes)
        bench.results.add("assistant_off_mb", off)
        try read(nodes, "assistant", ["on": true], bench, "assistant")
        try restart(nodes)
        bench.results.add("assistant_on_mb", try settled(nodes))
        if let model = bench.model {
            try measure(model, nodes, off: off, bench)
        } else {
            Progress.note("The embedding model is not here: what needs it is left out")
        }
        try nodes.ada.stop()
        try nodes.bob.stop()
    }

    private static func scan(_ bench: Bench) throws {
        let rounds = bench.amounts.scans
        Progress.note("\(rounds) scans each of 100,000 and 1,000,000 random embeddings (seed \(seed))")
        let figures = try Program.figures(
            of: [bench.program("parlance-scan"), "--rounds", "\(rounds)", "--seed", "\(seed)"],
            in: bench.folder,
            within: scanSeconds
        )
        for (count, name) in [("100000", "scan_100k"), ("1000000", "scan_1m")] {
            bench.results.add("\(name)_ms", figures["\(count)_p50_ms"])
            bench.results.add("\(name)_p95_ms", figures["\(count)_p95_ms"])
        }
    }

    private static func measure(_ model: String, _ nodes: NodePair, off: Double?, _ bench: Bench) throws {
        try read(nodes, "assistant.model", ["path": model], bench, "assistant_model")
        bench.results.add("assistant_peak_mb", ProcessFiles.peakMegabytes(try nodes.ada.pid))
        try restart(nodes)
        _ = try settled(nodes)
        let connection = try ControlConnection(nodes.ada.socket)
        for (number, question) in questions.enumerated() {
            let began = ContinuousClock.now
            let answer: Answer = try connection.call("ask", ["question": question, "limit": 5])
            let milliseconds = (ContinuousClock.now - began).milliseconds
            bench.results.add(number == 0 ? "assistant_first_question_ms" : "assistant_question_ms", milliseconds)
            guard answer.model.name != "rules" else { throw BenchError("the model did not answer") }
        }
        let process = try nodes.ada.pid
        guard let used = try settled(nodes) else { return }
        bench.results.add("assistant_model_mb", used)
        bench.results.add("assistant_growth_mb", off.map { used - $0 })
        guard bench.amounts.waitsForDrop else { return }
        Progress.note("Waiting until the model is dropped")
        let began = ContinuousClock.now
        while let now = ProcessFiles.residentMegabytes(process), now > used - droppedMegabytes {
            guard .now - began < .seconds(dropSeconds) else { break }
            poll(nil, 0, 1_000)
        }
        bench.results.add("assistant_dropped_mb", try settled(nodes))
    }

    private struct Answer: Decodable {
        struct Model: Decodable {
            let name: String
        }

        let model: Model
    }

    private struct Info: Decodable {
        let messages: Int?
        let reading: Bool?
        let bytes: Int?
    }

    /// Has all messages read, and adds how long one takes, and the bytes of the file for it.
    private static func read(
        _ nodes: NodePair,
        _ method: StaticString,
        _ parameters: [String: Any],
        _ bench: Bench,
        _ name: String
    ) throws {
        Progress.note("The assistant reads all messages: \(method)")
        let connection = try ControlConnection(nodes.ada.socket)
        let began = ContinuousClock.now
        var info: Info = try connection.call(method, parameters)
        while info.reading == true || info.messages ?? 0 < bench.amounts.read {
            guard .now - began < .seconds(readingSeconds) else { throw BenchError("the assistant is still reading") }
            poll(nil, 0, 20)
            info = try connection.call("assistant")
        }
        let count = Double(max(1, info.messages ?? 0))
        bench.results.add("\(name)_reading_ms", (ContinuousClock.now - began).milliseconds / count)
        bench.results.add("\(name)_bytes_per_message", info.bytes.map { Double($0) / count })
    }

    /// Starts Ada's daemon anew: what it needed for earlier work is not counted.
    private static func restart(_ nodes: NodePair) throws {
        try nodes.ada.stop()
        try nodes.startAda()
    }

    /// Ada's resident memory once she has nothing to do.
    private static func settled(_ nodes: NodePair) throws -> Double? {
        let process = try nodes.ada.pid
        try IdlePart.settle(process)
        return ProcessFiles.residentMegabytes(process)
    }
}
