import GRDB
import GRDBSQLite

/// A statement with its values, stepped through SQLite's C interface.
///
/// GRDB compiles and owns it. Stepping it here avoids GRDB's conversions of rows and arguments, which would cost more
/// for each event than SQLite itself.
///
/// Whatever steps it resets it, also when reading a row fails or ends early: a statement that stays among its rows keeps
/// its connection in an old state of the store.
struct Prepared {
    private let statement: Statement
    private let handle: OpaquePointer

    fileprivate init(_ statement: Statement) {
        self.statement = statement
        handle = statement.sqliteStatement
    }

    /// Compiles a statement for an owner that keeps it.
    init(_ db: Database, _ sql: String) throws {
        self.init(try db.makeStatement(sql: sql))
    }

    /// Binds a value to each parameter, in the order of their numbers.
    func binding<each Value: BoundValue>(_ values: repeat each Value) -> Prepared {
        assert(sqlite3_stmt_busy(handle) == 0, "The statement is needed while its own rows are read.")
        var index: Int32 = 0
        for value in repeat each values {
            index += 1
            value.bind(index, of: handle)
        }
        assert(sqlite3_bind_parameter_count(handle) == index, "The statement takes another number of values.")
        return self
    }

    /// Runs a statement that returns no rows.
    func run() throws {
        defer { sqlite3_reset(handle) }
        guard sqlite3_step(handle) == SQLITE_DONE else { throw failure() }
    }

    /// Whether there is a row.
    func exists() throws -> Bool {
        defer { sqlite3_reset(handle) }
        return try next()
    }

    /// The value that `read` returns for the first row; `nil` if there is no row, or if `read` returns `nil`.
    func first<Value>(_ read: (PreparedRow) throws -> Value?) throws -> Value? {
        defer { sqlite3_reset(handle) }
        return try next() ? try read(PreparedRow(handle)) : nil
    }

    /// What `read` makes of each row.
    func map<Value>(_ read: (PreparedRow) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try each { values.append(try read($0)) }
        return values
    }

    /// Passes on each row.
    func each(_ body: (PreparedRow) throws -> Void) throws {
        defer { sqlite3_reset(handle) }
        while try next() { try body(PreparedRow(handle)) }
    }

    /// Passes on the rows until `body` returns false.
    func walk(_ body: (PreparedRow) throws -> Bool) throws {
        defer { sqlite3_reset(handle) }
        while try next(), try body(PreparedRow(handle)) {}
    }

    private func next() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        default: throw failure()
        }
    }

    private func failure() -> SQLiteFailure { SQLiteFailure(connection: sqlite3_db_handle(handle)) }
}

extension Database {
    /// A statement that this connection compiles once and keeps, with its values.
    func prepared<each Value: BoundValue>(_ sql: String, _ values: repeat each Value) throws -> Prepared {
        Prepared(try cachedStatement(sql: sql)).binding(repeat each values)
    }
}
