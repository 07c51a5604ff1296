import ParlanceCore
import ParlanceWire

/// Writes the events of one log as its author would, well-formed or not.
struct LogWriter {
    let conversation: ConversationID
    let log: LogID
    private(set) var events: [StoredEvent] = []
    var time: UInt64

    init(_ conversation: ConversationID, _ log: LogID, time: UInt64 = 1_760_000_000_000 << 16) {
        self.conversation = conversation
        self.log = log
        self.time = time
    }

    /// The last event, as others name it.
    var reference: EventReference? { reference(to: UInt64(events.count)) }

    func reference(to sequence: UInt64) -> EventReference? {
        guard sequence >= 1, sequence <= events.count else { return nil }
        return EventReference(log: log, sequence: sequence, id: events[Int(sequence) - 1].id)
    }

    @discardableResult
    mutating func say(_ text: String, after: [EventReference] = [], signed: Bool = true) -> StoredEvent {
        var body = WireMessageBody()
        body.text = text
        return append(.message, body: body.encodedBytes(), after: after, signed: signed)
    }

    @discardableResult
    mutating func withdraw(_ sequence: UInt64, after: [EventReference] = []) -> StoredEvent {
        var body = WireWithdrawBody()
        body.sequence = sequence
        return append(.withdraw, body: body.encodedBytes(), after: after)
    }

    @discardableResult
    mutating func append(
        _ kind: EventKind,
        body: [UInt8]?,
        after: [EventReference] = [],
        signed: Bool = true,
        advance: UInt64 = 1 << 16
    ) -> StoredEvent {
        time += advance
        let header = EventHeader(
            conversation: conversation,
            log: log,
            sequence: UInt64(events.count) + 1,
            previous: events.last?.id,
            time: EventTime(raw: time),
            dependencies: after,
            kind: kind,
            bodyHash: Bytes32(hashingBody: body ?? [])
        )
        let bytes = header.encoded()
        let event = StoredEvent(
            id: EventID(hashing: bytes),
            header: header,
            headerBytes: bytes,
            body: body,
            signature: signed ? [UInt8](repeating: UInt8(truncatingIfNeeded: events.count), count: 64) : nil
        )
        events.append(event)
        return event
    }
}
