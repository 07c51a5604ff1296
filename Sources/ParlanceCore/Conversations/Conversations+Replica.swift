import ParlanceWire

// Continuing after the store was rolled back or copied.
extension Conversations {
    /// Continues under a new replica ID, with logs that begin at 1, because this store was rolled back or copied.
    mutating func takeNewReplica(_ turn: inout Turn) {
        turn.signHeads()
        let bytes = turn.random.next().bigEndianBytes + turn.random.next().bigEndianBytes
        guard let fresh = ReplicaID(bytes) else { return broken("two random numbers make a replica ID") }
        turn.own.renew(as: fresh)
        turn.batch.rows.replica = fresh
        turn.batch.isUrgent = true
        for id in ids {
            change(id) { $0.beginNaming() }
            change(id) { $0.group?.beginLog() }
        }
        turn.beginLogs()
        turn.emit(.report(turn.own.identity, .rolledBack))
        turn.whenDurable(.adopt(fresh))
    }
}
