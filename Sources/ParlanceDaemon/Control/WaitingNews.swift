import ParlanceCore
import ParlanceWire

/// Which messages watchers were told of before what these refer to was here, so that each is told once.
struct WaitingNews {
    typealias Read = @Sendable (ConversationID, Set<LogID>) -> Void

    /// Reads what waits in some logs of a conversation.
    var read: Read?
    private var told: Set<EventID> = []
    /// What came since a reading began that is under way, and how many there are.
    private var readings: [ConversationID: (came: Set<EventID>, count: Int)] = [:]

    /// A reading begins.
    mutating func begin(_ conversation: ConversationID) -> Read? {
        readings[conversation, default: ([], 0)].count += 1
        return read
    }

    /// A reading has ended.
    ///
    /// - Returns: what is to be told.
    mutating func end(_ conversation: ConversationID, _ messages: [ShownMessage]) -> [ShownMessage] {
        guard var reading = readings.removeValue(forKey: conversation) else { return [] }
        let new = messages.filter { !told.contains($0.id) && !reading.came.contains($0.id) }
        told.formUnion(new.map(\.id))
        reading.count -= 1
        if reading.count > 0 { readings[conversation] = reading }
        return new
    }

    /// A message stands in its place.
    ///
    /// - Returns: whether it was told of before.
    mutating func came(_ message: ShownMessage) -> Bool {
        readings[message.conversation]?.came.insert(message.id)
        return told.remove(message.id) != nil
    }
}
