import Foundation

/// The last page of a long conversation, over the socket and as the whole command.
enum HistoryPart: Part {
    static let name = "history"
    static let about = "the last page of a long conversation"

    private static let limit = 50

    static func measure(_ bench: Bench) throws {
        let nodes = try bench.nodes()
        try bench.fill(to: bench.amounts.long)
        bench.results.add("long_messages", Double(bench.messages))
        Progress.note("Opening the last page \(bench.amounts.pages) times")
        // A fresh daemon has a cold cache, so its first page is reported separately.
        try nodes.ada.stop()
        try nodes.startAda()
        let connection = try ControlConnection(nodes.ada.socket)
        for round in 0..<bench.amounts.pages {
            let milliseconds = try page(connection, of: nodes.bob.name)
            if round == 0 { bench.results.add("first_page_ms", milliseconds) }
            bench.results.add("page_ms", milliseconds)
        }
        for _ in 0..<bench.amounts.pages {
            let command = ["history", nodes.bob.name, "--limit", "\(limit)"]
            bench.results.add("history_command_ms", try bench.command(command, of: nodes.ada))
        }
    }

    /// Milliseconds from the request to the reply.
    private static func page(_ connection: ControlConnection, of who: String) throws -> Double {
        struct Page: Decodable {
            let messages: [ControlConnection.Anything]
        }
        let began = ContinuousClock.now
        let line = try connection.reply(to: "history", ["who": who, "limit": limit])
        let elapsed = ContinuousClock.now - began
        let page: Page = try ControlConnection.result(of: line)
        guard page.messages.count == limit else { throw BenchError("the page has not \(limit) messages") }
        return elapsed.milliseconds
    }
}
