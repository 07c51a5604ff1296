import GRDB
import GRDBSQLite
package import ParlanceCore
package import ParlanceRecords
package import ParlanceWire
import ParlanceWords
import Synchronization

/// The durable half of a node: events, their projections, and what is known of peers, in one SQLite file.
///
/// All functions block, so call them on threads that may block: write on the daemon's one serial thread, read on any.
/// One connection writes and checkpoints; readers have their own connections and never wait for it.
package final class Store: Sendable {
    /// The identity that owns the store.
    package let identity: PeerID
    /// The replica of the store, chosen when the store is created or found to be a copy.
    package var replica: ReplicaID { present.withLock { $0 } }

    let pool: DatabasePool
    let reserve: DiskReserve
    let pageMarks = PageMarks()
    let damage = Mutex(Damage())
    private let state: Mutex<State>
    private let present: Mutex<ReplicaID>
    /// Whether texts were removed with the reserved room since the last maintenance.
    private let hasCleared = Atomic(false)

    /// State that one thread at a time may use.
    private struct State {
        var lock: StoreLock?
        var confined: Confined?
        /// Set once: after a failed write or sync nothing is written any more.
        var failure: StoreError?
    }

    /// The writer. It is accessed only with the lock of `state` held, which makes it safe to send; the compiler cannot
    /// see that.
    private struct Confined: @unchecked Sendable {
        let writer: Writer
    }

    init(pool: DatabasePool, lock: StoreLock, meta: MetaTable.Contents, reserve: DiskReserve) throws {
        (self.pool, self.reserve) = (pool, reserve)
        identity = meta.identity
        present = Mutex(meta.replica)
        let identity = meta.identity
        let (writer, mended) = try pool.writeWithoutTransaction { db in
            let writer = try Writer(db, identity: identity)
            let isCurrent = try ProjectionTable.isCurrent(db)
            var mended: [MendedEvent] = []
            if !isCurrent {
                try Self.mending({ try writer.rebuild(db) }) { damage in
                    let found = try writer.mend(damage, db)
                    mended += found
                    return found
                }
            }
            return (writer, mended)
        }
        state = Mutex(State(lock: lock, confined: Confined(writer: writer), failure: nil))
        note(mended)
    }

    deinit { close() }

    /// Closes the store and releases the lock. What was persisted stays; later calls fail.
    package func close() {
        state.withLock { state in
            guard state.lock != nil else { return }
            state.confined = nil
            // Closing can fail only during a read; the file then closes when the read ends.
            try? pool.close()
            state.lock = nil
        }
    }

    /// Counts this start of the replica.
    ///
    /// - Returns: the new epoch, from 1. It is durable.
    package func beginEpoch() throws(StoreError) -> UInt64 {
        let epoch = try write { writer, db in try writer.transaction(db) { _ in try MetaTable.nextEpoch(db) } }
        reserve.afterStart()
        return epoch
    }

    /// Raises the generation, which reveals an older state of this store. It never falls, and is synced when this
    /// returns.
    package func raiseGeneration(to generation: UInt64) throws(StoreError) {
        try write { writer, db in
            try writer.transaction(db) { _ in try MetaTable.raiseGeneration(to: generation, db) }
        }
    }

    /// Writes a batch and its projections in one transaction, which is synced to disk when this returns.
    ///
    /// - Throws: `StoreError`; nothing of the batch is in the store. If `canGoOn` is false, the node must stop.
    package func persist(_ batch: PersistBatch) throws(StoreError) -> PersistReceipt {
        let receipt = try persistAtAnyRoom(batch)
        if let replica = batch.replica { present.withLock { $0 = replica } }
        return receipt
    }

    /// Writes a batch. If the disk is full, a batch that may use the reserve uses it.
    private func persistAtAnyRoom(_ batch: PersistBatch) throws(StoreError) -> PersistReceipt {
        do throws(StoreError) {
            return try write { writer, db in
                try checkRoom(for: batch, writer, db)
                if writer.gauge.bytes >= Checkpoint.latestBytes { try writer.checkpoint(db) }
                return try writer.persist(batch, db)
            }
        } catch {
            guard error.code == .full, batch.mayUseReserve else { throw error }
            reserve.release()
            let receipt = try write { writer, db in
                // The log is used from its beginning then, and may have grown large.
                try? writer.checkpoint(db)
                return try writer.persist(batch, db, removing: Checkpoint.tightEvents)
            }
            if !receipt.floors.isEmpty { hasCleared.store(true, ordering: .relaxed) }
            return receipt
        }
    }

    /// Refuses texts for which the database has no room, as long as it has room for what is in the log. Otherwise the log
    /// could never be taken in, and what makes room is written to the log first.
    private func checkRoom(for batch: PersistBatch, _ writer: Writer, _ db: Database) throws {
        guard batch.takesRoom else { return }
        guard reserve.restore() else { throw StoreError.noRoom("room is only left for what makes room") }
        let needed = batch.roughBytes
        guard reserve.free < needed + UInt64(writer.gauge.bytes) else { return }
        try writer.checkpoint(db)
        guard reserve.free < needed + UInt64(writer.gauge.bytes) else { return }
        throw StoreError.noRoom("\(needed) bytes are needed")
    }

    /// Performs maintenance that can wait: moves the write-ahead log into the database file.
    ///
    /// Call it on the thread that persists, when nothing waits to be persisted or after a receipt was passed on, so
    /// that no message waits for it. `persist` does this itself only when the log has become very long.
    package func maintain() throws(StoreError) {
        let isTight = reserve.isTight
        try write { writer, db in try writer.checkpointIfDue(db, isTight: isTight) }
        reserve.restore(hasCleared: hasCleared.exchange(false, ordering: .relaxed))
        reserve.refill()
    }

    /// Does a step of what keeps the index for searching up to date: takes in a number of messages, or writes a part anew
    /// that holds words of deleted texts. Messages that are not in the index are found too, by a slower way.
    ///
    /// Call it on the thread that persists, when nothing waits to be persisted.
    ///
    /// - Parameter least: the least events that are worth a step.
    /// - Returns: whether more is due.
    package func searchStep(from least: Int = SearchIndexing.dueEvents) throws(StoreError) -> Bool {
        try write { writer, db in try writer.searchStep(from: least, db) }
    }

    /// Drops all projections and computes them again from the events, with the same result.
    package func rebuildProjections() throws(StoreError) {
        try write { writer, db in try writer.rebuild(db) }
    }

    /// Runs `body` on the only connection that writes.
    func write<Value: Sendable>(_ body: (Writer, Database) throws -> Value) throws(StoreError) -> Value {
        var mended: [MendedEvent] = []
        let outcome: Result<Value, StoreError> = state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            guard let confined = state.confined else { return .failure(.closed) }
            do {
                let value = try pool.writeWithoutTransaction { db in
                    try Self.mending({ try body(confined.writer, db) }) { damage in
                        let found = try confined.writer.mend(damage, db)
                        mended += found
                        return found
                    }
                }
                return .success(value)
            } catch {
                let failure = StoreError(error)
                if !failure.canGoOn { state.failure = failure }
                return .failure(failure)
            }
        }
        note(mended)
        return try outcome.get()
    }

    /// Runs `body` on a read-only connection that sees one state of the store throughout.
    func read<Value: Sendable>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try readMending { try pool.read(body) }
    }

    /// Runs a read again for as long as it meets rows that can be restored.
    func readMending<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
        try StoreError.catching {
            try Self.mending(body) { damage in
                let found = try write { writer, db in try writer.mend(damage, db) }
                note(found)
                return found
            }
        }
    }
}

extension StoreError {
    static var closed: StoreError {
        StoreError(.closed, "The message store has been closed.", advice: "Start the daemon again.")
    }
}
