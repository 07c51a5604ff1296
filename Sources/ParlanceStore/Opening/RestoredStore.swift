import Foundation
import GRDB
package import ParlanceWire
import ParlanceWords

/// A store from a backup on its way into a data folder that has none. Until `putInPlace` it is a draft, which goes with
/// this object.
package final class RestoredStore {
    /// What a restored store says of itself.
    package struct Contents: Equatable, Sendable {
        package var identity: PeerID
        package var replica: ReplicaID
        /// The version of its schema.
        package var version: Int
    }

    private let folder: StoreFolder
    private let lock: StoreLock
    private let draft: String
    private let descriptor: Int32
    private var isMoved = false

    /// Locks the folder, which is made if necessary; throws if a daemon uses it, or if it has a store.
    package init(in path: String) throws(StoreError) {
        folder = StoreFolder(path: path)
        try folder.prepare()
        lock = try StoreLock(path: folder.lock)
        guard !FileManager.default.fileExists(atPath: folder.database) else { throw .hasStore(path) }
        draft = folder.database + ".restored"
        unlink(draft)
        descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen(draft, because: errno) }
    }

    deinit {
        close(descriptor)
        guard !isMoved else { return }
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(draft + suffix) }
    }

    /// Writes a piece of the store behind those before it.
    package func append(_ bytes: [UInt8]) throws(StoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .notRestored(errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Makes the draft durable, and examines it as a file that a stranger may have made: no statement of it is run.
    package func check() throws(StoreError) -> Contents {
        guard fsync(descriptor) == 0 else { throw .notRestored(errno) }
        return try StoreError.catching {
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: draft, configuration: configuration)
            defer { try? queue.close() }
            return try queue.inDatabase { db in try Self.contents(db) }
        }
    }

    private static func contents(_ db: Database) throws -> Contents {
        try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        let label = try Schema.Label(db)
        try label.check()
        // What would run by itself; the schema has none of it.
        let sql = "SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')"
        guard label.version > 0, try Int.fetchOne(db, sql: sql) == 0,
            try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok", let meta = try MetaTable.read(db)
        else { throw StoreError.damaged("a backup of something else") }
        // A count near its end would make the node stop at each start.
        let counts = label.version > 1 ? "max(epoch, generation)" : "max(epoch, 0)"
        let lowest = label.version > 1 ? "min(epoch, generation)" : "min(epoch, 0)"
        guard let most = try Int64.fetchOne(db, sql: "SELECT \(counts) FROM meta"), most < Int64.max / 2,
            let least = try Int64.fetchOne(db, sql: "SELECT \(lowest) FROM meta"), least >= 0
        else { throw StoreError.damaged("the counts of a backup") }
        return Contents(identity: meta.identity, replica: meta.replica, version: label.version)
    }

    /// Removes the store again, because the rest of the backup could not be restored.
    package func takeBack() {
        if isMoved { unlink(folder.database) }
    }

    /// Moves the store into its place, durably.
    package func putInPlace() throws(StoreError) {
        // The lock is held, so nobody has made a store since.
        guard rename(draft, folder.database) == 0 else { throw .notRestored(errno) }
        isMoved = true
        let above = open(folder.path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard above >= 0 else { throw .notRestored(errno) }
        defer { close(above) }
        guard fsync(above) == 0 || errno == EINVAL else { throw .notRestored(errno) }
    }
}

extension StoreError {
    fileprivate static func hasStore(_ folder: String) -> StoreError {
        StoreError(
            .foreign,
            "There are messages in \(folder) already, and a restore never replaces any.",
            advice: "Restore into another profile (--profile NAME), or move that folder away."
        )
    }

    fileprivate static func notRestored(_ reason: Int32) -> StoreError {
        StoreError(
            reason == ENOSPC || reason == EDQUOT ? .full : .cannotOpen,
            "The messages of the backup cannot be written: \(String(cString: strerror(reason))).",
            advice: "Check that the disk has room for them, then try again; nothing was restored.",
            cause: "errno \(reason)"
        )
    }
}
