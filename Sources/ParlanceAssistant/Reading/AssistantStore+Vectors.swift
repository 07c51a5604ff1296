import FoundationEssentials
import GRDB

// The embeddings of messages (protocol/assistant.md, "Embeddings").
extension AssistantStore {
    /// The setting that says which model made the embeddings. A file of an earlier program lacks it.
    static let vectorSetting = "vectors"

    /// A message without an embedding.
    struct Lacking: Equatable, Sendable {
        var message: String
        var conversation: String
        var time: Int64
        /// Of the text that was read.
        var digest: Int64
    }

    private static func model(_ db: Database) throws -> String {
        try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [vectorSetting])
            ?? VectorMaker.builtInIdentity
    }

    /// From now on there are embeddings of this model alone; those of another are removed.
    ///
    /// - Returns: whether some were removed.
    func keepVectors(of model: String) throws -> Bool {
        try queue.write { db in
            guard try Self.model(db) != model else { return false }
            try db.execute(sql: "DELETE FROM vector")
            try db.execute(
                sql: "INSERT OR REPLACE INTO setting VALUES (?, ?)",
                arguments: [Self.vectorSetting, model]
            )
            return true
        }
    }

    /// Messages without an embedding, the newest first.
    ///
    /// - Parameter last: only those after this one in that order.
    func lacking(after last: Lacking?, limit: Int) throws -> [Lacking] {
        try queue.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT message.* FROM message LEFT JOIN vector ON vector.message = message.id
                    WHERE vector.message IS NULL AND (?1 IS NULL OR (time, id) < (?1, ?2))
                    ORDER BY time DESC, id DESC LIMIT ?3
                    """,
                arguments: [last?.time, last?.message, limit]
            )
            return rows.map { row in
                Lacking(message: row["id"], conversation: row["conversation"], time: row["time"], digest: row["digest"])
            }
        }
    }

    /// Keeps embeddings, unless those of another model are kept by now. A message that is gone or has another text gets
    /// none.
    ///
    /// - Parameter vectors: the bytes of each; none: the model makes no embedding of that text.
    func put(_ vectors: [(Lacking, [UInt8])], of model: String) throws {
        try queue.write { db in
            guard try Self.model(db) == model else { return }
            for (message, vector) in vectors {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO vector SELECT id, ? FROM message WHERE id = ? AND digest = ?",
                    arguments: [Data(vector), message.message, message.digest]
                )
            }
        }
    }

    /// The embeddings of a conversation, or of all, if this model made them.
    func vectors(in conversation: String?, of model: String, dimensions: Int) throws -> VectorIndex {
        try queue.read { db in
            var index = VectorIndex(of: model, dimensions: dimensions)
            guard try Self.model(db) == model else { return index }
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT message.id, message.conversation, vector.vector
                    FROM vector JOIN message ON message.id = vector.message
                    WHERE ?1 IS NULL OR message.conversation = ?1
                    """,
                arguments: [conversation]
            )
            while let row = try rows.next() {
                let vector: Data = row["vector"]
                index.add(row["id"], in: row["conversation"], Array(vector))
            }
            return index
        }
    }
}
