import ParlanceAudit
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire

/// What a store was given, kept as it came. What the store must tell of it is computed by the auditor, `PlainHistory`.
struct Audit {
    let me: PeerID
    var conversations: [ConversationRecord] = []
    /// The events with the bodies that are on disk, whether or not people may read these.
    private(set) var logs: [LogKey: [StoredEvent]] = [:]
    /// Every event of this kind that came for a group, in a log or by itself.
    private var membership: [ConversationID: [StoredEvent]] = [:]
    var signed: [LogKey: UInt64] = [:]
    var named: [LogKey: UInt64] = [:]
    private(set) var watermarks: [WatermarkRecord.Key: WatermarkRecord] = [:]

    init(me: PeerID) { self.me = me }

    /// Takes a batch in one step: bodies count if they were missing before, and the bodies of events that are gone for good
    /// are dropped.
    ///
    /// - Parameter before: what the auditor found of everything before.
    /// - Returns: what it finds now.
    mutating func take(_ batch: PersistBatch, _ before: Findings) -> Findings {
        for found in batch.bodies {
            let key = LogKey(found.conversation, found.log)
            guard before.missing[key]?.contains(found.sequence) == true,
                let event = logs[key]?[Int(found.sequence) - 1],
                Bytes32(hashingBody: found.body) == event.header.bodyHash
            else { continue }
            logs[key]?[Int(found.sequence) - 1].body = found.body
        }
        for event in batch.events {
            logs[LogKey(event.header.conversation, event.header.log), default: []].append(event)
        }
        for event in batch.events where event.signature != nil {
            signed[LogKey(event.header.conversation, event.header.log)] = event.header.sequence
        }
        for event in batch.membership + batch.events where event.header.kind.isMembership {
            membership[event.header.conversation, default: []].append(event)
        }
        let findings = Findings(self)
        for (key, events) in logs {
            for index in events.indices where findings.goneForGood.contains(events[index].id) {
                logs[key]?[index].body = nil
            }
        }
        return findings
    }

    /// A watermark at sequence 0 removes the one with its key.
    mutating func take(_ record: WatermarkRecord) {
        watermarks[record.key] = record.position.sequence > 0 ? record : nil
    }

    private func isGroup(_ id: ConversationID) -> Bool { conversations.contains { $0.id == id && $0.kind == .group } }

    /// The membership of a group; `nil` in a direct conversation.
    private func membership(of id: ConversationID) -> PlainMembership? {
        isGroup(id) ? PlainMembership(membership[id] ?? []) : nil
    }

    /// The membership events that are held. They depend on the set that arrived, not on its order: the groups of these
    /// tests have too few events to reach a limit.
    var heldMembership: Set<EventID> {
        Set(conversations.flatMap { membership(of: $0.id)?.held ?? [] })
    }

    /// What people see of a conversation, by the auditor.
    func plain(_ id: ConversationID) -> PlainHistory {
        PlainHistory(
            logs.filter { $0.key.conversation == id }.flatMap(\.value),
            of: id,
            firsts: [:],
            membership: membership(of: id),
            floors: [:],
            givenUp: []
        )
    }

    /// How far this user has read a log, on any replica.
    private func readThrough(_ line: ShownMessage) -> UInt64 {
        watermarks.values.filter {
            $0.key.conversation == line.conversation && $0.key.log == line.log && $0.key.member == me
                && $0.key.level == .read
        }.map(\.position.sequence).max() ?? 0
    }

    /// The lines of others beyond what this user has read of their logs.
    func unread(_ lines: [ShownMessage]) -> [ShownMessage] {
        lines.filter { line in
            line.log.author != me && line.note == nil && line.rich?.deletion == nil
                && line.sequence > readThrough(line)
        }
    }

    /// The rows of all logs.
    func records(_ findings: Findings) -> [LogRecord] {
        logs.map { key, events in
            let applied = findings.applied[key, default: 0]
            return LogRecord(
                conversation: key.conversation,
                log: key.log,
                position: events.last?.position ?? .start,
                time: events.last?.header.time ?? EventTime(raw: 0),
                signedThrough: signed[key].map { events[Int($0) - 1].position } ?? .start,
                applied: applied == 0 ? .start : events[applied - 1].position,
                namedThrough: named[key, default: 0],
                missingBodies: findings.missing[key] ?? []
            )
        }.sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) }
    }
}
