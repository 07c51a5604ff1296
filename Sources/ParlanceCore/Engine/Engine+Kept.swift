import ParlanceHistory
import ParlanceRecords
import ParlanceWire

extension Engine {
    /// The snapshot that the store would return at the next start if everything in memory were on disk. For tests that
    /// compare the two.
    ///
    /// The engine does not know which events of other authors are signed, so `signedThrough` is empty.
    package var kept: EngineSnapshot {
        var kept = EngineSnapshot(profile: presence.profile)
        kept.ownPicture = pictures.own
        kept.pictures = pictures.inOrder
        kept.workspace = workspace.current
        kept.prekeys = couriers.keptPrekeys
        kept.envelopes = couriers.keptEnvelopes
        kept.peers = contacts.all
        kept.preferences = preferences.inOrder
        kept.transfers = transfers.records
        kept.appliedChanges = conversations.appliedChanges.sorted()
        for conversation in conversations.inOrder {
            kept.conversations.append(conversation.record)
            kept.logs += conversation.logs.keys.compactMap { logRecord($0, in: conversation) }
            kept.branches += conversation.branches.values.sorted { $0.log < $1.log }
            kept.watermarks += conversation.marks.values
            if conversation.lifetime != LifetimeTerms(conversation: conversation.id) {
                kept.lifetimes.append(conversation.lifetime)
            }
            guard let group = conversation.group else { continue }
            kept.membership += group.membership.events
            kept.labels.append(group.label)
            for (peer, after) in group.joined {
                kept.recipients.append(RecipientRecord(conversation: conversation.id, peer: peer, after: after))
            }
        }
        return kept
    }

    /// Whether everything in memory is on disk: nothing is being written or waits for it.
    package var isKept: Bool { turn.writing == nil && turn.batch.isEmpty }

    private func logRecord(_ log: LogID, in conversation: Conversation) -> LogRecord? {
        guard let state = conversation.logs[log], state.held.sequence > 0 else { return nil }
        return LogRecord(
            conversation: conversation.id,
            log: log,
            position: state.held,
            time: state.time,
            signedThrough: .start,
            applied: state.applied,
            namedThrough: state.namedThrough,
            missingBodies: state.durable.missing,
            floor: state.durable.floor,
            cleared: state.cleared
        )
    }
}
