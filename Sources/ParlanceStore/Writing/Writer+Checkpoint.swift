import GRDB
import GRDBSQLite

/// When to move the write-ahead log into the database file.
enum Checkpoint {
    /// Bytes of pages in the log above which a checkpoint is due: few enough to recover in milliseconds after a crash.
    static let dueBytes = 8 * 1024 * 1024
    /// Bytes of pages in the log above which a batch first performs a checkpoint.
    static let latestBytes = 32 * 1024 * 1024
    /// Milliseconds to wait for another program's lock before a write.
    static let busyMilliseconds: Int32 = 2000
}

extension Writer {
    func checkpointIfDue(_ db: Database) throws {
        if holdsDroppedTexts || gauge.bytes >= Checkpoint.dueBytes { try checkpoint(db) }
    }

    /// Copies as much of the log as readers permit. After texts were dropped it also empties the log, so that they are
    /// gone from disk.
    ///
    /// A reader in the way is not an error: the next checkpoint continues.
    func checkpoint(_ db: Database) throws {
        let connection = db.sqliteConnection
        sqlite3_busy_timeout(connection, 0)
        defer { sqlite3_busy_timeout(connection, Checkpoint.busyMilliseconds) }
        var inLog: Int32 = 0
        var copied: Int32 = 0
        let mode = holdsDroppedTexts ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = sqlite3_wal_checkpoint_v2(connection, "main", mode, &inLog, &copied)
        if code == SQLITE_BUSY { return }
        guard code == SQLITE_OK else { throw SQLiteFailure(connection: connection) }
        holdsDroppedTexts = false
        if inLog == copied { gauge.clear() }
    }
}
