import GRDB
import ParlanceCore
import ParlanceHistory
import ParlanceWire

/// Texts of messages that an admin deleted, and of their edits, kept until the deletion can no longer become void.
///
/// In the table `event` such a text is gone, so it is neither shown nor sent. This is not a projection: no event
/// determines the time from which a text is kept.
struct WithheldTable {
    static let create = """
        CREATE TABLE withheld (
            log INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            since INTEGER NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (log, sequence)
        ) WITHOUT ROWID
        """

    static let index = "CREATE INDEX withheld_since ON withheld (since)"

    private let insertion, selection, deletion, expiry, moving, ofLog: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(
            db,
            """
            INSERT OR REPLACE INTO withheld
            SELECT log, sequence, ?3, body FROM event WHERE log = ?1 AND sequence = ?2 AND body IS NOT NULL
            """
        )
        selection = try Prepared(db, "SELECT body FROM withheld WHERE log = ? AND sequence = ?")
        deletion = try Prepared(db, "DELETE FROM withheld WHERE log = ? AND sequence = ? RETURNING 1")
        expiry = try Prepared(db, "DELETE FROM withheld WHERE since <= ? RETURNING 1")
        moving = try Prepared(db, "UPDATE withheld SET log = ?1 WHERE log = ?2 AND sequence > ?3")
        ofLog = try Prepared(db, "SELECT sequence FROM withheld WHERE log = ? ORDER BY sequence")
    }

    static func isEmpty(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM withheld)") ?? true
    }

    /// Keeps the present body of an event.
    func keep(_ place: Place, since: Int64) throws {
        try insertion.binding(place.log, place.sequence, since).run()
    }

    /// Removes and returns a body; `nil` if none is kept.
    func take(_ place: Place) throws -> [UInt8]? {
        let body = try selection.binding(place.log, place.sequence).first { $0.bytes(0) }
        if body != nil { try delete(place) }
        return body
    }

    /// - Returns: whether a text was kept.
    @discardableResult
    func delete(_ place: Place) throws -> Bool {
        try deletion.binding(place.log, place.sequence).exists()
    }

    /// Deletes texts that have been kept since a moment or longer.
    ///
    /// - Returns: whether there were any.
    func expire(since moment: Int64) throws -> Bool {
        // SQLite deletes all of them before it returns the first.
        try expiry.binding(moment).exists()
    }

    /// Moves the texts of a log after a sequence to another log, like `EventTable.move`.
    func move(from log: Int64, to other: Int64, after sequence: UInt64) throws {
        try moving.binding(other, log, sequence).run()
    }

    /// The sequences in a log whose texts are kept, ascending.
    func sequences(log: Int64) throws -> [UInt64] {
        try ofLog.binding(log).map { $0.bits(0) }
    }
}
