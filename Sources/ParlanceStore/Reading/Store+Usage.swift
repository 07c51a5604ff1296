import GRDB
import ParlanceCore
import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

/// What the store takes on the disk, in bytes.
package struct StoreUsage: Equatable, Sendable {
    /// What one conversation takes.
    package struct Place: Equatable, Sendable {
        package var record: ConversationRecord
        /// The messages that are shown.
        package var messages: Int
        /// Of all its events, with what is not shown: headers, bodies and signatures.
        package var bytes: UInt64
        /// The files that its messages name, each once.
        package var files: Set<FileID>
    }

    package var places: [Place] = []
    /// The tables of the index for searching.
    package var searchBytes: UInt64 = 0
    /// The pictures of people.
    package var pictureBytes: UInt64 = 0
    package var envelopes = 0
    package var envelopeBytes: UInt64 = 0
    /// The whole database, without its write-ahead log.
    package var bytes: UInt64 = 0
    /// Of that, what is free for something new.
    package var freeBytes: UInt64 = 0
    /// What is kept beside it for when the disk is full.
    package var reserveBytes: UInt64 = 0
}

extension Store {
    /// Reads every event, so it takes seconds for a million of them.
    package func usage() throws(StoreError) -> StoreUsage {
        try read { db in
            var usage = StoreUsage()
            let (bytes, files) = (try Self.eventBytes(db), try Self.filesByConversation(db))
            let shown = try Self.counts("SELECT conversation, total(shown) FROM log GROUP BY conversation", db)
            usage.places = try ConversationTable.all(db).map { row, record in
                StoreUsage.Place(
                    record: record,
                    messages: Int(shown[row] ?? 0),
                    bytes: bytes[row] ?? 0,
                    files: files[row] ?? []
                )
            }
            for shard in try SearchTables.shards(db).map(\.number) {
                for table in [SearchTables.words(shard), SearchTables.parts(shard)] {
                    let sql = "SELECT total(length(block)) FROM \(table)_data"
                    usage.searchBytes += UInt64(try Double.fetchOne(db, sql: sql) ?? 0)
                }
            }
            let pictures = "SELECT total(length(content)) FROM picture"
            usage.pictureBytes = UInt64(try Double.fetchOne(db, sql: pictures) ?? 0)
            let envelopes = try EnvelopeTable.all(db)
            usage.envelopes = envelopes.count
            usage.envelopeBytes = envelopes.reduce(0) { $0 + UInt64(clamping: $1.byteCount) }
            let page = UInt64(try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
            usage.bytes = page * UInt64(try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0)
            usage.freeBytes = page * UInt64(try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0)
            usage.reserveBytes = reserve.held
            return usage
        }
    }

    private static func eventBytes(_ db: Database) throws -> [Int64: UInt64] {
        try counts(
            """
            SELECT log.conversation,
            total(length(event.header) + coalesce(length(event.body), 0) + coalesce(length(event.signature), 0))
            FROM event JOIN log ON log.id = event.log GROUP BY log.conversation
            """,
            db
        )
    }

    /// Numbers by the rows of conversations.
    private static func counts(_ sql: String, _ db: Database) throws -> [Int64: UInt64] {
        var found: [Int64: UInt64] = [:]
        try db.prepared(sql).each { found[$0.integer(0)] = $0.bits(1) }
        return found
    }

    private static func filesByConversation(_ db: Database) throws -> [Int64: Set<FileID>] {
        let sql = """
            SELECT DISTINCT log.conversation, file_mention.file FROM file_mention JOIN log ON log.id = file_mention.log
            """
        var found: [Int64: Set<FileID>] = [:]
        try db.prepared(sql).each { row in
            guard let file = FileID(row.view(1)) else { throw StoreError.damaged("file_mention row") }
            found[row.integer(0), default: []].insert(file)
        }
        return found
    }
}
