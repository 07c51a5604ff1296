import GRDBSQLite

/// The row at which a statement is: valid only in the closure that is given it.
struct PreparedRow {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// All 64 bits, as `UInt64` binds them.
    func bits(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String {
        sqlite3_column_text(handle, column).map { String(cString: $0) } ?? ""
    }

    /// The bytes in SQLite's memory.
    func view(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
    }

    func bytes(_ column: Int32) -> [UInt8] { Array(view(column)) }

    func bytesIfAny(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }
}
