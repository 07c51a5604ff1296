import CStoreFiles
import GRDB
import GRDBSQLite
package import ParlanceCore
package import ParlanceWire
import ParlanceWords

extension Store {
    /// The copies from before upgrades that have texts which were deleted since, and which `open` could not remove.
    ///
    /// - Parameter folder: that of the store.
    package static func expiredCopies(at folder: String) -> [String] {
        UpgradeCopy(folder: StoreFolder(path: folder)).expired()
    }

    /// Opens the store in a folder, or creates it, and takes the exclusive lock on it.
    ///
    /// - Parameters:
    ///   - folder: created with mode 0700 if it does not exist.
    ///   - identity: the required owner of the store.
    ///   - newReplica: a random replica ID, used if the store is created now or is not the same copy as before. The
    ///     logs of the old replica then remain as logs of another replica of the same identity, and the epoch starts
    ///     again.
    ///   - profile: the owner's profile, used only if the store is created now.
    ///   - isSameCopy: judges the store by its marks, before anything of it is used.
    /// - Throws: `StoreError`; a store that is in use, newer, or owned by another identity is not changed.
    package static func open(
        at folder: String,
        identity: PeerID,
        newReplica: ReplicaID,
        profile: ProfileRecord,
        isSameCopy: (StoreMarks) -> Bool
    ) throws(StoreError) -> Store {
        let folder = StoreFolder(path: folder)
        try folder.prepare()
        let lock = try StoreLock(path: folder.lock)
        let reserve = DiskReserve(in: folder)
        reserve.beforeStart()
        let hasContents = try folder.prepareDatabase()
        guard storeFiles == SQLITE_OK else { throw .noStoreFiles(storeFiles) }
        return try StoreError.catching {
            let version = hasContents ? try inspect(folder.database, identity: identity) : 0
            BackupCopy(folder: folder).deleteOld()
            let copy = UpgradeCopy(folder: folder)
            if version > 0, version < Schema.version { try copy.make(of: version) } else { copy.deleteOld() }
            let pool = try DatabasePool(path: folder.database, configuration: configuration())
            let fresh = MetaTable.Contents(identity: identity, replica: newReplica, profile: profile)
            let file = try folder.file()
            let meta = try pool.writeWithoutTransaction { db in
                try setUpWriting(db)
                try Schema.migrate(db)
                var meta = try readMeta(db, orInsert: fresh)
                if !isSameCopy(try MetaTable.marks(file, db)), meta.replica != newReplica {
                    try renew(newReplica, db)
                    meta.replica = newReplica
                }
                return meta
            }
            return try Store(pool: pool, lock: lock, meta: meta, reserve: reserve)
        }
    }

    /// The result of registering the VFS of store files, `SQLITE_OK` if it is registered. It makes SQLite write a
    /// transaction to the write-ahead log with two calls instead of two for each page.
    private static let storeFiles = parlance_register_store_files()

    /// Examines an existing store through a read-only connection.
    ///
    /// - Returns: the version of its schema.
    private static func inspect(_ path: String, identity: PeerID) throws -> Int {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { db in
            let label = try Schema.Label(db)
            try label.check()
            guard label.version > 0, let meta = try MetaTable.read(db) else { return label.version }
            guard meta.identity == identity else { throw StoreError.otherIdentity(meta.identity, not: identity) }
            return label.version
        }
    }

    private static func readMeta(_ db: Database, orInsert fresh: MetaTable.Contents) throws -> MetaTable.Contents {
        if let meta = try MetaTable.read(db) { return meta }
        try db.inTransaction(.immediate) {
            try MetaTable.insert(fresh, db)
            return .commit
        }
        return fresh
    }

    private static func renew(_ replica: ReplicaID, _ db: Database) throws {
        try db.inTransaction(.immediate) {
            try MetaTable.renew(replica, epoch: 0, db)
            return .commit
        }
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.maximumReaderCount = 4
        configuration.busyMode = .timeout(Double(Checkpoint.busyMilliseconds) / 1000)
        // A failed rollback must end as a `StoreError`, not as a trap in GRDB.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { db in
            // Takes effect in an empty file only. A message writes a whole page in each table that it changes, so pages
            // are small.
            if !db.configuration.readonly { try db.execute(sql: "PRAGMA page_size = 2048") }
        }
        return configuration
    }

    /// Configures the writing connection and verifies the result. This follows opening because GRDB sets `synchronous`
    /// itself.
    private static func setUpWriting(_ db: Database) throws {
        try db.execute(
            sql: """
                PRAGMA synchronous = FULL;
                PRAGMA fullfsync = ON;
                PRAGMA wal_autocheckpoint = 0;
                PRAGMA secure_delete = ON;
                PRAGMA cache_size = -8192;
                PRAGMA temp_store = MEMORY;
                """
        )
        let full = 2
        guard try Int.fetchOne(db, sql: "PRAGMA synchronous") == full,
            try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal"
        else {
            throw StoreError(
                .cannotOpen,
                "The message store cannot promise that what it writes survives a crash.",
                advice: "Keep it on a local disk.",
                cause: "synchronous or journal_mode not as set"
            )
        }
    }
}

extension StoreError {
    /// - Parameter code: the result code of SQLite.
    fileprivate static func noStoreFiles(_ code: Int32) -> StoreError {
        StoreError(
            .cannotOpen,
            "The message store cannot be opened: the SQLite of this machine does not take the settings of the store.",
            advice: "Install the SQLite of your distribution.",
            cause: sqlite3_errstr(code).map { "SQLite: \(String(cString: $0))" }
        )
    }

    fileprivate static func otherIdentity(_ found: PeerID, not own: PeerID) -> StoreError {
        StoreError(
            .otherIdentity,
            "The message store belongs to the identity \(found.prefix), and this node is \(own.prefix).",
            advice: "Put the identity file back that belongs to it, or choose another profile."
        )
    }
}
