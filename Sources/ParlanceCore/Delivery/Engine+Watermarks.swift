import Foundation
import ParlanceSodium
import ParlanceWire

// How far members have received and read: statuses follow from these, and are never typed in by hand.
extension Engine {
    /// A clock told on its own authenticated link is evidence enough for `delivered`.
    mutating func recordDelivered(_ clock: Clock, to link: Link, in conversation: ConversationID) {
        guard let own = conversations[conversation]?.logs.filter({ $0.key.author == identity }) else { return }
        var changed = false
        for (log, state) in own.sorted(by: { $0.key < $1.key }) {
            // A claim beyond what is durable here comes from a store that was rolled back, or is a lie: it counts for nothing.
            guard let entry = clock.entries[log],
                entry.position.sequence < state.durable.position.sequence || entry.position == state.durable.position
            else { continue }
            let through = entry.completeThrough
            let key = WatermarkRecord.Key(
                conversation: conversation,
                member: link.peer,
                replica: link.replica,
                log: log,
                level: .delivered
            )
            let head = through == entry.position.sequence ? entry.position.head : EventID(value: .zero)
            changed = raise(key, to: LogPosition(sequence: through, head: head), signature: nil) || changed
        }
        // Found out again from the peer's clock if it is lost, so it need not be synced by itself.
        if changed { saveLazily() }
        if changed { emit(.notify(.delivery(deliveryView(of: conversation)))) }
    }

    /// Merges a watermark by maximum.
    ///
    /// - Returns: whether it went up.
    private mutating func raise(_ key: WatermarkRecord.Key, to position: LogPosition, signature: [UInt8]?) -> Bool {
        guard position.sequence > conversations[key.conversation]?.watermarks[key]?.position.sequence ?? 0 else {
            return false
        }
        let record = WatermarkRecord(key: key, position: position, signature: signature)
        conversations[key.conversation]?.watermarks[key] = record
        collecting.watermarks[key] = record
        return true
    }

    /// One has read a conversation, all that is shown of it.
    mutating func markRead(_ conversation: ConversationID, command: CommandID) {
        var raised: [WatermarkRecord.Key] = []
        for log in conversations[conversation]?.sortedLogs ?? [] where log.author != identity {
            guard let applied = conversations[conversation]?.logs[log]?.applied, applied.sequence > 0 else { continue }
            let key = WatermarkRecord.Key(
                conversation: conversation,
                member: identity,
                replica: replica,
                log: log,
                level: .read
            )
            let signature = signer.sign(WatermarkSeal.bytes(key, applied))
            if raise(key, to: applied, signature: signature) { raised.append(key) }
        }
        whenDurable(.answer(command, .done))
        guard let peer = conversations[conversation]?.peer, !raised.isEmpty else { return }
        let frame = watermarksFrame(conversation, raised)
        for link in links.values.filter({ $0.peer == peer && !$0.closing }).sorted(by: { $0.id < $1.id }) {
            whenDurable(.effect(.send(link.id, frame)))
        }
    }

    /// What one has read while the peer was away is told when its clock is known.
    mutating func sendReadMarks(of conversation: ConversationID, on id: LinkID) {
        let own = (conversations[conversation]?.watermarks.values.map(\.key) ?? [])
            .filter { $0.member == identity && $0.level == .read && $0.replica == replica }
            .sorted { $0.log < $1.log }
        guard !own.isEmpty, links[id]?.closing == false else { return }
        emit(.send(id, watermarksFrame(conversation, own)))
    }

    /// A mark of what the peer did not hold yet counted for nothing there: it is told again once the peer holds it.
    mutating func sendReadMarks(
        of conversation: ConversationID,
        nowHeld clock: Clock,
        before: Clock,
        on id: LinkID
    ) {
        let reached = (conversations[conversation]?.watermarks.values ?? [:].values)
            .filter { mark in
                mark.key.member == identity && mark.key.level == .read && mark.key.replica == replica
                    && mark.position.sequence > before[mark.key.log].sequence
                    && mark.position.sequence <= clock[mark.key.log].sequence
            }
            .map(\.key).sorted { $0.log < $1.log }
        guard !reached.isEmpty, links[id]?.closing == false else { return }
        emit(.send(id, watermarksFrame(conversation, reached)))
    }

    private func watermarksFrame(_ conversation: ConversationID, _ keys: [WatermarkRecord.Key]) -> WireFrame {
        var watermarks = WireWatermarks()
        watermarks.conversation = Data(conversation.bytes)
        watermarks.entries = keys.compactMap { conversations[conversation]?.watermarks[$0]?.wire }
        var frame = WireFrame()
        frame.watermarks = watermarks
        return frame
    }

    mutating func watermarksReceived(_ watermarks: WireWatermarks, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(watermarks.conversation) else {
            return breakLink(id, "watermarks")
        }
        guard admits(conversation, with: link.peer), conversations[conversation] != nil else { return }
        var changed = false
        for entry in watermarks.entries {
            guard let record = WatermarkRecord(entry, in: conversation), record.key.member == link.peer,
                let signature = record.signature,
                Ed25519.verify(
                    signature,
                    of: WatermarkSeal.bytes(record.key, record.position),
                    by: record.key.member.bytes
                )
            else { return breakLink(id, "a watermark") }
            // Marks are told by the copy that made them; others' would let a peer fill the store.
            guard record.key.replica == link.replica else { continue }
            let held = conversations[conversation]?.logs[record.key.log]?.durable.position.sequence ?? 0
            guard record.position.sequence <= held else { continue }
            changed = raise(record.key, to: record.position, signature: signature) || changed
        }
        guard changed else { return }
        collecting.isUrgent = true
        emit(.notify(.delivery(deliveryView(of: conversation))))
    }
}

/// The bytes a member signs in a watermark (sync.md, "Watermarks").
enum WatermarkSeal {
    static func bytes(_ key: WatermarkRecord.Key, _ position: LogPosition) -> [UInt8] {
        [Domain.watermark] + key.conversation.bytes + key.member.bytes + key.replica.bytes + key.log.author.bytes
            + key.log.replica.bytes + position.sequence.bigEndianBytes + position.head.bytes
            + [UInt8(key.level.rawValue)]
    }
}

extension WatermarkRecord {
    init?(_ wire: WireWatermark, in conversation: ConversationID) {
        guard let member = PeerID(wire.member), let replica = ReplicaID(wire.replica), let log = LogID(wire.log),
            let head = EventID(wire.head), (1...Limits.sequence).contains(wire.sequence),
            let level = WatermarkLevel(rawValue: wire.level.rawValue)
        else { return nil }
        self.init(
            key: Key(conversation: conversation, member: member, replica: replica, log: log, level: level),
            position: LogPosition(sequence: wire.sequence, head: head),
            signature: [UInt8](wire.signature)
        )
    }

    var wire: WireWatermark? {
        guard let signature else { return nil }
        var wire = WireWatermark()
        wire.member = Data(key.member.bytes)
        wire.replica = Data(key.replica.bytes)
        wire.log = key.log.wire
        wire.sequence = position.sequence
        wire.head = Data(position.head.bytes)
        wire.level = key.level == .read ? .read : .delivered
        wire.signature = Data(signature)
        return wire
    }
}
