import Glibc

/// What the assistant asks the file system.
enum FileSize {
    /// The bytes of a file; 0 if there is none.
    static func of(_ path: String) -> UInt64 {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt64(max(0, status.st_size)) : 0
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    static func delete(_ path: String) { unlink(path) }
}
