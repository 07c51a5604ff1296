import GRDB
import GRDBSQLite

/// A statement that is compiled once and stepped through SQLite's C interface.
///
/// GRDB compiles and owns it. Stepping it here avoids GRDB's conversions of rows and arguments, which would cost more
/// for each event than SQLite itself.
struct Prepared {
    private let statement: Statement
    let handle: OpaquePointer

    init(_ statement: Statement) {
        self.statement = statement
        handle = statement.sqliteStatement
    }

    init(_ db: Database, _ sql: String) throws {
        self.init(try db.makeStatement(sql: sql))
    }

    // Binding fails only for a wrong index or a value of gigabytes. Our statements have neither.

    func bind(_ index: Int32, _ value: Int64) {
        sqlite3_bind_int64(handle, index, value)
    }

    /// Binds all 64 bits, as SQLite's signed integer with the same bits.
    func bind(_ index: Int32, bits value: UInt64) {
        sqlite3_bind_int64(handle, index, Int64(bitPattern: value))
    }

    func bindNull(_ index: Int32) {
        sqlite3_bind_null(handle, index)
    }

    /// Binds bytes without a copy: they must stay in place until the statement has been stepped.
    func lend(_ index: Int32, _ bytes: UnsafeRawBufferPointer) {
        if bytes.isEmpty {
            sqlite3_bind_zeroblob(handle, index, 0)
        } else {
            sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(clamping: bytes.count), nil)
        }
    }

    /// Binds a copy of the bytes.
    func bind(_ index: Int32, copying bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            if bytes.isEmpty {
                sqlite3_bind_zeroblob(handle, index, 0)
            } else {
                let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(clamping: bytes.count), transient)
            }
        }
    }

    /// Binds a copy of the bytes as a text.
    func bind(_ index: Int32, text bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            let start = bytes.bindMemory(to: CChar.self).baseAddress
            if let start {
                sqlite3_bind_text(handle, index, start, Int32(clamping: bytes.count), transient)
            } else {
                sqlite3_bind_text(handle, index, "", 0, transient)
            }
        }
    }

    /// Runs a statement that returns no rows, and resets it.
    func run() throws {
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE else { throw failure() }
        sqlite3_reset(handle)
    }

    /// Moves to the next row; resets the statement after the last one.
    func next() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(handle)
            return false
        default: throw failure()
        }
    }

    func reset() {
        sqlite3_reset(handle)
    }

    private func failure() -> SQLiteFailure {
        let failure = SQLiteFailure(connection: sqlite3_db_handle(handle))
        sqlite3_reset(handle)
        return failure
    }
}

// Reading the columns of the present row.
extension Prepared {
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func bits(_ column: Int32) -> UInt64 { UInt64(bitPattern: sqlite3_column_int64(handle, column)) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String {
        sqlite3_column_text(handle, column).map { String(cString: $0) } ?? ""
    }

    /// The bytes in SQLite's memory: valid only until the statement moves.
    func view(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
    }

    func bytes(_ column: Int32) -> [UInt8] { Array(view(column)) }

    func bytesIfAny(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }
}
