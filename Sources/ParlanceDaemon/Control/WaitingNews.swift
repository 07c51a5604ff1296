import ParlanceCore
import ParlanceWire

/// Which messages watchers were told of before what these refer to was here, so that each is told once, and taken back if it
/// never stands in its place.
struct WaitingNews {
    typealias Read = @Sendable (ConversationID, Set<LogID>) -> Void

    /// Reads what waits in some logs of a conversation.
    var read: Read?
    /// Those that have not come.
    private var told: [ConversationID: [EventID: EventReference]] = [:]
    private var readings: [ConversationID: Reading] = [:]

    private struct Reading {
        /// What came since it began.
        var came: Set<EventID> = []
        /// What is to be read after it.
        var next: Set<LogID>?
    }

    /// What has come of a reading.
    struct News {
        /// What is to be told.
        var new: [ShownMessage] = []
        /// What is to be taken back.
        var gone: [EventID] = []
        /// What is to be read next, and who reads it.
        var next: (logs: Set<LogID>, read: Read)?
    }

    /// Some logs of a conversation wait, or have waited.
    ///
    /// - Returns: who reads them now; `nil` if that follows the reading that is under way.
    mutating func begin(_ conversation: ConversationID, _ logs: Set<LogID>) -> Read? {
        guard readings[conversation] == nil else {
            readings[conversation]?.next = logs
            return nil
        }
        if read != nil { readings[conversation] = Reading() }
        return read
    }

    /// What was told in a conversation and has not come.
    func waiting(in conversation: ConversationID) -> [EventReference] {
        told[conversation].map { Array($0.values) } ?? []
    }

    /// A reading has ended.
    ///
    /// - Parameter gone: what neither waits nor stands in its place.
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

    /// A message stands in its place.
    ///
    /// - Returns: whether it was told of before.
    mutating func came(_ message: ShownMessage) -> Bool {
        let conversation = message.conversation
        readings[conversation]?.came.insert(message.id)
        guard told[conversation]?.removeValue(forKey: message.id) != nil else { return false }
        if told[conversation]?.isEmpty == true { told[conversation] = nil }
        return true
    }
}
