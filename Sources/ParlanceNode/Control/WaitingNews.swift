import ParlanceRecords
import ParlanceStore
import ParlanceWire

/// Tracks the messages published while they wait for what they refer to, and the departures published before their logs
/// come, so that each is published once, and withdrawn if it is never projected.
struct WaitingNews {
    typealias Read = @Sendable (ConversationID, HistoryOverlay) -> Void

    /// Reads the waiting messages of the given logs of a conversation, and the lines about the given departures.
    var read: Read?
    /// The messages published as waiting and not projected yet.
    private var told: [ConversationID: [EventID: EventReference]] = [:]
    private var readings: [ConversationID: Reading] = [:]

    private struct Reading {
        /// The messages projected since the reading began.
        var came: Set<EventID> = []
        /// What to read after it.
        var next: HistoryOverlay?
    }

    /// The outcome of a reading.
    struct News {
        /// The messages to publish.
        var new: [ShownMessage] = []
        /// The messages to withdraw.
        var gone: [EventID] = []
        /// What to read next, and the function that reads it.
        var next: (lines: HistoryOverlay, read: Read)?
    }

    /// Starts a reading, because the waiting messages of a conversation may have changed.
    ///
    /// - Returns: the function that reads the lines now; `nil` if a reading is under way (these lines follow it) or
    ///   nobody reads.
    mutating func begin(_ conversation: ConversationID, _ lines: HistoryOverlay) -> Read? {
        guard readings[conversation] == nil else {
            readings[conversation]?.next = lines
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
        if let lines = reading.next, let read = begin(conversation, lines) { news.next = (lines, read) }
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
