import ParlanceRecords
import ParlanceWire

/// The state of the small tables on disk, to which memory returns if a batch fails.
///
/// Logs and memberships keep their durable state beside the held one (`LogState`, `Group`). Large tables are not kept
/// twice.
struct StoredTables: Equatable, Sendable {
    private(set) var profile: ProfileRecord
    private(set) var workspace: Workspace?
    private(set) var prekeys: [PrekeyID: OwnPrekey] = [:]
    private(set) var envelopes: [EnvelopeID: EnvelopeRecord] = [:]
    private(set) var peers: SortedTable<PeerID, PeerRecord> = [:]
    /// Without those that are the same as for a new conversation.
    private(set) var preferences: [ConversationID: Preference] = [:]
    private(set) var transfers: TransferRows

    init(_ snapshot: EngineSnapshot) {
        profile = snapshot.profile
        workspace = snapshot.workspace
        transfers = TransferRows(snapshot.transfers)
        for key in snapshot.prekeys { prekeys[key.id] = key }
        for envelope in snapshot.envelopes { envelopes[envelope.id] = envelope }
        for record in snapshot.peers { peers[record.id] = record }
        for record in snapshot.preferences { preferences[record.conversation] = record.preference }
    }

    /// Applies the rows of a durable batch.
    mutating func take(_ batch: PersistBatch) {
        profile = batch.profile ?? profile
        switch batch.workspace {
        case .set(let set): workspace = set
        case .left: workspace = nil
        case nil: break
        }
        for key in batch.prekeys { prekeys[key.id] = key }
        for id in batch.erasedPrekeys { prekeys[id] = nil }
        for envelope in batch.envelopes { envelopes[envelope.record.id] = envelope.record }
        for id in batch.erasedEnvelopes { envelopes[id] = nil }
        for record in batch.peers { peers[record.id] = record }
        for record in batch.transfers { transfers.set(record) }
        for record in batch.preferences {
            preferences[record.conversation] = record.preference == Preference() ? nil : record.preference
        }
    }
}
