import ParlanceWire

// A batch failed: memory goes back to what is on disk.
//
// Nothing of the batch is in the store, and the one that collects behind it was built on it, so both go. A command got an
// error, so nothing of it is in force; what a peer sent comes again on a fresh link. Three things stay in memory and are
// written with a later batch, since they are true whatever this disk does:
// - how far others have received and read (marks): they were shown, and a status never goes back;
// - where a log parts into branches: the proof was checked, logs in memory are divided by it, and each peer tells it once a link;
// - the replica that this node took because its store had been rolled back: the old one must not write again.
extension Engine {
    mutating func persistFailed(_ id: BatchID, reason: String) {
        guard let failed = turn.takeWritten(id) else { return }
        let lost = [turn.takeBatch(), failed]
        for batch in lost { conversations.takeBack(batch, &turn) }
        takeBackTables(lost)
        for batch in lost.reversed() {
            keepSettled(batch)
            for case .answer(let command, _) in batch.after {
                turn.refuse(command, .notStored(reason))
            }
        }
        let retry = turn.now.monotonic + Self.retryMilliseconds
        if !turn.batch.isEmpty { turn.deadlines[.lazyRows] = retry }
        // What is due by the clock would fail again at once.
        couriers.scheduleErasure(&turn)
        workspace.schedule(&turn)
        for key in [Deadlines.Key.erasure, .workspaceKeys] {
            turn.deadlines[key] = turn.deadlines[key].map { max($0, retry) }
        }
        // The peers have sent what is now not held; a fresh link makes them send it again.
        for link in links.ids { close(link, .unspecified) }
    }

    /// How long a disk that refused is left alone by what nobody waits for.
    private static var retryMilliseconds: Int64 { 1_000 }

    /// Of small tables all goes back; of peers, those whose rows were to be written.
    private mutating func takeBackTables(_ lost: [PendingBatch]) {
        workspace.takeBack(stored.workspace)
        presence.takeBack(stored.profile)
        couriers.takeBack(stored)
        for id in lost.reduce(into: Set<PeerID>(), { $0.formUnion($1.peers) }).sorted() { takeBackPeer(id) }
        signOwnAddresses()
    }

    private mutating func takeBackPeer(_ id: PeerID) {
        guard let record = contacts.takeBack(id, stored.peers[id]) else { return }
        restoreAddresses(of: id)
        // The addresses that the peer has signed stay known. They still have to be written.
        if isKept(id), contacts[id]?.signedAddresses != record.signedAddresses { turn.save(id, lazily: true) }
        remember(id)
        tellPeer(id)
        if stored.peers[id] == nil, links.all(with: id).isEmpty { forgetStranger(id) }
    }

    private mutating func keepSettled(_ batch: PendingBatch) {
        turn.batch.rows.signatures += batch.rows.signatures
        turn.batch.rows.branches += batch.rows.branches.filter { conversations[$0.conversation] != nil }
        turn.batch.rows.replica = batch.rows.replica ?? turn.batch.rows.replica
        for (key, mark) in batch.watermarks where conversations.agrees(with: mark) { turn.batch.watermarks[key] = mark }
        turn.batch.after += batch.after.filter(\.isSettled)
    }
}
