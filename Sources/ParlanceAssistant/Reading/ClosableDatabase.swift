import GRDB
import Synchronization

/// A database that may be closed while others still want to use it: they get an error. GRDB's own queue does not survive a read
/// that begins after `close`.
final class ClosableDatabase: Sendable {
    private let queue: DatabaseQueue
    private let isClosed = Mutex(false)

    init(_ queue: DatabaseQueue) {
        self.queue = queue
    }

    /// - Throws: what `body` does, or `DatabaseError` with `SQLITE_MISUSE` once the database is closed.
    func read<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try isClosed.withLock { isClosed in
            try Self.check(isClosed)
            return try queue.read(body)
        }
    }

    /// The same for what changes it, as one transaction.
    func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try isClosed.withLock { isClosed in
            try Self.check(isClosed)
            return try queue.write(body)
        }
    }

    /// Waits for whoever uses it.
    func close() {
        isClosed.withLock { isClosed in
            isClosed = true
            try? queue.close()
        }
    }

    private static func check(_ isClosed: Bool) throws {
        if isClosed { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "The database is closed.") }
    }
}
