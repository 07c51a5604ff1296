import Foundation
import GRDBSQLite

/// Copies a store with `VACUUM INTO`: one state of it, without what has been deleted from it, while others read and write.
enum VacuumCopy {
    /// - Parameter path: of a file that does not exist. It is made with mode 0600.
    static func make(of database: String, at path: String) throws {
        // SQLite writes into an existing empty file, so the copy never has other permissions than these.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemFailure(code: errno) }
        close(descriptor)
        var connection: OpaquePointer?
        defer { sqlite3_close_v2(connection) }
        guard sqlite3_open_v2(database, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
            throw SQLiteFailure(connection: connection)
        }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, "VACUUM INTO ?", -1, &statement, nil) == SQLITE_OK,
            sqlite3_bind_text(statement, 1, path, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self)) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_DONE
        else { throw SQLiteFailure(connection: connection) }
    }

    /// A call of the system failed.
    struct SystemFailure: Error {
        let code: Int32
    }
}
