import ParlanceRecords
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
}
