import GRDB
import ParlanceControl
import ParlanceWords

// What was asked and answered (protocol/assistant.md, "The talk").
extension AssistantStore {
    /// A question and what was answered.
    struct Turn: Equatable, Sendable {
        /// Grows with each turn; 0 before it is kept.
        var id: Int64 = 0
        /// What the question is about; nil: all conversations.
        var conversation: String?
        /// In milliseconds since 1970.
        var time: Int64
        var question: String
        var answer: String?
        var problem: Phrase?
        var model: ModelInfo
        /// The messages that were given, the best first.
        var sources: [Basis]
        /// The other messages that the answer may repeat: those of the turns that the chat model got with the question.
        var others: [Basis] = []

        var basis: [Basis] { sources + others }
        var bytes: Int { question.utf8.count + (answer?.utf8.count ?? 0) }
    }

    /// A message that a turn has something from.
    struct Basis: Equatable, Sendable {
        var message: String
        var conversation: String
        /// Tells one excerpt from another.
        var digest: Int64
        var score: Double?
    }

    /// A file of an earlier program gets these tables as it is opened.
    static let talkSchema = """
        CREATE TABLE IF NOT EXISTS turn (
            id INTEGER PRIMARY KEY AUTOINCREMENT, conversation TEXT, time INTEGER NOT NULL, question TEXT NOT NULL,
            answer TEXT, model TEXT NOT NULL, address TEXT, bytes INTEGER NOT NULL
        );
        CREATE INDEX IF NOT EXISTS turnOfConversation ON turn (conversation);
        CREATE TABLE IF NOT EXISTS turnProblem (
            turn INTEGER NOT NULL REFERENCES turn (id) ON DELETE CASCADE, number INTEGER NOT NULL, part TEXT NOT NULL,
            PRIMARY KEY (turn, number)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS turnBasis (
            turn INTEGER NOT NULL REFERENCES turn (id) ON DELETE CASCADE, number INTEGER NOT NULL,
            message TEXT NOT NULL, conversation TEXT NOT NULL, digest INTEGER NOT NULL, score REAL,
            source INTEGER NOT NULL, PRIMARY KEY (turn, number)
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS turnOfMessage ON turnBasis (message);
        """

    /// Keeps a turn, and forgets the oldest ones of its talk that are too many. One that is too long is not kept.
    ///
    /// - Returns: its ID; nil if it is not kept.
    @discardableResult
    func add(_ turn: Turn) throws -> Int64? {
        guard turn.bytes <= AssistantLimits.turnBytes else { return nil }
        return try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO turn (conversation, time, question, answer, model, address, bytes)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    turn.conversation, turn.time, turn.question, turn.answer, turn.model.name, turn.model.address,
                    turn.bytes,
                ]
            )
            let id = db.lastInsertedRowID
            for (number, part) in (turn.problem?.parts ?? []).enumerated() {
                try db.execute(sql: "INSERT INTO turnProblem VALUES (?, ?, ?)", arguments: [id, number, part])
            }
            for (number, basis) in turn.basis.enumerated() {
                try db.execute(
                    sql: "INSERT INTO turnBasis VALUES (?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        id, number, basis.message, basis.conversation, basis.digest, basis.score,
                        number < turn.sources.count,
                    ]
                )
            }
            try Self.forgetOldest(of: turn.conversation, db)
            return id
        }
    }

    private static func forgetOldest(of conversation: String?, _ db: Database) throws {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT id, bytes FROM turn WHERE conversation IS ? ORDER BY id DESC",
            arguments: [conversation]
        )
        var bytes = 0
        for (number, row) in rows.enumerated() {
            bytes += row["bytes"]
            guard number >= AssistantLimits.turns || bytes > AssistantLimits.talkBytes else { continue }
            let id: Int64 = row["id"]
            try db.execute(sql: "DELETE FROM turn WHERE id = ?", arguments: [id])
        }
    }

    /// The turns about a conversation, or about all of them, the oldest first.
    ///
    /// - Parameter last: how many at most.
    func turns(about conversation: String?, last: Int = AssistantLimits.turns) throws -> [Turn] {
        try queue.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT * FROM turn WHERE conversation IS ? ORDER BY id DESC LIMIT ?",
                arguments: [conversation, last]
            )
            return try rows.reversed().map { try Self.turn($0, db) }
        }
    }

    private static func turn(_ row: Row, _ db: Database) throws -> Turn {
        let id: Int64 = row["id"]
        let problem = try String.fetchAll(
            db,
            sql: "SELECT part FROM turnProblem WHERE turn = ? ORDER BY number",
            arguments: [id]
        )
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM turnBasis WHERE turn = ? ORDER BY number", arguments: [id])
        func basis(isSource: Bool) -> [Basis] {
            rows.filter { $0["source"] == isSource }.map { row in
                Basis(
                    message: row["message"],
                    conversation: row["conversation"],
                    digest: row["digest"],
                    score: row["score"]
                )
            }
        }
        return Turn(
            id: id,
            conversation: row["conversation"],
            time: row["time"],
            question: row["question"],
            answer: row["answer"],
            problem: problem.isEmpty ? nil : Phrase(kept: problem),
            model: ModelInfo(name: row["model"], address: row["address"]),
            sources: basis(isSource: true),
            others: basis(isSource: false)
        )
    }

    /// Forgets the turns about a conversation, or those about all of them, and says how many they were.
    func removeTurns(about conversation: String?) throws -> Int {
        try queue.write { db in
            try db.execute(sql: "DELETE FROM turn WHERE conversation IS ?", arguments: [conversation])
            return db.changesCount
        }
    }

    /// Forgets all turns, and says how many they were.
    func removeAllTurns() throws -> Int {
        try queue.write { db in
            try db.execute(sql: "DELETE FROM turn")
            return db.changesCount
        }
    }

    func removeTurn(_ id: Int64) throws {
        try queue.write { db in try db.execute(sql: "DELETE FROM turn WHERE id = ?", arguments: [id]) }
    }

    /// The ID of the newest turn; 0 if there is none.
    func lastTurn() throws -> Int64 {
        try queue.read { db in try Int64.fetchOne(db, sql: "SELECT max(id) FROM turn") ?? 0 }
    }

    /// Forgets the turns up to one that have something from a message that was not read.
    func removeTurns(ofUnreadUpTo last: Int64) throws {
        try queue.write { db in
            try db.execute(
                sql: """
                    DELETE FROM turn WHERE id <= ? AND id IN (
                        SELECT turn FROM turnBasis LEFT JOIN message ON message.id = turnBasis.message
                        WHERE message.id IS NULL
                    )
                    """,
                arguments: [last]
            )
        }
    }

    /// Forgets the turns that have something from a message.
    ///
    /// - Parameter excerpt: the digest of the excerpt that the message has now: turns that saw it stay.
    static func removeTurns(of message: String, besides excerpt: Int64? = nil, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM turn WHERE id IN (SELECT turn FROM turnBasis WHERE message = ? AND digest IS NOT ?)",
            arguments: [message, excerpt]
        )
    }
}
