import GRDB
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// The branches of forked logs (events.md, "Forks"). Each has its own row in `log`, which begins at the base.
///
/// The parent is named by author and replica: the proof of a fork may arrive before any event of its log.
enum BranchTable {
    static let create = """
        CREATE TABLE branch (
            log INTEGER PRIMARY KEY REFERENCES log (id),
            conversation INTEGER NOT NULL REFERENCES conversation (id),
            parent_author BLOB NOT NULL,
            parent_replica BLOB NOT NULL,
            base INTEGER NOT NULL,
            base_head BLOB NOT NULL,
            first BLOB NOT NULL,
            proof BLOB NOT NULL
        )
        """

    static let index = "CREATE INDEX branch_conversation ON branch (conversation)"

    static func insert(_ record: BranchRecord, log: Int64, conversationRow: Int64, _ db: Database) throws {
        try db.prepared(
            "INSERT INTO branch VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            log,
            conversationRow,
            record.parent.author,
            record.parent.replica,
            record.base.sequence,
            record.base.head,
            record.first,
            record.proof
        )
        .run()
    }

    /// Changes the parent of a branch.
    static func move(log: Int64, to parent: LogID, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE branch SET parent_author = ?, parent_replica = ? WHERE log = ?",
            arguments: [parent.author.data, parent.replica.data, log]
        )
    }

    /// The branches of one conversation, in the order in which they became known.
    static func branches(conversationRow: Int64, _ db: Database) throws -> ForkTree {
        let sql = """
            SELECT branch.log, log.author, log.replica, parent_author, parent_replica, base, base_head
            FROM branch CROSS JOIN log ON log.id = branch.log WHERE branch.conversation = ? ORDER BY branch.log
            """
        let found = try db.prepared(sql, conversationRow).map { row in
            guard let log = LogID(row, at: 1), let parent = LogID(row, at: 3), let head = EventID(row.view(6)) else {
                throw StoreError.damaged("branch row \(row.integer(0))")
            }
            let base = LogPosition(sequence: row.bits(5), head: head)
            return ForkTree.Branch(row: row.integer(0), log: log, parent: parent, base: base)
        }
        return ForkTree(all: found)
    }

    /// All branches, in the order in which they became known.
    static func all(_ db: Database) throws -> [BranchRecord] {
        let sql = """
            SELECT conversation.name, parent_author, parent_replica, base, base_head, first, proof, author, replica
            FROM branch JOIN log ON log.id = branch.log
            JOIN conversation ON conversation.id = branch.conversation ORDER BY branch.log
            """
        return try db.prepared(sql).map { row in
            guard let conversation = ConversationID(row.view(0)), let parent = LogID(row, at: 1),
                let head = EventID(row.view(4)), let first = EventID(row.view(5)), let log = LogID(row, at: 7)
            else { throw StoreError.damaged("branch row") }
            return BranchRecord(
                conversation: conversation,
                log: log,
                parent: parent,
                base: LogPosition(sequence: row.bits(3), head: head),
                first: first,
                proof: row.bytes(6)
            )
        }
    }
}
