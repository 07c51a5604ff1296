import GRDB
import ParlanceControl

/// What the assistant has found, in a file of its own beside the store (protocol/assistant.md, "Rules").
///
/// All of it can be found again, except what the user has noted, what was asked and answered, and the address of a model
/// server. It keeps no texts but those, and those of what it found.
/// Its methods block; call them on no event loop.
struct AssistantStore: Sendable {
    /// The file, in the data folder.
    static let fileName = "assistant.sqlite"
    /// The only version of the schema. A file of another version is made anew.
    private static let version = 3

    let queue: ClosableDatabase
    let path: String

    /// Opens the file, and makes it if there is none.
    init(at path: String) throws {
        self.path = path
        FileSize.makePrivate(path)
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            // What it holds can be found again, so a crash may cost its last entries. What was removed is in no file.
            try db.execute(
                sql: "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON"
            )
        }
        try queue.write { db in
            let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            if found != Self.version {
                let talk = ["turnBasis", "turnProblem", "turn"]
                for table in talk + ["setting", "vector", "mark", "decision", "action", "message"] {
                    try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
                }
                try db.execute(sql: Self.schema)
            }
            try db.execute(sql: Self.talkSchema)
        }
        self.queue = ClosableDatabase(queue)
    }

    private static let schema = """
        CREATE TABLE message (
            id TEXT PRIMARY KEY, conversation TEXT NOT NULL, time INTEGER NOT NULL, digest INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX messageOfConversation ON message (conversation);
        CREATE TABLE action (
            message TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE, number INTEGER NOT NULL,
            task TEXT NOT NULL, assignee TEXT, deadline TEXT, priority TEXT NOT NULL, done INTEGER NOT NULL,
            digest INTEGER NOT NULL,
            PRIMARY KEY (message, number)
        ) WITHOUT ROWID;
        CREATE TABLE decision (
            message TEXT PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE, text TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE mark (
            message TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE, task INTEGER NOT NULL,
            done INTEGER NOT NULL, PRIMARY KEY (message, task)
        ) WITHOUT ROWID;
        CREATE TABLE vector (
            message TEXT PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE, vector BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        PRAGMA user_version = \(version);
        """

    /// Whoever uses it from now on gets an error.
    func close() { queue.close() }

    // Writing.

    /// What was found in a message.
    struct Reading: Sendable {
        var id: String
        var conversation: String
        /// In milliseconds since 1970.
        var time: Int64
        /// Tells one text from another.
        var digest: Int64
        /// Tells one excerpt from another.
        var excerpt: Int64
        var actions: [FoundAction]
        var decision: FoundDecision?
    }

    /// Keeps what was found in messages, instead of what was found in them before, and forgets their embeddings. What the
    /// user noted stays.
    func put(_ readings: [Reading]) throws {
        guard !readings.isEmpty else { return }
        try queue.write { db in
            for reading in readings { try Self.put(reading, db) }
        }
    }

    private static func put(_ reading: Reading, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO message VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET time = excluded.time, digest = excluded.digest
                """,
            arguments: [reading.id, reading.conversation, reading.time, reading.digest]
        )
        try db.execute(sql: "DELETE FROM action WHERE message = ?", arguments: [reading.id])
        try db.execute(sql: "DELETE FROM decision WHERE message = ?", arguments: [reading.id])
        try db.execute(sql: "DELETE FROM vector WHERE message = ?", arguments: [reading.id])
        try removeTurns(of: reading.id, besides: reading.excerpt, db)
        for (number, action) in reading.actions.enumerated() {
            try db.execute(
                sql: "INSERT INTO action VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    reading.id, number + 1, action.task, action.assignee, action.deadline?.text,
                    action.priority.rawValue, action.isDone, Int64(bitPattern: StableHash.of(action.task)),
                ]
            )
        }
        guard let decision = reading.decision else { return }
        try db.execute(sql: "INSERT INTO decision VALUES (?, ?)", arguments: [reading.id, decision.text])
    }

    /// Forgets messages that are not shown any more.
    func remove(_ ids: some Collection<String>) throws {
        try queue.write { db in
            for id in ids {
                try db.execute(sql: "DELETE FROM message WHERE id = ?", arguments: [id])
                try Self.removeTurns(of: id, db)
            }
        }
    }

    /// Notes whether an action is done, for this user. If the message is edited, that holds for the same task.
    func mark(_ action: StoredAction, done: Bool) throws {
        try queue.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO mark VALUES (?, ?, ?)",
                arguments: [action.message, Int64(bitPattern: StableHash.of(action.task)), done]
            )
        }
    }

    // Reading.

    /// The messages of a conversation that were read, with the digests of their texts.
    func digests(of conversation: String) throws -> [String: Int64] {
        try queue.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT id, digest FROM message WHERE conversation = ?",
                arguments: [conversation]
            )
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], $0["digest"]) })
        }
    }

    /// The digest of the text of a message that was read; nil if it was not.
    func digest(of message: String) throws -> Int64? {
        try queue.read { db in
            try Int64.fetchOne(db, sql: "SELECT digest FROM message WHERE id = ?", arguments: [message])
        }
    }

    /// Forgets all messages of other conversations.
    func removeAll(besides conversations: [String]) throws {
        try queue.write { db in
            let known = Set(conversations)
            let all = try String.fetchAll(db, sql: "SELECT DISTINCT conversation FROM message")
            for conversation in all where !known.contains(conversation) {
                try db.execute(sql: "DELETE FROM message WHERE conversation = ?", arguments: [conversation])
            }
            let talks = try String.fetchAll(
                db,
                sql: """
                    SELECT conversation FROM turn WHERE conversation IS NOT NULL
                    UNION SELECT conversation FROM turnBasis
                    """
            )
            for conversation in talks where !known.contains(conversation) {
                try db.execute(
                    sql: """
                        DELETE FROM turn WHERE conversation = ?1
                        OR id IN (SELECT turn FROM turnBasis WHERE conversation = ?1)
                        """,
                    arguments: [conversation]
                )
            }
        }
    }

    func count() throws -> Int {
        try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM message") ?? 0 }
    }

    /// An action with its place.
    struct StoredAction: Sendable {
        var message: String
        var number: Int
        var conversation: String
        var time: Int64
        var task: String
        var assignee: String?
        var deadline: String?
        var priority: String
        var done: Bool

        var id: String { "\(message)/\(number)" }
    }

    /// The actions of a conversation or of all: open ones first, then by deadline, then the newest; done ones last.
    ///
    /// - Parameter conversation: nil: all of them.
    func actions(in conversation: String?) throws -> [StoredAction] {
        try queue.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT action.*, message.conversation, message.time, coalesce(mark.done, action.done) AS isDone
                    FROM action JOIN message ON message.id = action.message
                    LEFT JOIN mark ON mark.message = action.message AND mark.task = action.digest
                    WHERE ?1 IS NULL OR message.conversation = ?1
                    ORDER BY isDone, action.deadline IS NULL,
                        CASE WHEN length(action.deadline) = 10 THEN action.deadline || 'T24' ELSE action.deadline END,
                        message.time DESC, action.message, action.number
                    """,
                arguments: [conversation]
            )
            return rows.map { row in
                StoredAction(
                    message: row["message"],
                    number: row["number"],
                    conversation: row["conversation"],
                    time: row["time"],
                    task: row["task"],
                    assignee: row["assignee"],
                    deadline: row["deadline"],
                    priority: row["priority"],
                    done: row["isDone"]
                )
            }
        }
    }

    /// The decisions of a conversation or of all, the newest first.
    func decisions(in conversation: String?) throws -> [(message: String, conversation: String, text: String)] {
        try queue.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT message.id, message.conversation, decision.text
                    FROM decision JOIN message ON message.id = decision.message
                    WHERE ?1 IS NULL OR message.conversation = ?1
                    ORDER BY message.time DESC, message.id
                    """,
                arguments: [conversation]
            )
            return rows.map { ($0["id"], $0["conversation"], $0["text"]) }
        }
    }

    // The model server.

    /// Where the model server is, and what it does, as the user has said.
    struct Server: Equatable, Sendable {
        var address: String
        /// The chat model; nil: none.
        var model: String?
        /// Nil: it makes no embeddings.
        var embedding: Embedding?
        var allowsPublic: Bool
    }

    /// An embedding model of a server.
    struct Embedding: Equatable, Sendable {
        var name: String
        var dimensions: Int
    }

    func server() throws -> Server? {
        try queue.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT name, value FROM setting")
            let values: [String: String] = Dictionary(uniqueKeysWithValues: rows.map { ($0["name"], $0["value"]) })
            guard let address = values["address"] else { return nil }
            var server = Server(address: address, model: values["model"], allowsPublic: values["public"] != nil)
            if let name = values["embedding"], let dimensions = values["dimensions"].flatMap({ Int($0) }) {
                server.embedding = Embedding(name: name, dimensions: dimensions)
            }
            return server
        }
    }

    func setServer(_ server: Server?) throws {
        try queue.write { db in
            try db.execute(sql: "DELETE FROM setting WHERE name <> ?", arguments: [Self.vectorSetting])
            guard let server else { return }
            var values = ["address": server.address]
            values["model"] = server.model
            values["embedding"] = server.embedding?.name
            values["dimensions"] = server.embedding.map { "\($0.dimensions)" }
            if server.allowsPublic { values["public"] = "yes" }
            for (name, value) in values {
                try db.execute(sql: "INSERT INTO setting VALUES (?, ?)", arguments: [name, value])
            }
        }
    }

    // The file.

    private static func files(_ path: String) -> [String] { ["", "-wal", "-shm", "-journal"].map { path + $0 } }

    /// The bytes of the file and what belongs to it.
    var bytes: UInt64 { Self.files(path).reduce(0) { $0 + FileSize.of($1) } }

    static func exists(at path: String) -> Bool { FileSize.exists(path) }

    /// Whether the disk is full.
    static func isFull(_ error: any Error) -> Bool { (error as? DatabaseError)?.resultCode == .SQLITE_FULL }

    /// Whether it was closed in the meantime.
    static func isClosed(_ error: any Error) -> Bool { (error as? DatabaseError)?.resultCode == .SQLITE_MISUSE }

    /// Removes the file, and what belongs to it.
    ///
    /// - Returns: one that is still there, with the error code; nil if none is.
    static func delete(at path: String) -> (path: String, code: Int32)? {
        var left: (path: String, code: Int32)?
        for file in files(path) {
            if let code = FileSize.delete(file) { left = (file, code) }
        }
        return left
    }
}
