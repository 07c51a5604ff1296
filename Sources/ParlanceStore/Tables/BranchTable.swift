import GRDB
import ParlanceCore
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
        let statement = Prepared(
            try db.cachedStatement(sql: "INSERT INTO branch VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        )
        statement.bind(1, log)
        statement.bind(2, conversationRow)
        statement.bind(3, copying: record.parent.author.bytes)
        statement.bind(4, copying: record.parent.replica.bytes)
        statement.bind(5, bits: record.base.sequence)
        statement.bind(6, copying: record.base.head.bytes)
        statement.bind(7, copying: record.first.bytes)
        statement.bind(8, copying: record.proof)
        try statement.run()
    }

    /// Changes the parent of a branch.
    static func move(log: Int64, to parent: LogID, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE branch SET parent_author = ?, parent_replica = ? WHERE log = ?",
            arguments: [parent.author.data, parent.replica.data, log]
        )
    }

    /// The branches of one conversation, in the order in which they became known.
    static func branches(conversationRow: Int64, _ db: Database) throws -> Branches {
        let statement = Prepared(
            try db.cachedStatement(
                sql: """
                    SELECT branch.log, log.author, log.replica, parent_author, parent_replica, base, base_head
                    FROM branch CROSS JOIN log ON log.id = branch.log WHERE branch.conversation = ?
                    ORDER BY branch.log
                    """
            )
        )
        statement.bind(1, conversationRow)
        defer { statement.reset() }
        var found: [Branches.Branch] = []
        while try statement.next() {
            guard let log = LogID(statement, at: 1), let parent = LogID(statement, at: 3),
                let head = EventID(statement.view(6))
            else { throw StoreError.damaged("branch row \(statement.integer(0))") }
            let base = LogPosition(sequence: statement.bits(5), head: head)
            found.append(Branches.Branch(row: statement.integer(0), log: log, parent: parent, base: base))
        }
        return Branches(all: found)
    }

    /// All branches, in the order in which they became known.
    static func all(_ db: Database) throws -> [BranchRecord] {
        let statement = Prepared(
            try db.cachedStatement(
                sql: """
                    SELECT conversation.name, parent_author, parent_replica, base, base_head, first, proof, author, replica
                    FROM branch JOIN log ON log.id = branch.log
                    JOIN conversation ON conversation.id = branch.conversation ORDER BY branch.log
                    """
            )
        )
        defer { statement.reset() }
        var found: [BranchRecord] = []
        while try statement.next() {
            guard let conversation = ConversationID(statement.view(0)), let parent = LogID(statement, at: 1),
                let head = EventID(statement.view(4)), let first = EventID(statement.view(5)),
                let log = LogID(statement, at: 7)
            else { throw StoreError.damaged("branch row") }
            let base = LogPosition(sequence: statement.bits(3), head: head)
            found.append(
                BranchRecord(
                    conversation: conversation,
                    log: log,
                    parent: parent,
                    base: base,
                    first: first,
                    proof: statement.bytes(6)
                )
            )
        }
        return found
    }
}
