package import ParlanceRecords
import ParlanceWire

extension ShownMessage {
    package init(_ event: StoredEvent, effective: UInt64, content: Content) {
        let header = event.header
        self.init(
            id: event.id,
            conversation: header.conversation,
            log: event.log,
            sequence: header.sequence,
            time: event.writtenTime,
            effective: effective,
            content: content
        )
    }

    /// The line that shows that a log is forked.
    ///
    /// - Parameter event: the event that the line precedes.
    init(forkAt event: StoredEvent, id: EventID, effective: UInt64) {
        self.init(event, effective: effective, content: .note(.forked))
        self.id = id
    }
}
