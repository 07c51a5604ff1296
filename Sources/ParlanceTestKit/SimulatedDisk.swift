package import ParlanceCore
package import ParlanceWire

/// A store in memory with the rules of the real one: a batch is there whole or not at all, and is projected with it.
package struct SimulatedDisk: Sendable {
    private struct Log: Sendable {
        var conversation: ConversationID
        var events: [StoredEvent] = []
        /// The effective times of what is applied, in order.
        var effective: [UInt64] = []
        var named: UInt64 = 0
        var missing: [UInt64] = []
        var withdrawn: Set<UInt64> = []
    }

    private var profile: ProfileRecord
    private var conversations: [ConversationRecord] = []
    private var logs: [LogKey: Log] = [:]
    private var peers: [PeerID: PeerRecord] = [:]
    private var watermarks: [WatermarkRecord.Key: WatermarkRecord] = [:]
    private var memberships: [ConversationID: Membership] = [:]
    private var recipients: [RecipientRecord] = []
    /// What people see, in no order.
    private var shown: [EventID: ShownMessage] = [:]
    package private(set) var epoch: UInt64 = 0

    package init(name: String) {
        profile = ProfileRecord(name: name)
    }

    package mutating func beginEpoch() -> UInt64 {
        epoch += 1
        return epoch
    }

    package mutating func persist(_ batch: PersistBatch) -> PersistReceipt {
        for record in batch.conversations where !conversations.contains(where: { $0.id == record.id }) {
            conversations.append(record)
        }
        for event in batch.membership { memberships[event.header.conversation, default: Membership()].insert([event]) }
        recipients += batch.recipients
        var receipt = PersistReceipt()
        for event in batch.events {
            if event.header.kind.isMembership {
                memberships[event.header.conversation, default: Membership()].insert([event])
            }
            let key = LogKey(event.header.conversation, event.header.log)
            var log = logs[key] ?? Log(conversation: key.conversation)
            precondition(Int(event.header.sequence) == log.events.count + 1, "a batch leaves a gap in a log")
            let missingBefore = log.missing
            log.events.append(event)
            if event.header.kind == .message && event.body == nil { log.missing.append(event.header.sequence) }
            if case .withdraw(let sequence) = Projector.judge(event, after: nil) {
                log.missing.removeAll { $0 == sequence }
            }
            logs[key] = log
            if log.missing != missingBefore {
                receipt.missing.append(
                    MissingBodies(conversation: key.conversation, log: key.log, sequences: log.missing)
                )
            }
        }
        for head in batch.signatures {
            logs[LogKey(head.conversation, head.log)]?.events[Int(head.sequence) - 1].signature = head.signature
        }
        for row in batch.named { logs[LogKey(row.conversation, row.log)]?.named = row.sequence }
        for row in batch.peers { peers[row.id] = row }
        for row in batch.watermarks { watermarks[row.key] = row }
        profile = batch.profile ?? profile
        project(&receipt)
        return receipt
    }

    package func read(_ request: ReadRequest) -> [StoredEvent] {
        let events = logs[LogKey(request.conversation, request.log)]?.events ?? []
        var taken: [StoredEvent] = []
        var bytes = 0
        for event in events where (request.from...max(request.from, request.through)).contains(event.header.sequence) {
            bytes += event.byteCount
            if bytes > request.byteLimit && !taken.isEmpty { break }
            taken.append(event)
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
        snapshot.watermarks = Array(watermarks.values)
        snapshot.membership = memberships.sorted { $0.key < $1.key }.flatMap(\.value.events)
        snapshot.recipients = recipients
        snapshot.logs = logs.sorted { ($0.key.conversation, $0.key.log) < ($1.key.conversation, $1.key.log) }
            .compactMap { key, log in
                guard let last = log.events.last else { return nil }
                return LogRecord(
                    conversation: key.conversation,
                    log: key.log,
                    position: last.position,
                    time: last.header.time,
                    signedThrough: log.events.last { $0.signature != nil }?.position ?? .start,
                    applied: log.effective.isEmpty ? .start : log.events[log.effective.count - 1].position,
                    namedThrough: log.named,
                    missingBodies: log.missing
                )
            }
        return snapshot
    }

    // Projection.

    private mutating func project(_ receipt: inout PersistReceipt) {
        var moved = true
        while moved {
            moved = false
            for key in logs.keys.sorted(by: { ($0.conversation, $0.log) < ($1.conversation, $1.log) }) {
                var last: LogPosition?
                while let position = applyNext(of: key, &receipt) { last = position }
                guard let last else { continue }
                moved = true
                receipt.applied.removeAll { $0.conversation == key.conversation && $0.log == key.log }
                receipt.applied.append(AppliedLog(conversation: key.conversation, log: key.log, position: last))
            }
        }
    }

    private mutating func applyNext(of key: LogKey, _ receipt: inout PersistReceipt) -> LogPosition? {
        guard var log = logs[key], log.effective.count < log.events.count else { return nil }
        let index = log.effective.count
        let event = log.events[index]
        var earlier: [UInt64] = log.effective.last.map { [$0] } ?? []
        for dependency in event.header.references {
            guard let other = logs[LogKey(key.conversation, dependency.log)],
                other.effective.count >= Int(dependency.sequence),
                other.events[Int(dependency.sequence) - 1].id == dependency.id
            else { return nil }
            earlier.append(other.effective[Int(dependency.sequence) - 1])
        }
        let effective = Projector.effective(time: event.header.time, after: earlier)
        log.effective.append(effective)
        let before = index == 0 ? nil : log.events[index - 1]
        let applied = before.map {
            Projector.Applied(id: $0.id, time: $0.header.time, effective: log.effective[index - 1])
        }
        switch Projector.judge(event, after: applied, rights: rights(of: event)) {
        case .message(let text, _) where !log.withdrawn.contains(event.header.sequence):
            let message = ShownMessage(
                id: event.id,
                conversation: key.conversation,
                log: key.log,
                sequence: event.header.sequence,
                time: event.header.time,
                effective: effective,
                content: .text(text)
            )
            shown[event.id] = message
            receipt.shown.append(message)
        case .withdraw(let sequence):
            log.withdrawn.insert(sequence)
            let target = log.events[Int(sequence) - 1]
            log.events[Int(sequence) - 1].body = nil
            if shown.removeValue(forKey: target.id) != nil { receipt.withdrawn.append(target.id) }
        default: break
        }
        logs[key] = log
        return event.position
    }

    private func rights(of event: StoredEvent) -> Projector.Rights {
        guard let membership = memberships[event.header.conversation] else { return .direct }
        func may(_ capability: Membership.Capability) -> Bool {
            membership.allows(capability, event.header.log.author, in: event.header.log, at: event.header.sequence) {
                log,
                sequence in
                logs[LogKey(event.header.conversation, event.header.log)]?.events.prefix(Int(event.header.sequence))
                    .contains { $0.header.references.contains { $0.log == log && $0.sequence >= sequence } } == true
            }
        }
        return Projector.Rights(isMember: may(.member), isAdmin: may(.admin))
    }
}
