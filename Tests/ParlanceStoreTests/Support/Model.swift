import ParlanceCore
import ParlanceWire

/// What a store has to hold, kept in dictionaries and projected by going over everything until nothing changes.
struct Model {
    let me: PeerID
    var conversations: [ConversationRecord] = []
    var logs: [LogKey: [StoredEvent]] = [:]
    var signed: [LogKey: UInt64] = [:]
    var named: [LogKey: UInt64] = [:]
    var watermarks: [WatermarkRecord.Key: WatermarkRecord] = [:]

    init(me: PeerID) { self.me = me }

    mutating func take(_ event: StoredEvent) {
        let key = LogKey(event.header.conversation, event.header.log)
        logs[key, default: []].append(event)
        if event.signature != nil { signed[key] = event.header.sequence }
    }

    struct Projection: Equatable {
        var applied: [LogKey: Int] = [:]
        var effective: [EventID: UInt64] = [:]
        var messages: [EventID: ShownMessage] = [:]
        var emptied: Set<EventID> = []
    }

    func project() -> Projection {
        var result = Projection()
        var again = true
        while again {
            again = false
            for (key, events) in logs {
                while result.applied[key, default: 0] < events.count,
                    apply(events[result.applied[key, default: 0]], key, &result)
                {
                    again = true
                }
            }
        }
        return result
    }

    private func apply(_ event: StoredEvent, _ key: LogKey, _ result: inout Projection) -> Bool {
        let index = result.applied[key, default: 0]
        let before = index == 0 ? nil : logs[key]?[index - 1]
        var earlier: [UInt64] = before.flatMap { result.effective[$0.id] }.map { [$0] } ?? []
        for reference in event.header.dependencies {
            let other = LogKey(key.conversation, reference.log)
            guard reference.sequence <= result.applied[other, default: 0],
                logs[other]?[Int(reference.sequence) - 1].id == reference.id,
                let effective = result.effective[reference.id]
            else { return false }
            earlier.append(effective)
        }
        let effective = Projector.effective(time: event.header.time, after: earlier)
        result.effective[event.id] = effective
        result.applied[key] = index + 1
        let predecessor = before.map { Projector.Applied(id: $0.id, time: $0.header.time, effective: 0) }
        switch Projector.judge(event, after: predecessor) {
        case .message(let text):
            result.messages[event.id] = ShownMessage(
                id: event.id,
                conversation: key.conversation,
                log: key.log,
                sequence: event.header.sequence,
                time: event.header.time,
                effective: effective,
                text: text
            )
        case .withdraw(let sequence):
            guard let target = logs[key]?[Int(sequence) - 1], target.header.kind == .message else { break }
            result.messages[target.id] = nil
            result.emptied.insert(target.id)
        case .nothing, .void: break
        }
        return true
    }
}

// What a store's answers have to be.
extension Model {
    func history(_ conversation: ConversationID, _ projection: Projection) -> [ShownMessage] {
        projection.messages.values.filter { $0.conversation == conversation }
            .sorted { ($0.effective, $0.id) < ($1.effective, $1.id) }
    }

    func unread(_ conversation: ConversationID, _ projection: Projection) -> Int {
        projection.messages.values.filter { message in
            message.conversation == conversation && message.log.author != me
                && message.sequence > readThrough(conversation, message.log)
        }.count
    }

    private func readThrough(_ conversation: ConversationID, _ log: LogID) -> UInt64 {
        watermarks.values.filter {
            $0.key.conversation == conversation && $0.key.log == log && $0.key.member == me && $0.key.level == .read
        }.map(\.position.sequence).max() ?? 0
    }

    /// Sequences of messages held without a body that no event held withdraws.
    private func missing(_ events: [StoredEvent]) -> [UInt64] {
        var missing: Set<UInt64> = []
        for event in events {
            if event.header.kind == .message, event.body == nil { missing.insert(event.header.sequence) }
            if case .withdraw(let sequence) = Projector.judge(event, after: nil) { missing.remove(sequence) }
        }
        return missing.sorted()
    }

    func records(_ projection: Projection) -> [LogRecord] {
        logs.map { key, events in
            let position = events.last?.position ?? .start
            let applied = projection.applied[key, default: 0]
            let signedThrough = signed[key].map { events[Int($0) - 1].position } ?? .start
            return LogRecord(
                conversation: key.conversation,
                log: key.log,
                position: position,
                time: events.last?.header.time ?? EventTime(raw: 0),
                signedThrough: signedThrough,
                applied: applied == 0 ? .start : events[applied - 1].position,
                namedThrough: named[key, default: 0],
                missingBodies: missing(events)
            )
        }.sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) }
    }

    /// The events as they are to be read back: without the bodies that withdrawals dropped.
    func events(_ key: LogKey, _ projection: Projection) -> [StoredEvent] {
        (logs[key] ?? []).map { event in
            var event = event
            if projection.emptied.contains(event.id) { event.body = nil }
            return event
        }
    }
}
