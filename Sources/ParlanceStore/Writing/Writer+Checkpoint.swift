import GRDB
import GRDBSQLite

/// When to move the write-ahead log into the database file.
enum Checkpoint {
    /// Bytes of pages in the log above which a checkpoint is due: few enough to recover in milliseconds after a crash.
    static let dueBytes = 8 * 1024 * 1024
    /// Bytes of pages in the log above which a checkpoint waits no longer: a batch first performs it. Recovery then takes
    /// some 40 ms.
    static let latestBytes = 32 * 1024 * 1024
    /// Bytes of pages in the log above which a checkpoint is due on a disk that is nearly full: the database has to have
    /// room for them.
    static let tightBytes = 256 * 1024
    /// Events of which texts are removed in a batch that is written with the reserved room: some 16 KB of pages each.
    static let tightEvents = 32
    /// Events of a batch from which on the store counts as busy. A peer that catches up has probably sent more, and that
    /// would wait for a checkpoint.
    static let busyEvents = 256
    /// Milliseconds to wait for another program's lock before a write.
    static let busyMilliseconds: Int32 = 2000
}

extension Writer {
    func checkpointIfDue(_ db: Database, isTight: Bool = false) throws {
        let bytes = isTight ? Checkpoint.tightBytes : isBusy ? Checkpoint.latestBytes : Checkpoint.dueBytes
        if tables.holdsDroppedTexts || gauge.bytes >= bytes { try checkpoint(db) }
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
        let mode = tables.holdsDroppedTexts ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = sqlite3_wal_checkpoint_v2(connection, "main", mode, &inLog, &copied)
        if code == SQLITE_BUSY { return }
        guard code == SQLITE_OK else { throw SQLiteFailure(connection: connection) }
        tables.holdsDroppedTexts = false
        if inLog == copied { gauge.clear() }
    }
}
