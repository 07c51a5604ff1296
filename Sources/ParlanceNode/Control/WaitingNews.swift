import ParlanceRecords
import ParlanceWire

/// Tracks the lines about departures that are published before the log comes that contains the departure, so that each is
/// published once.
struct DepartureNews {
    typealias Read = @Sendable (ConversationID, [EventID]) -> Void

    /// Reads the lines about the given departures, as far as they are in no log that is applied.
    var read: Read?
    private var reading: Set<EventID> = []
    private var told: Set<EventID> = []

    /// Starts a reading.
    mutating func begin(_ departures: [EventID]) -> Read? {
        if read != nil { reading.formUnion(departures) }
        return read
    }

    /// Ends the reading of some departures.
    ///
    /// - Returns: the lines to publish.
    mutating func end(_ departures: [EventID], _ lines: [ShownMessage]) -> [ShownMessage] {
        let new = lines.filter { reading.contains($0.id) }
        reading.subtract(departures)
        told.formUnion(new.map(\.id))
        return new
    }

    /// Records that a line was projected.
    ///
    /// - Returns: whether it was published before.
    mutating func came(_ line: EventID) -> Bool {
        reading.remove(line)
        return told.remove(line) != nil
    }
}

/// Tracks the messages published while they wait for what they refer to, so that each is published once, and withdrawn
/// if it is never projected.
struct WaitingNews {
    typealias Read = @Sendable (ConversationID, Set<LogID>) -> Void

    /// Reads the waiting messages of the given logs of a conversation.
    var read: Read?
    /// The messages published as waiting and not projected yet.
    private var told: [ConversationID: [EventID: EventReference]] = [:]
    private var readings: [ConversationID: Reading] = [:]

    private struct Reading {
        /// The messages projected since the reading began.
        var came: Set<EventID> = []
        /// The logs to read after it.
        var next: Set<LogID>?
    }

    /// The outcome of a reading.
    struct News {
        /// The messages to publish.
        var new: [ShownMessage] = []
        /// The messages to withdraw.
        var gone: [EventID] = []
        /// The logs to read next, and the function that reads them.
        var next: (logs: Set<LogID>, read: Read)?
    }

    /// Starts a reading, because the waiting messages of a conversation may have changed.
    ///
    /// - Returns: the function that reads the logs now; `nil` if a reading is under way (these logs follow it) or
    ///   nobody reads.
    mutating func begin(_ conversation: ConversationID, _ logs: Set<LogID>) -> Read? {
        guard readings[conversation] == nil else {
            readings[conversation]?.next = logs
            return nil
        }
        if read != nil { readings[conversation] = Reading() }
        return read
    }

    /// The messages published as waiting in a conversation and not projected yet.
    func waiting(in conversation: ConversationID) -> [EventReference] {
        told[conversation].map { Array($0.values) } ?? []
    }

    /// Ends a reading.
    ///
    /// - Parameter gone: messages that neither wait nor were projected.
    mutating func end(_ conversation: ConversationID, _ messages: [ShownMessage], gone: [EventID]) -> News {
        var news = News()
        guard let reading = readings.removeValue(forKey: conversation) else { return news }
        var waiting = told[conversation] ?? [:]
        news.gone = gone.filter { waiting.removeValue(forKey: $0) != nil }
        news.new = messages.filter { waiting[$0.id] == nil && !reading.came.contains($0.id) }
        for message in news.new { waiting[message.id] = message.reference }
        told[conversation] = waiting.isEmpty ? nil : waiting
        if let logs = reading.next, let read = begin(conversation, logs) { news.next = (logs, read) }
        return news
    }

    /// Records that a message was projected.
    ///
    /// - Returns: whether it was published before, as waiting.
    mutating func came(_ message: ShownMessage) -> Bool {
        guard !told.isEmpty || !readings.isEmpty else { return false }
        let conversation = message.conversation
        readings[conversation]?.came.insert(message.id)
        guard told[conversation]?.removeValue(forKey: message.id) != nil else { return false }
        if told[conversation]?.isEmpty == true { told[conversation] = nil }
        return true
    }
}
