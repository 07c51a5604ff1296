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

    /// Makes an empty file that only its owner reads, if there is none; SQLite gives its other files the same mode.
    static func makePrivate(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// - Returns: the error code if the file is still there.
    static func delete(_ path: String) -> Int32? { unlink(path) == 0 || errno == ENOENT ? nil : errno }
}
