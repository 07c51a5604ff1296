import Foundation

/// Searching a long conversation of words, over the socket and as the whole command.
enum SearchPart: Part {
    static let name = "search"
    static let about = "searching a long conversation"

    /// Bytes of a text: some 20 words.
    private static let size = 120
    /// How long the index may take for what was written, in seconds.
    private static let indexSeconds = 600

    static func measure(_ bench: Bench) throws {
        let nodes = try bench.nodes()
        let writer = try nodes.writer()
        writer.vocabulary = Vocabulary()
        let count = bench.amounts.searched
        Progress.note("Writing \(Table.number(Double(count))) messages of words")
        var progress = Progress(of: count, "messages")
        _ = try writer.send(count, size: size, window: bench.amounts.window, progress: &progress)
        bench.wrote(count)
        bench.results.add("searched_messages", Double(count))
        let connection = try ControlConnection(nodes.ada.socket)
        Progress.note("Waiting for the index")
        let began = ContinuousClock.now
        while try unsearched(connection) > 0 {
            guard (ContinuousClock.now - began).milliseconds < Double(indexSeconds * 1000) else {
                throw BenchError("the index took longer than \(indexSeconds) s")
            }
            poll(nil, 0, 100)
        }
        bench.results.add("index_seconds", (ContinuousClock.now - began).milliseconds / 1000)
        let words = Vocabulary()
        let (usual, seldom) = (words.word(0), words.word(Vocabulary.size - 10))
        // The dearest of each kind: words that most messages have, and words that many have and no message has together.
        let queries = [
            ("usual", usual), ("seldom", seldom), ("several", "\(usual) \(words.word(1)) \(words.word(2))"),
            ("phrase", "\"\(usual) \(words.word(1))\""), ("beginning", "\(usual.prefix(2))*"),
            ("part", "*\(words.word(100).dropFirst())*"), ("person", "\(seldom) from:me"),
            ("nothing", "\(usual) \(words.word(1)) before:1990"),
        ]
        Progress.note("Searching \(bench.amounts.pages) times for each of \(queries.count)")
        for (kind, query) in queries {
            for _ in 0..<bench.amounts.pages {
                let milliseconds = try search(connection, query)
                bench.results.add("search_\(kind)_ms", milliseconds)
                bench.results.add("search_ms", milliseconds)
            }
        }
        for _ in 0..<bench.amounts.pages {
            bench.results.add("search_command_ms", try bench.command(["search", usual], of: nodes.ada))
        }
    }

    private struct Reply: Decodable {
        let unsearched: Int?
    }

    private static func unsearched(_ connection: ControlConnection) throws -> Int {
        let reply: Reply = try connection.call("search", ["query": "anything", "limit": 1])
        return reply.unsearched ?? 0
    }

    /// Milliseconds from the request to the reply.
    private static func search(_ connection: ControlConnection, _ query: String) throws -> Double {
        let began = ContinuousClock.now
        let line = try connection.reply(to: "search", ["query": query])
        let elapsed = ContinuousClock.now - began
        let _: Reply = try ControlConnection.result(of: line)
        return elapsed.milliseconds
    }
}
