import GRDB

/// Messages held without a body that no event held withdraws: what the clock tells of a log's gaps.
struct MissingTable {
    static let create = """
        CREATE TABLE missing (
            log INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            PRIMARY KEY (log, sequence)
        ) WITHOUT ROWID
        """

    private let insertion, deletion: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(db, "INSERT INTO missing VALUES (?, ?)")
        deletion = try Prepared(db, "DELETE FROM missing WHERE log = ? AND sequence = ?")
    }

    func insert(log: Int64, sequence: UInt64) throws {
        insertion.bind(1, log)
        insertion.bind(2, bits: sequence)
        try insertion.run()
    }

    func delete(log: Int64, sequence: UInt64) throws {
        deletion.bind(1, log)
        deletion.bind(2, bits: sequence)
        try deletion.run()
    }

    /// The sequences of each log that misses any, ascending.
    static func all(_ db: Database) throws -> [Int64: [UInt64]] {
        let statement = Prepared(
            try db.cachedStatement(sql: "SELECT log, sequence FROM missing ORDER BY log, sequence")
        )
        defer { statement.reset() }
        var found: [Int64: [UInt64]] = [:]
        while try statement.next() { found[statement.integer(0), default: []].append(statement.bits(1)) }
        return found
    }
}
