import GRDBSQLite

/// Counts the bytes of pages in the write-ahead log, as SQLite reports them after each commit.
final class WriteAheadGauge {
    private(set) var bytes = 0
    private let pageSize: Int

    init(pageSize: Int) {
        self.pageSize = pageSize
    }

    /// Installs the connection's WAL hook. Do not use `wal_autocheckpoint` afterwards: it uses the same hook. The gauge
    /// must live as long as the connection writes.
    func attach(to connection: OpaquePointer?) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            connection,
            { context, _, _, pages in
                if let context { Unmanaged<WriteAheadGauge>.fromOpaque(context).takeUnretainedValue().count(pages) }
                return SQLITE_OK
            },
            context
        )
    }

    private func count(_ pages: Int32) {
        bytes = Int(pages) * pageSize
    }

    /// Call this after a checkpoint that copied everything.
    func clear() {
        bytes = 0
    }
}
