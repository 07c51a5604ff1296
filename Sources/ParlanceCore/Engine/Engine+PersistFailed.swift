import ParlanceRecords
import ParlanceWire

// A batch failed: memory returns to the state on disk.
//
// Nothing of the failed batch is in the store. The collecting batch was built on it, so both are dropped. Commands are
// answered with an error, so their changes are reverted. What peers sent comes again on a new link. Six things stay
// in memory and are written with a later batch, since they remain true:
// - how far others have received and read: people saw these watermarks, and a status never goes back;
// - the branches of forked logs: the proof was verified, logs in memory are divided by it, and each peer sends it once
//   per link;
// - the replica that this node adopted because its store was rolled back: the old replica must not write again;
// - which files are fetched without the user: the messages that name them are on the disk, and are not told again;
// - which files could not be fetched: on a full disk they would be tried again with each link;
// - the logs of which texts were damaged on the disk: the store tells which only with the next batch.
extension Engine {
    mutating func persistFailed(_ id: BatchID, reason: String, isFull: Bool) {
        guard let failed = turn.takeWritten(id) else { return }
        let lost = [turn.takeBatch(), failed]
        for batch in lost { conversations.takeBack(batch, &turn) }
        takeBackTables(lost)
        for batch in lost.reversed() {
            keepSettled(batch)
            for command in batch.after.compactMap(\.command) {
                turn.refuse(command, .notStored(reason))
            }
        }
        let retry = turn.now.monotonic + Limits.rewriteMilliseconds
        if !turn.batch.isEmpty { turn.deadlines[.lazyRows] = retry }
        // What was to be removed is not forgotten until the next sweep in an hour.
        if lost.contains(where: { !$0.rows.retention.isEmpty }) { turn.deadlines.advance(.sweep, to: retry) }
        // Timed work would fail again at once, so it waits.
        couriers.scheduleErasure(&turn)
        workspace.schedule(&turn)
        workspace.considerRotation(links, &turn)
        for key in [Deadlines.Key.erasure, .workspaceKeys, .rotation] {
            turn.deadlines[key] = turn.deadlines[key].map { max($0, retry) }
        }
        // The peers sent events that are no longer held. A new link makes them send these again.
        for link in links.ids { close(link, isFull ? .diskFull : .unspecified) }
    }

    /// Reverts the small tables, and the peers whose rows were to be written.
    private mutating func takeBackTables(_ lost: [PendingBatch]) {
        workspace.takeBack(stored.workspace)
        presence.takeBack(stored.profile)
        preferences.takeBack(stored.preferences)
        transfers.takeBack(stored.transfers, lost.reversed().flatMap(\.rows.transfers), &turn)
        transfers.schedule(&turn)
        couriers.takeBack(stored)
        for id in lost.reduce(into: Set<PeerID>(), { $0.formUnion($1.peers) }).sorted() { takeBackPeer(id) }
        signOwnAddresses()
    }

    private mutating func takeBackPeer(_ id: PeerID) {
        let refused = contacts[id]?.refusedThrough
        guard let record = contacts.takeBack(id, stored.peers[id]) else { return }
        restoreAddresses(of: id)
        // Addresses that the peer has signed are kept, and still have to be written.
        if people.isKept(id), contacts[id]?.signedAddresses != record.signedAddresses { turn.save(id, lazily: true) }
        remember(id)
        tellPeer(id)
        // In between, the end of a refusal may have been told.
        if record.refusedThrough != nil || refused != nil { tellDelivery(of: ConversationID(direct: identity, id)) }
        guard stored.peers[id] == nil, links.all(with: id).isEmpty else { return }
        // A stranger that was here is kept for a while, as before. Nobody has met a member of whom only the batch told.
        if record.lastSeen == nil { forgetStranger(id) } else { strangerLeft(id) }
    }

    private mutating func keepSettled(_ batch: PendingBatch) {
        turn.batch.rows.signatures += batch.rows.signatures
        turn.batch.rows.damaged += batch.rows.damaged
        turn.batch.rows.branches += batch.rows.branches.filter { conversations[$0.conversation] != nil }
        turn.batch.rows.replica = batch.rows.replica ?? turn.batch.rows.replica
        for (key, mark) in batch.watermarks where conversations.agrees(with: mark) { turn.batch.watermarks[key] = mark }
        turn.batch.after += batch.after.filter(\.isSettled)
    }
}
