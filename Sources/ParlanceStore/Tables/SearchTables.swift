import GRDB
import ParlanceCore
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
        let statement = Prepared(try db.cachedStatement(sql: sql))
        defer { statement.reset() }
        var found: [Shard] = []
        while try statement.next() {
            found.append(
                Shard(number: statement.integer(0), earliest: statement.integer(1), latest: statement.integer(2))
            )
        }
        return found
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
        let statement = Prepared(
            try db.cachedStatement(
                sql: """
                    SELECT log.id, log.conversation, log.author, log.applied,
                    coalesce(search_log.indexed, branch.base, 0)
                    FROM log LEFT JOIN search_log ON search_log.log = log.id LEFT JOIN branch ON branch.log = log.id
                    """
            )
        )
        defer { statement.reset() }
        var found: [SearchedLog] = []
        while try statement.next() {
            guard let author = PeerID(statement.view(2)) else { throw StoreError.damaged("log row") }
            found.append(
                SearchedLog(
                    row: statement.integer(0),
                    conversationRow: statement.integer(1),
                    author: author,
                    indexed: statement.bits(4),
                    applied: statement.bits(3)
                )
            )
        }
        return found
    }

    /// A message that is shown, and has a text.
    struct Message {
        let sequence: UInt64
        let effective: UInt64
        let flags: MessageTable.Flags
    }

    /// The messages of the log after a sequence and up to another, in their order.
    func messages(after: UInt64, through: UInt64, limit: Int, _ db: Database) throws -> [Message] {
        let statement = Prepared(
            try db.cachedStatement(
                sql: """
                    SELECT event.sequence, event.effective, message.flags FROM event CROSS JOIN message
                    ON message.conversation = ?1 AND message.effective = event.effective AND message.id = event.id
                    WHERE event.log = ?2 AND event.sequence > ?3 AND event.sequence <= ?4 AND message.flags & ?5 = 0
                    ORDER BY event.sequence LIMIT ?6
                    """
            )
        )
        statement.bind(1, conversationRow)
        statement.bind(2, row)
        statement.bind(3, bits: after)
        statement.bind(4, bits: through)
        statement.bind(5, MessageTable.Flags.withoutText.rawValue)
        statement.bind(6, Int64(limit))
        defer { statement.reset() }
        var found: [Message] = []
        while try statement.next() {
            let flags = MessageTable.Flags(rawValue: statement.integer(2))
            found.append(Message(sequence: statement.bits(0), effective: statement.bits(1), flags: flags))
        }
        return found
    }
}

extension MessageTable.Flags {
    /// Whatever is shown and is not a message with a text.
    static let withoutText: MessageTable.Flags = [.note, .deleted, .fork]
}

extension WrittenTime {
    /// The time to show, as far as it is known for good.
    var searched: Int64 { arrived ?? claimed.milliseconds }
}
