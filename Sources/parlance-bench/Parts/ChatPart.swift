import Foundation

/// Time from a key to the screen of `parlance chat`, while messages arrive.
enum ChatPart: Part {
    static let name = "chat"
    static let about = "from a key to the chat screen, while messages arrive"

    private static let perSecond = 200
    /// Between two keys: a fast typist has 100 ms.
    private static let pauseMilliseconds = 30
    private static let warmMilliseconds = 5_000
    /// Letters that no message has.
    private static let letters = Array("αβγδεζηθλμξπρσφχψω")

    static func measure(_ bench: Bench) throws {
        let nodes = try bench.nodes()
        let terminal = try PseudoTerminal(height: 40, width: 120)
        let process = try ChildProcess(
            [bench.program("parlance"), "chat", nodes.ada.name],
            output: terminal.path,
            errors: "\(bench.folder)/chat.log",
            environment: nodes.bob.environment.merging(["TERM": "xterm-256color"]) { $1 },
            input: terminal.path
        )
        defer { process.stop() }
        guard terminal.wait(for: "1 connected", milliseconds: 10_000) != nil else {
            throw BenchError("the chat screen shows nothing")
        }
        let writer = SteadyWriter(socket: nodes.ada.socket, to: nodes.bob.name, perSecond: perSecond)
        let began = ContinuousClock.now
        writer.begin()
        let typed = Result { try type(bench.amounts.keys, on: terminal) }
        let sent = try writer.end()
        let seconds = (ContinuousClock.now - began).milliseconds / 1000
        let milliseconds = try typed.get().sorted()
        bench.wrote(sent)
        bench.results.add("chat_messages_per_second", (Double(sent) / seconds).rounded())
        bench.results.add("chat_key_p50_ms", milliseconds.percentile(50))
        bench.results.add("chat_key_p99_ms", milliseconds.percentile(99))
    }

    /// Types letters, and waits for each.
    ///
    /// - Returns: the milliseconds that each took.
    private static func type(_ count: Int, on terminal: PseudoTerminal) throws -> [Double] {
        Progress.note("\(count) keys while \(perSecond) messages a second arrive")
        // Until the history on the screen is as long as it gets.
        terminal.drain(milliseconds: warmMilliseconds)
        var milliseconds: [Double] = []
        var progress = Progress(of: count, "keys")
        for number in 0..<count {
            let letter = String(letters[number % letters.count])
            let began = ContinuousClock.now
            terminal.type(letter)
            guard let shown = terminal.wait(for: letter, milliseconds: 5_000) else {
                throw BenchError("the chat screen does not show what is typed")
            }
            milliseconds.append((shown - began).milliseconds)
            if number % letters.count == letters.count - 1 { terminal.type("\u{15}") }
            terminal.drain(milliseconds: pauseMilliseconds)
            progress.reached(number)
        }
        return milliseconds
    }
}
