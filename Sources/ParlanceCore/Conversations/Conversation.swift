package import ParlanceWire

/// A conversation as the engine keeps it: who is in it, and how far each log has come.
package struct Conversation: Equatable, Sendable {
    package let record: ConversationRecord
    package var logs: [LogID: LogState] = [:]
    /// How far members have received and read logs, merged by maximum.
    package var watermarks: [WatermarkRecord.Key: WatermarkRecord] = [:]

    package init(_ record: ConversationRecord) {
        self.record = record
    }

    package var id: ConversationID { record.id }

    /// The other identity of a direct conversation.
    package var peer: PeerID {
        switch record.kind {
        case .direct(let peer): peer
        }
    }

    /// What is durable here: the only clock that is told to anyone.
    package var durableClock: Clock { Clock(entries: logs.mapValues(\.durable)) }

    /// Logs in a fixed order, so that effects come in the same order from the same seed.
    package var sortedLogs: [LogID] { logs.keys.sorted() }

    /// Through where a member has a log, at a level or above; any of its replicas counts.
    package func reached(_ log: LogID, by member: PeerID, at level: WatermarkLevel) -> LogPosition {
        watermarks.values.reduce(.start) { most, mark in
            mark.key.log == log && mark.key.member == member && mark.key.level >= level
                && mark.position.sequence > most.sequence ? mark.position : most
        }
    }
}
