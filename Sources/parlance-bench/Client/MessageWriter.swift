import Foundation

/// Writes messages to one peer through a daemon, and follows how far they are delivered.
final class MessageWriter {
    private let connection: ControlConnection
    private let to: String
    /// `{"who":"Bob","text":"`
    private let parametersStart: [UInt8]
    /// The sequence number of the last delivered message, and when the event arrived.
    private var delivered: (sequence: UInt64, at: ContinuousClock.Instant)
    /// How many times `delivered` has advanced: each receipt covers a batch of messages.
    private(set) var receipts = 0
    private var connectedAt: ContinuousClock.Instant?
    private var letters: [UInt8] = []
    /// The words of texts; without it they consist of letters.
    var vocabulary: Vocabulary?

    /// - Parameter to: the name of a peer; a conversation with it must exist.
    init(socket: String, to: String) throws {
        struct History: Decodable {
            struct Conversation: Decodable {
                let id: String
            }

            let conversation: Conversation
        }
        self.to = to
        connection = try ControlConnection(socket)
        delivered = (0, .now)
        let who = String(decoding: try JSONEncoder().encode(to), as: UTF8.self)
        parametersStart = Array("{\"who\":\(who),\"text\":\"".utf8)
        let history: History = try connection.call("history", ["who": to, "limit": 1])
        try subscribe(["events": ["status", "failed"], "conversation": history.conversation.id])
        try subscribe(["events": ["peer"]])
    }

    private func subscribe(_ filter: [String: Any]) throws {
        let line = try connection.reply(to: "subscribe", filter, other: received)
        _ = try ControlConnection.result(of: line, as: ControlConnection.Anything.self)
    }

    /// Sends one message and waits until it is delivered.
    ///
    /// - Returns: the milliseconds from the request to the event `delivered`.
    func deliverOne(_ number: Int, size: Int) throws -> Double {
        let began = ContinuousClock.now
        let id = ask(number, size)
        var sequence: UInt64?
        while sequence.map({ $0 > delivered.sequence }) ?? true {
            try connection.exchange { line in
                guard let answered = line.replyID else { return try received(line) }
                if answered == id { sequence = try Self.sequence(line) }
            }
        }
        return (delivered.at - began).milliseconds
    }

    /// Sends messages, with up to `window` unanswered requests at a time, until all are answered.
    ///
    /// - Returns: the sequence number of the last message.
    func send(_ count: Int, size: Int, window: Int, progress: inout Progress) throws -> UInt64 {
        var asked = min(window, count)
        for number in 0..<asked { ask(number, size) }
        var answered = 0
        var greatest: (id: UInt64, sequence: UInt64) = (0, 0)
        while answered < count {
            try connection.exchange { line in
                guard let id = line.replyID else { return try received(line) }
                answered += 1
                let sequence = try Self.sequence(line)
                if id > greatest.id { greatest = (id, sequence) }
                if asked < count {
                    ask(asked, size)
                    asked += 1
                }
            }
            progress.reached(answered)
        }
        return greatest.sequence
    }

    /// Waits until a message is delivered.
    ///
    /// - Returns: when the event arrived.
    func delivered(through sequence: UInt64, progress: inout Progress) throws -> ContinuousClock.Instant {
        let begin = delivered.sequence
        while delivered.sequence < sequence {
            try connection.exchange(received)
            progress.reached(Int(delivered.sequence - begin))
        }
        return delivered.at
    }

    /// Calls `act`, which makes the peer connect, and waits until the peer is connected.
    func connected(after act: () throws -> Void) throws -> ContinuousClock.Instant {
        connectedAt = nil
        try act()
        while true {
            if let connectedAt { return connectedAt }
            try connection.exchange(received)
        }
    }

    /// The text of a message is its number, and letters or words up to the size.
    @discardableResult
    private func ask(_ number: Int, _ size: Int) -> UInt64 {
        var parameters = parametersStart
        parameters.reserveCapacity(parametersStart.count + size + 3)
        parameters.append(decimal: UInt64(number))
        parameters.append(UInt8(ascii: " "))
        while vocabulary != nil, parameters.count - parametersStart.count < size {
            parameters += vocabulary?.next() ?? []
            parameters.append(UInt8(ascii: " "))
        }
        let rest = size - (parameters.count - parametersStart.count)
        if rest > letters.count { letters = [UInt8](repeating: UInt8(ascii: "x"), count: rest) }
        if rest > 0 { parameters.append(contentsOf: letters.prefix(rest)) }
        parameters.append(literal: "\"}")
        return connection.ask("send", parameters)
    }

    private static func sequence(_ line: DaemonLine) throws -> UInt64 {
        guard let sequence = line.number(after: "\"sequence\":") else { throw BenchError("not sent: \(line.text)") }
        return sequence
    }

    private func received(_ line: DaemonLine) throws {
        if line.isEvent("status\"") {
            guard line.has("\"status\":\"delivered\"") || line.has("\"status\":\"read\""),
                let sequence = line.number(after: "\"sequence\":"), sequence > delivered.sequence
            else { return }
            delivered = (sequence, .now)
            receipts += 1
        } else if line.isEvent("peer\"") {
            if line.text.contains("\"displayName\":\"\(to)\""), line.has("\"connected\":true") { connectedAt = .now }
        } else {
            throw BenchError("the daemon says: \(line.text)")
        }
    }
}
