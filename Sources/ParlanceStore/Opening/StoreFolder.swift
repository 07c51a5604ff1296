import Foundation

/// The folder of a store and the files in it, accessible to the owner only.
struct StoreFolder: Sendable {
    let path: String

    var database: String { path + "/store.sqlite" }
    var lock: String { path + "/store.lock" }

    /// Creates the folder (0700) and its parents; removes others' access to an existing one.
    func prepare() throws(StoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .cannotOpen(path, because: errno == 0 ? ENOTDIR : errno)
        }
        guard chmod(path, 0o700) == 0 else { throw .cannotOpen(path, because: errno) }
    }

    /// Creates the empty database file (0600) before SQLite does; SQLite gives the files beside it the same
    /// permissions.
    ///
    /// - Returns: whether it has contents.
    func prepareDatabase() throws(StoreError) -> Bool {
        let descriptor = open(database, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen(database, because: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fchmod(descriptor, 0o600) == 0, fstat(descriptor, &status) == 0 else {
            throw .cannotOpen(database, because: errno)
        }
        return status.st_size > 0
    }

    /// Identifies the database file without opening it.
    func file() throws(StoreError) -> StoreMarks.File {
        var status = stat()
        guard stat(database, &status) == 0 else { throw .cannotOpen(database, because: errno) }
        return StoreMarks.File(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino)
        )
    }
}
