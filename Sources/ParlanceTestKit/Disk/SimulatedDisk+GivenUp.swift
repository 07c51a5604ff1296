import ParlanceCore
import ParlanceWire

// What is not awaited any more (events.md, "Given up").
extension SimulatedDisk {
    func isGivenUp(_ reference: EventReference, _ conversation: ConversationID) -> Bool {
        givenUp[conversation]?.contains(reference.id) == true
    }

    /// What the next event of a log refers to and what is not applied.
    func awaited(by key: LogKey) -> [String] {
        guard let log = logs[key], let next = log.events.dropFirst(log.effective.count).first else { return [] }
        return next.header.references.filter { reference in
            guard !isGivenUp(reference, key.conversation) else { return false }
            return held(reference, key.conversation).map { !isApplied($0.event) } ?? true
        }
        .map { reference in
            let isHeld = held(reference, key.conversation) != nil
            return "\(reference.id) \(reference.log.short) \(reference.sequence) (\(isHeld ? "held" : "not held"))"
        }
    }

    /// Gives up what the next events of waiting logs refer to and what they wait for. All logs are then looked at again.
    mutating func giveUp(_ row: GivenUp, _ changed: inout Changed) {
        for name in row.logs {
            guard let log = logs[LogKey(row.conversation, name)] else { continue }
            let waiting = log.events.dropFirst(log.effective.count).prefix(Limits.givenUpEvents)
            for (place, event) in waiting.enumerated() {
                for reference in event.header.references where row.authors.contains(reference.log.author) {
                    let found = held(reference, row.conversation)?.event
                    let isAwaited = found.map { place == 0 && !isApplied($0) } ?? true
                    if isAwaited { givenUp[row.conversation, default: []].insert(reference.id) }
                }
            }
        }
        changed.touched += logs.keys.filter { $0.conversation == row.conversation }.sorted { $0.log < $1.log }
    }
}
