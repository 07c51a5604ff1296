import GRDB
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// The index for searching: a projection that follows the others later, so that no message waits for it.
///
/// A searched message has a number, in the order in which messages were taken into the index. The numbers are divided into
/// shards, each with two full-text tables: one of words, one of parts of words. The tables hold no texts, only where each
/// word is; deleted text leaves a shard when that is written anew, so shards are small.
enum SearchTables {
    static let create = [
        // How far each log is in the index: everything up to there that is shown is in it, with its present text.
        "CREATE TABLE search_log (log INTEGER PRIMARY KEY, indexed INTEGER NOT NULL)",
        // The messages in the index.
        """
        CREATE TABLE search_message (
            number INTEGER PRIMARY KEY,
            log INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            time INTEGER NOT NULL
        )
        """,
        "CREATE INDEX search_place ON search_message (log, sequence)",
        // `purge`: whether it holds words of texts that are gone. The times are those of its messages, or beyond.
        """
        CREATE TABLE search_shard (
            shard INTEGER PRIMARY KEY,
            purge INTEGER NOT NULL DEFAULT 0,
            earliest INTEGER NOT NULL,
            latest INTEGER NOT NULL
        )
        """,
    ]

    /// Messages in a shard: writing one anew takes some 50 ms, and a million messages are 31 shards.
    static let shardMessages: Int64 = 32_768

    /// The numbers begin at 1.
    static func shard(of number: Int64) -> Int64 { (number - 1) / shardMessages }

    static func words(_ shard: Int64) -> String { "search_words_\(shard)" }

    static func parts(_ shard: Int64) -> String { "search_parts_\(shard)" }

    /// The tables of a shard. FTS5 only has to separate words at spaces: `SearchText` has made them.
    static func createShard(_ shard: Int64) -> [String] {
        [
            """
            CREATE VIRTUAL TABLE \(words(shard)) USING fts5(words, place, content = '', columnsize = 0, tokenize = 'ascii')
            """,
            """
            CREATE VIRTUAL TABLE \(parts(shard)) USING fts5(parts, content = '', columnsize = 0, detail = none, \
            tokenize = 'ascii')
            """,
        ]
    }

    struct Shard {
        let number: Int64
        let earliest: Int64
        let latest: Int64
    }

    /// All shards, the newest first.
    static func shards(_ db: Database) throws -> [Shard] {
        let sql = "SELECT shard, earliest, latest FROM search_shard ORDER BY shard DESC"
        return try db.prepared(sql)
            .map { Shard(number: $0.integer(0), earliest: $0.integer(1), latest: $0.integer(2)) }
    }

    // What stands in the column `place`, to find the messages of a person or of a conversation.

    static func place(ofAuthor author: PeerID) -> String { "a" + author.text.prefix(16) }

    static func place(ofConversation row: Int64) -> String { "c\(row)" }
}

/// How far a log is in the index, and how far it is applied.
struct SearchedLog {
    let row: Int64
    let conversationRow: Int64
    let author: PeerID
    let indexed: UInt64
    let applied: UInt64

    /// Its events that are not in the index yet.
    var pending: UInt64 { applied > indexed ? applied - indexed : 0 }

    static func all(_ db: Database) throws -> [SearchedLog] {
        let sql = """
            SELECT log.id, log.conversation, log.author, log.applied, coalesce(search_log.indexed, branch.base, 0)
            FROM log LEFT JOIN search_log ON search_log.log = log.id LEFT JOIN branch ON branch.log = log.id
            """
        return try db.prepared(sql).map { row in
            guard let author = PeerID(row.view(2)) else { throw StoreError.damaged("log row") }
            return SearchedLog(
                row: row.integer(0),
                conversationRow: row.integer(1),
                author: author,
                indexed: row.bits(4),
                applied: row.bits(3)
            )
        }
    }

    /// A message that is shown, and has a text.
    struct Message {
        let sequence: UInt64
        let effective: UInt64
        let flags: LineFlags
    }

    /// The messages of the log after a sequence and up to another, in their order.
    func messages(after: UInt64, through: UInt64, limit: Int, _ db: Database) throws -> [Message] {
        let sql = """
            SELECT event.sequence, event.effective, message.flags FROM event CROSS JOIN message
            ON message.conversation = ? AND message.effective = event.effective AND message.id = event.id
            WHERE event.log = ? AND event.sequence > ? AND event.sequence <= ? AND message.flags & ? = 0
            ORDER BY event.sequence LIMIT ?
            """
        let hidden = LineFlags.withoutText
        return try db.prepared(sql, conversationRow, row, after, through, hidden, limit).map { row in
            let flags = LineFlags(rawValue: row.integer(2))
            return Message(sequence: row.bits(0), effective: row.bits(1), flags: flags)
        }
    }
}

extension LineFlags {
    /// Whatever is shown and is not a message with a text.
    static let withoutText: LineFlags = [.note, .deleted, .fork]
}

extension WrittenTime {
    /// The time to show, as far as it is known for good.
    var searched: Int64 { arrived ?? written }
}
