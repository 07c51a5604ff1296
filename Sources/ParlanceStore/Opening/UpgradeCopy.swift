import Foundation
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
            try VacuumCopy.make(of: folder.database, at: part)
            try sync(part)
            guard rename(part, path) == 0 else { throw VacuumCopy.SystemFailure(code: errno) }
            try sync(folder.path)
        } catch {
            unlink(part)
            throw failure(error)
        }
        for other in others where other != path { unlink(other) }
    }

    /// Deletes expired copies.
    func deleteOld(at moment: Date = Date()) {
        for path in expired(at: moment) { unlink(path) }
    }

    /// Copies that are older than they may be.
    func expired(at moment: Date = Date()) -> [String] {
        others.filter { path in
            guard let made = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date else {
                return false
            }
            return moment.timeIntervalSince(made) * 1000 >= Double(Limits.deletedTextMilliseconds)
        }
    }

    /// All existing copies.
    private var others: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let prefix = (folder.database as NSString).lastPathComponent + Self.suffix
        return names.filter { $0.hasPrefix(prefix) }.map { folder.path + "/" + $0 }
    }

    private func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw VacuumCopy.SystemFailure(code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw VacuumCopy.SystemFailure(code: errno) }
    }

    private func failure(_ error: any Error) -> StoreError {
        var found = StoreError(error)
        var systemError: Int32 = 0
        if let error = error as? VacuumCopy.SystemFailure {
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
