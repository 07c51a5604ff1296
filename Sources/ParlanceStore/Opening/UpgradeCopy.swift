import Foundation
import GRDBSQLite
import ParlanceCore
import ParlanceWire
import ParlanceWords

/// The copy of a store that is made before an upgrade, so that its owner can go back (store.md, "Files").
///
/// It contains texts that are deleted from the store later, so it is kept no longer than texts that an admin deleted.
struct UpgradeCopy {
    let folder: StoreFolder

    private static let suffix = ".before-"

    func path(of version: Int) -> String { folder.database + Self.suffix + "\(version)" }

    /// Copies the store as it is, and deletes older copies. The copy is durable when this returns; the store is not
    /// changed.
    func make(of version: Int) throws(StoreError) {
        let (path, part) = (path(of: version), path(of: version) + ".part")
        unlink(part)
        do {
            // SQLite writes into an existing empty file, so the copy never has other permissions than these.
            let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw SystemFailure(code: errno) }
            close(descriptor)
            try copy(to: part)
            try sync(part)
            guard rename(part, path) == 0 else { throw SystemFailure(code: errno) }
            try sync(folder.path)
        } catch {
            unlink(part)
            throw failure(error)
        }
        for other in others where other != path { unlink(other) }
    }

    /// Deletes expired copies.
    func deleteOld(at moment: Date = Date()) {
        for path in others {
            guard let made = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date,
                moment.timeIntervalSince(made) * 1000 >= Double(Limits.deletedTextMilliseconds)
            else { continue }
            unlink(path)
        }
    }

    /// All existing copies.
    private var others: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let prefix = (folder.database as NSString).lastPathComponent + Self.suffix
        return names.filter { $0.hasPrefix(prefix) }.map { folder.path + "/" + $0 }
    }

    /// Copies through a read-only connection. `VACUUM INTO` omits what has been deleted from the store.
    private func copy(to path: String) throws {
        var connection: OpaquePointer?
        defer { sqlite3_close_v2(connection) }
        guard sqlite3_open_v2(folder.database, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
            throw SQLiteFailure(connection: connection)
        }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, "VACUUM INTO ?", -1, &statement, nil) == SQLITE_OK,
            sqlite3_bind_text(statement, 1, path, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self)) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_DONE
        else { throw SQLiteFailure(connection: connection) }
    }

    private func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure(code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SystemFailure(code: errno) }
    }

    private struct SystemFailure: Error {
        let code: Int32
    }

    private func failure(_ error: any Error) -> StoreError {
        var found = StoreError(error)
        var systemError: Int32 = 0
        if let error = error as? SystemFailure {
            systemError = error.code
            found.cause = "system error \(error.code)"
        }
        if let error = error as? SQLiteFailure { systemError = error.systemError }
        // The process's limit for a file may be smaller than the copy (`EFBIG`).
        let isFull = found.code == .full || [ENOSPC, EDQUOT, EFBIG].contains(systemError)
        guard isFull else {
            return StoreError(
                .cannotOpen,
                """
                The message store has to be brought up to a newer version, and the copy that is made before could not \
                be written.
                """,
                advice: "Check the folder \(folder.path), then start again; the store was not touched.",
                cause: found.cause
            )
        }
        return StoreError(
            .full,
            "The message store has to be brought up to a newer version, and there is no room for the copy that is made before.",
            advice: """
                Make room in \(folder.path) for another file of the size of store.sqlite, then start again; the store was \
                not touched.
                """,
            cause: found.cause
        )
    }
}
