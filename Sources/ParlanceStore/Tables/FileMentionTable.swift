import GRDB
import ParlanceRecords
import ParlanceWire

/// The files that messages name which are shown and not deleted: a projection. Names stay only in the event's body, so that
/// one copy has to be dropped.
struct FileMentionTable {
    static let create = """
        CREATE TABLE file_mention (
            log INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            place INTEGER NOT NULL,
            file BLOB NOT NULL,
            size INTEGER NOT NULL,
            PRIMARY KEY (log, sequence, place)
        ) WITHOUT ROWID
        """

    static let index = "CREATE INDEX file_mention_file ON file_mention (file)"

    private let insertion, deletion: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(db, "INSERT OR REPLACE INTO file_mention VALUES (?, ?, ?, ?, ?)")
        deletion = try Prepared(db, "DELETE FROM file_mention WHERE log = ? AND sequence = ?")
    }

    func insert(_ files: [FileMention], log: Int64, sequence: UInt64) throws {
        for (place, file) in files.enumerated() {
            try insertion.binding(log, sequence, place, file.file, file.size).run()
        }
    }

    func delete(log: Int64, sequence: UInt64) throws {
        try deletion.binding(log, sequence).run()
    }
}
