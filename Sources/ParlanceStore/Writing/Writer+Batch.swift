import GRDB
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Writing a batch in one transaction.
extension Writer {
    /// - Parameter limit: the most events of which old texts are removed.
    func persist(
        _ batch: PersistBatch,
        _ db: Database,
        removing limit: Int = Limits.retentionPerBatch
    ) throws -> PersistReceipt {
        isBusy = batch.events.count >= Checkpoint.busyEvents
        return try transaction(db) { outcome in
            for record in batch.conversations { try ConversationTable.save(record, db) }
            if let replica = batch.replica {
                // The present start is the first of the new replica.
                try MetaTable.renew(replica, epoch: 1, db)
            }
            let receipt = try history.apply(batch, removing: limit, &outcome)
            try write(batch, db)
            search.note(events: batch.events.count)
            return receipt
        }
    }

    /// Writes the rows of which no rule knows.
    private func write(_ batch: PersistBatch, _ db: Database) throws {
        for recipient in batch.recipients {
            let row = try history.conversationRow(recipient.conversation)
            try RecipientTable.save(recipient, conversationRow: row, db)
        }
        for peer in batch.peers { try PeerTable.save(peer, db) }
        if let profile = batch.profile { try MetaTable.save(profile, db) }
        for record in batch.pictures { try PictureTable.save(record, db) }
        if let ran = batch.ran { try MetaTable.save(ran: ran, db) }
        for record in batch.preferences {
            let row = try history.conversationRow(record.conversation)
            try PreferenceTable.save(record.preference, conversationRow: row, db)
        }
        for record in batch.transfers {
            let row = try history.conversationRow(record.conversation)
            try TransferTable.save(record, conversationRow: row, db)
        }
        if let workspace = batch.workspace { try WorkspaceTable.save(workspace, db) }
        for key in batch.prekeys { try PrekeyTable.add(key, db) }
        for id in batch.erasedPrekeys { try PrekeyTable.erase(id, db) }
        for envelope in batch.envelopes { try EnvelopeTable.add(envelope, db) }
        for id in batch.erasedEnvelopes { try EnvelopeTable.erase(id, db) }
    }
}
