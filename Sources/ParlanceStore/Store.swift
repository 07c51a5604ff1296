import GRDB
import GRDBSQLite
package import ParlanceCore
package import ParlanceWire
import Synchronization

/// The durable half of a node: events, what is projected from them, and what is known of peers, in one SQLite file.
///
/// All functions block, so they belong on threads that may: writing on one serial thread of the daemon's, reading on
/// any. One connection writes and checkpoints; readers have connections of their own and never wait for it.
package final class Store: Sendable {
    /// Whose store this is.
    package let identity: PeerID
    /// Which copy of the identity's store this is, chosen when it was made or found to be a copy.
    package var replica: ReplicaID { present.withLock { $0 } }

    let pool: DatabasePool
    let pageMarks = PageMarks()
    private let state: Mutex<State>
    private let present: Mutex<ReplicaID>

    /// What is touched by one thread at a time.
    private struct State {
        var lock: StoreLock?
        var confined: Confined?
        /// Set once and for all: after a failed write or sync nothing is written any more.
        var failure: StoreError?
    }

    /// The writer, which is reached only with the lock of `state` held. That is what makes it safe to hand around, and what
    /// the compiler cannot see.
    private struct Confined: @unchecked Sendable {
        let writer: Writer
    }

    init(pool: DatabasePool, lock: StoreLock, meta: MetaTable.Contents) throws {
        self.pool = pool
        identity = meta.identity
        present = Mutex(meta.replica)
        let identity = meta.identity
        let writer = try pool.writeWithoutTransaction { db in
            let writer = try Writer(db, identity: identity)
            let isCurrent = try ProjectionTable.isCurrent(db)
            if !isCurrent { try writer.rebuild(db) }
            return writer
        }
        state = Mutex(State(lock: lock, confined: Confined(writer: writer), failure: nil))
    }

    deinit { close() }

    /// Ends all use and gives the lock back. What was persisted stays; whatever is called later fails.
    package func close() {
        state.withLock { state in
            guard state.lock != nil else { return }
            state.confined = nil
            // Closing can fail only while a read is under way; then the file closes with it.
            try? pool.close()
            state.lock = nil
        }
    }

    /// Counts this start of the replica.
    ///
    /// - Returns: the new epoch, durable before it is returned, from 1.
    package func beginEpoch() throws(StoreError) -> UInt64 {
        try write { writer, db in try writer.transaction(db) { _ in try MetaTable.nextEpoch(db) } }
    }

    /// Raises the generation, by which an older state of this store is known; it never falls. Synced when this returns.
    package func raiseGeneration(to generation: UInt64) throws(StoreError) {
        try write { writer, db in
            try writer.transaction(db) { _ in try MetaTable.raiseGeneration(to: generation, db) }
        }
    }

    /// Writes all of a batch and what it projects in one transaction: when this returns, it is synced to disk.
    ///
    /// - Throws: `StoreError`; nothing of the batch is in the store. If `canGoOn` is false the node has to stop.
    package func persist(_ batch: PersistBatch) throws(StoreError) -> PersistReceipt {
        let receipt = try write { writer, db in
            if writer.gauge.bytes >= Checkpoint.latestBytes { try writer.checkpoint(db) }
            return try writer.persist(batch, db)
        }
        if let replica = batch.replica { present.withLock { $0 = replica } }
        return receipt
    }

    /// Does what is due and can wait: moves the write-ahead log into the database file.
    ///
    /// To be called on the thread that persists, when nothing waits to be persisted or after a receipt was handed on, so
    /// that no message waits for it. `persist` does it by itself only when the log has become very long.
    package func maintain() throws(StoreError) {
        try write { writer, db in try writer.checkpointIfDue(db) }
    }

    /// Throws what people see away and makes it anew from the events, with the same result.
    package func rebuildProjections() throws(StoreError) {
        try write { writer, db in try writer.rebuild(db) }
    }

    /// Runs `body` on the one connection that writes.
    func write<Value: Sendable>(_ body: (Writer, Database) throws -> Value) throws(StoreError) -> Value {
        let outcome: Result<Value, StoreError> = state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            guard let confined = state.confined else { return .failure(.closed) }
            do {
                return .success(try pool.writeWithoutTransaction { db in try body(confined.writer, db) })
            } catch {
                let failure = StoreError(error)
                if !failure.canGoOn { state.failure = failure }
                return .failure(failure)
            }
        }
        return try outcome.get()
    }

    /// Runs `body` on a connection that only reads, seeing one state of the store throughout.
    func read<Value: Sendable>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try StoreError.catching { try pool.read(body) }
    }
}

extension StoreError {
    static var closed: StoreError {
        StoreError(.fatal, "The message store has been closed.", advice: "Start the daemon again.")
    }
}
