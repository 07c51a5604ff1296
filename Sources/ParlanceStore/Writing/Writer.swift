import GRDB
import GRDBSQLite
import ParlanceCore
import ParlanceHistory
import ParlanceWire

/// The state of the one connection that writes.
///
/// `Store` ensures that one thread at a time uses it. Its memory matches the database; after a failed transaction it is
/// emptied.
final class Writer {
    let tables: StoreTables
    let history: History
    let gauge: WriteAheadGauge
    /// Whether the latest batch was a large one, so that another probably follows.
    var isBusy = false

    var search: SearchState { tables.search }

    init(_ db: Database, identity: PeerID) throws {
        tables = try StoreTables(db, identity: identity)
        history = try History(tables, identity: identity)
        gauge = WriteAheadGauge(pageSize: try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        gauge.attach(to: db.sqliteConnection)
    }

    /// Runs `body` as one transaction: it is durable as a whole when this returns, or absent if this throws.
    ///
    /// - Parameter body: receives the transaction's outcome to add to.
    func transaction<Value>(_ db: Database, _ body: (inout Outcome) throws -> Value) throws -> Value {
        try execute("BEGIN IMMEDIATE", db)
        do {
            var outcome = Outcome()
            let value = try body(&outcome)
            try history.save(outcome)
            try execute("COMMIT", db)
            return value
        } catch {
            forget()
            // A commit that failed for lack of room leaves the transaction open; other failures may have ended it. If
            // the rollback fails too, the next transaction cannot begin, which stops the store.
            if sqlite3_get_autocommit(db.sqliteConnection) == 0 { try? execute("ROLLBACK", db) }
            throw error
        }
    }

    private func execute(_ sql: String, _ db: Database) throws {
        guard sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil) == SQLITE_OK else {
            throw SQLiteFailure(connection: db.sqliteConnection)
        }
    }

    /// Empties the memory, since it may contain more than the database holds.
    func forget() {
        history.forget()
        tables.forget()
    }

    /// Computes the projections again from the events.
    func rebuild(_ db: Database) throws {
        // Memory may not match the rows after this.
        forget()
        try transaction(db) { outcome in
            try tables.dropSearch()
            try history.rebuild(&outcome)
            try ProjectionTable.markCurrent(db)
        }
    }
}
