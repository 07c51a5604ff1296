package import ParlanceCore
package import ParlanceWire

/// A store in memory with the rules of the real one: a batch is there whole or not at all, and is projected with it.
///
/// It is a value, so a backup is a copy, and what the simulator asks it (how far a log is durable, what is shown) costs
/// no reading. The real store, where it takes part, is held to it batch by batch.
package struct SimulatedDisk: Sendable {
    struct Log: Sendable {
        var events: [StoredEvent] = []
        /// The effective times of what is applied, in order.
        var effective: [UInt64] = []
        var named: UInt64 = 0
        /// Sequences held without a body that nothing held withdraws, ascending.
        var missing: [UInt64] = []
        var signedThrough: LogPosition = .start

        var position: LogPosition { events.last?.position ?? .start }
    }

    private var profile: ProfileRecord
    package private(set) var conversations: [ConversationRecord] = []
    var logs: [LogKey: Log] = [:]
    package private(set) var peers: [PeerID: PeerRecord] = [:]
    package private(set) var watermarks: [WatermarkRecord.Key: WatermarkRecord] = [:]
    /// What people see, in no order.
    var shown: [EventID: ShownMessage] = [:]
    /// Who waits for an event of which log before its next can be applied.
    var waiters: [LogKey: Set<LogKey>] = [:]
    package private(set) var epoch: UInt64 = 0

    package init(name: String) {
        profile = ProfileRecord(name: name)
    }

    package mutating func beginEpoch() -> UInt64 {
        epoch += 1
        return epoch
    }

    /// Why a batch contradicts what is stored, if it does: the real store would refuse it.
    package func contradiction(in batch: PersistBatch) -> String? {
        var ends: [LogKey: LogPosition] = [:]
        let known = Set(conversations.map(\.id)).union(batch.conversations.map(\.id))
        for event in batch.events {
            let key = LogKey(event.header.conversation, event.header.log)
            guard known.contains(key.conversation) else { return "event of an unknown conversation" }
            let end = ends[key] ?? logs[key]?.position ?? .start
            guard event.header.sequence == end.sequence + 1 else {
                return "event \(event.header.sequence) after \(end.sequence) of \(key.log)"
            }
            guard event.header.previous == (end.sequence == 0 ? nil : end.head) else {
                return "event \(event.header.sequence) of \(key.log) does not chain"
            }
            ends[key] = event.position
        }
        return nil
    }

    @discardableResult
    package mutating func persist(_ batch: PersistBatch) -> PersistReceipt {
        for record in batch.conversations where !conversations.contains(where: { $0.id == record.id }) {
            conversations.append(record)
        }
        var touched: [LogKey] = []
        for event in batch.events {
            let key = LogKey(event.header.conversation, event.header.log)
            precondition(event.header.sequence == (logs[key]?.position.sequence ?? 0) + 1, "a gap in a log")
            logs[key, default: Log()].events.append(event)
            if event.signature != nil { logs[key]?.signedThrough = event.position }
            noteBody(of: event, key)
            if touched.last != key { touched.append(key) }
        }
        for head in batch.signatures { sign(head) }
        for row in batch.named { logs[LogKey(row.conversation, row.log)]?.named = row.sequence }
        for row in batch.peers { peers[row.id] = row }
        for row in batch.watermarks { watermarks[row.key] = row }
        profile = batch.profile ?? profile
        return project(touched)
    }

    private mutating func sign(_ head: HeadSignature) {
        let key = LogKey(head.conversation, head.log)
        let index = Int(head.sequence) - 1
        guard let log = logs[key], log.events.indices.contains(index) else { return }
        logs[key]?.events[index].signature = head.signature
        if head.sequence > log.signedThrough.sequence { logs[key]?.signedThrough = log.events[index].position }
    }

    private mutating func noteBody(of event: StoredEvent, _ key: LogKey) {
        switch event.header.kind {
        case .message where event.body == nil: logs[key]?.missing.append(event.header.sequence)
        case .withdraw:
            guard case .withdraw(let sequence) = Projector.judge(event, after: nil) else { return }
            logs[key]?.missing.removeAll { $0 == sequence }
        default: break
        }
    }

    package func read(_ request: ReadRequest) -> [StoredEvent] {
        guard let events = logs[LogKey(request.conversation, request.log)]?.events, request.from >= 1,
            request.from <= UInt64(events.count), request.through >= request.from
        else { return [] }
        var taken: [StoredEvent] = []
        var room = request.byteLimit
        for event in events[(Int(request.from) - 1)..<Int(min(request.through, UInt64(events.count)))] {
            let size = event.headerBytes.count + (event.body?.count ?? 0)
            if size > room && !taken.isEmpty { break }
            taken.append(event)
            room -= min(size, room)
        }
        return taken
    }

    /// What people see of a conversation, in the order shown.
    package func history(of conversation: ConversationID) -> [ShownMessage] {
        shown.values.filter { $0.conversation == conversation }
            .sorted { ($0.effective, $0.id) < ($1.effective, $1.id) }
    }

    package var snapshot: EngineSnapshot {
        var snapshot = EngineSnapshot(profile: profile)
        snapshot.conversations = conversations
        snapshot.peers = peers.values.sorted { $0.id < $1.id }
        snapshot.watermarks = watermarks.values.sorted { $0.key.rank < $1.key.rank }
        snapshot.logs = logs.sorted { ($0.key.conversation, $0.key.log) < ($1.key.conversation, $1.key.log) }
            .compactMap { key, log in
                guard let last = log.events.last else { return nil }
                return LogRecord(
                    conversation: key.conversation,
                    log: key.log,
                    position: last.position,
                    time: last.header.time,
                    signedThrough: log.signedThrough,
                    applied: log.effective.isEmpty ? .start : log.events[log.effective.count - 1].position,
                    namedThrough: log.named,
                    missingBodies: log.missing
                )
            }
        return snapshot
    }
}

extension WatermarkRecord.Key {
    /// A total order.
    fileprivate var rank: (ConversationID, LogID, PeerID, ReplicaID, Int) {
        (conversation, log, member, replica, level.rawValue)
    }
}
