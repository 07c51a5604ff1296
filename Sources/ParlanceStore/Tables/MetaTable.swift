import GRDB
import ParlanceCore
import ParlanceWire

/// One row: the store's identity and replica, the number of its starts, and the owner's profile.
enum MetaTable {
    static let create = """
        CREATE TABLE meta (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            identity BLOB NOT NULL,
            replica BLOB NOT NULL,
            epoch INTEGER NOT NULL DEFAULT 0,
            name TEXT NOT NULL,
            activity TEXT NOT NULL,
            status_text TEXT NOT NULL
        )
        """

    /// Added in version 2.
    static let addGeneration = "ALTER TABLE meta ADD COLUMN generation INTEGER NOT NULL DEFAULT 0"

    /// How long the node has run, over all its starts, in milliseconds. Added in version 18.
    static let addRan = "ALTER TABLE meta ADD COLUMN ran INTEGER NOT NULL DEFAULT 0"

    struct Contents {
        var identity: PeerID
        var replica: ReplicaID
        var profile: ProfileRecord
    }

    static func read(_ db: Database) throws -> Contents? {
        let sql = "SELECT identity, replica, name, activity, status_text FROM meta"
        return try db.prepared(sql).first { row in
            guard let identity = PeerID(row.view(0)), let replica = ReplicaID(row.view(1)) else {
                throw StoreError.damaged("meta row")
            }
            let profile = ProfileRecord(
                name: row.text(2),
                activity: Activity(rawValue: row.text(3)) ?? .online,
                statusText: row.text(4)
            )
            return Contents(identity: identity, replica: replica, profile: profile)
        }
    }

    static func insert(_ contents: Contents, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO meta (id, identity, replica, name, activity, status_text) VALUES (1, ?, ?, ?, ?, ?)",
            arguments: [
                contents.identity.data, contents.replica.data, contents.profile.name,
                contents.profile.activity.rawValue, contents.profile.statusText,
            ]
        )
    }

    static func save(_ profile: ProfileRecord, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE meta SET name = ?, activity = ?, status_text = ?",
            arguments: [profile.name, profile.activity.rawValue, profile.statusText]
        )
    }

    static func ran(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT ran FROM meta") ?? 0
    }

    static func save(ran: Int64, _ db: Database) throws {
        try db.execute(sql: "UPDATE meta SET ran = ?", arguments: [ran])
    }

    static func nextEpoch(_ db: Database) throws -> UInt64 {
        try db.execute(sql: "UPDATE meta SET epoch = epoch + 1")
        return UInt64(clamping: try Int64.fetchOne(db, sql: "SELECT epoch FROM meta") ?? 0)
    }

    /// What distinguishes this copy's state from others (identity.md, "Replica").
    static func marks(_ file: StoreMarks.File, _ db: Database) throws -> StoreMarks {
        let marks = try db.prepared("SELECT replica, epoch, generation FROM meta").first { row in
            ReplicaID(row.view(0))
                .map { StoreMarks(replica: $0, epoch: row.bits(1), generation: row.bits(2), file: file) }
        }
        guard let marks else { throw StoreError.damaged("meta row") }
        return marks
    }

    /// Makes the store another replica: its logs begin at 1, and all of them are for every member. What its predecessor
    /// has named stays recorded: naming the predecessor's log covers that.
    ///
    /// - Parameter epoch: the number of its starts so far.
    static func renew(_ replica: ReplicaID, epoch: Int64, _ db: Database) throws {
        try db.execute(sql: "UPDATE meta SET replica = ?, epoch = ?", arguments: [replica.data, epoch])
        try db.execute(sql: "UPDATE recipient SET after = 0 WHERE after <> 0")
    }

    static func raiseGeneration(to generation: UInt64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE meta SET generation = max(generation, ?)",
            arguments: [Int64(clamping: generation)]
        )
    }
}
