import ParlanceCore
import ParlanceWire

/// What a store must hold, kept in dictionaries and projected by repeating all steps until nothing changes.
struct Model {
    let me: PeerID
    var conversations: [ConversationRecord] = []
    /// The events with the bodies that are on disk, whether or not people may read these.
    var logs: [LogKey: [StoredEvent]] = [:]
    /// Every membership event that arrived, whether or not it is held.
    var membership: [ConversationID: [StoredEvent]] = [:]
    var signed: [LogKey: UInt64] = [:]
    var named: [LogKey: UInt64] = [:]
    var watermarks: [WatermarkRecord.Key: WatermarkRecord] = [:]

    init(me: PeerID) { self.me = me }

    /// Applies a batch in one step: bodies count if they were missing before, and the bodies of events that are gone
    /// for good are dropped.
    mutating func take(_ batch: PersistBatch) {
        let before = project()
        for found in batch.bodies {
            let key = LogKey(found.conversation, found.log)
            guard before.missing[key]?.contains(found.sequence) == true,
                let event = logs[key]?[Int(found.sequence) - 1],
                Bytes32(hashingBody: found.body) == event.header.bodyHash
            else { continue }
            logs[key]?[Int(found.sequence) - 1].body = found.body
        }
        for event in batch.membership { know(event) }
        for event in batch.events {
            let key = LogKey(event.header.conversation, event.header.log)
            logs[key, default: []].append(event)
            if event.signature != nil { signed[key] = event.header.sequence }
            if event.header.kind.isMembership { know(event) }
        }
        let gone = project().goneForGood
        for (key, events) in logs {
            for (index, event) in events.enumerated() where gone.contains(event.id) { logs[key]?[index].body = nil }
        }
    }

    /// The membership events that are held. They depend on the set that arrived, not on its order: the groups of these
    /// tests have too few events to reach a limit.
    var heldMembership: Set<EventID> { Set(membership.values.flatMap { Membership($0).events.map(\.id) }) }

    /// A watermark at sequence 0 removes the one with its key.
    mutating func take(_ record: WatermarkRecord) {
        watermarks[record.key] = record.position.sequence > 0 ? record : nil
    }

    private mutating func know(_ event: StoredEvent) {
        let id = event.header.conversation
        guard conversations.contains(where: { $0.id == id && $0.kind == .group }), MembershipChange(event) != nil,
            membership[id]?.contains(where: { $0.id == event.id }) != true
        else { return }
        membership[id, default: []].append(event)
    }

    struct Projection: Equatable {
        var applied: [LogKey: Int] = [:]
        var effective: [EventID: UInt64] = [:]
        var messages: [EventID: ShownMessage] = [:]
        var versions: [EventID: [[UInt8]?]] = [:]
        var missing: [LogKey: [UInt64]] = [:]
        var labels: [ConversationID: GroupLabel] = [:]
        var lifetimes: [ConversationID: LifetimeTerms] = [:]
        /// Events whose bodies may not be read.
        var gone: Set<EventID> = []
        /// Those of them whose bodies may not be on disk.
        var goneForGood: Set<EventID> = []
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
        var judging = Judging(self, result)
        judging.run()
        return judging.result
    }

    private func apply(_ event: StoredEvent, _ key: LogKey, _ result: inout Projection) -> Bool {
        let index = result.applied[key, default: 0]
        let before = index == 0 ? nil : logs[key]?[index - 1]
        var earlier: [UInt64] = before.flatMap { result.effective[$0.id] }.map { [$0] } ?? []
        for reference in event.header.references {
            let other = LogKey(key.conversation, reference.log)
            guard reference.sequence <= result.applied[other, default: 0],
                logs[other]?[Int(reference.sequence) - 1].id == reference.id,
                let effective = result.effective[reference.id]
            else { return false }
            earlier.append(effective)
        }
        result.effective[event.id] = Projector.effective(time: event.header.time, after: earlier)
        result.applied[key] = index + 1
        return true
    }
}

// The answers that a store must give.
extension Model {
    func history(_ conversation: ConversationID, _ projection: Projection) -> [ShownMessage] {
        projection.messages.values.filter { $0.conversation == conversation }
            .sorted { ($0.effective, $0.id) < ($1.effective, $1.id) }
    }

    func unread(_ conversation: ConversationID, _ projection: Projection) -> [ShownMessage] {
        projection.messages.values.filter { message in
            message.conversation == conversation && message.log.author != me && message.note == nil
                && message.rich?.deletion == nil && message.sequence > readThrough(conversation, message.log)
        }
    }

    private func readThrough(_ conversation: ConversationID, _ log: LogID) -> UInt64 {
        watermarks.values.filter {
            $0.key.conversation == conversation && $0.key.log == log && $0.key.member == me && $0.key.level == .read
        }.map(\.position.sequence).max() ?? 0
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
                missingBodies: projection.missing[key] ?? []
            )
        }.sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) }
    }
}
