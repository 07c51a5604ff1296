import CParlanceSystem
package import ParlanceWords
package import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A folder on a stick that anybody may have filled. Only files whose names the caller knows are opened, never what the
/// folder lists; no link is followed, and nothing but an ordinary file of a bounded length is read.
package final class StickFolder {
    private let place: UserPath
    /// For people.
    package let path: String
    private let descriptor: Int32

    /// What is under a name.
    package enum Found: Equatable {
        case nothing
        case file([UInt8])
        /// An ordinary file that is longer than any parcel.
        case tooLong
        /// A folder, a link, a device or a pipe.
        case notAFile
        case failed(Errno)
    }

    /// The same of a file that is read piece by piece.
    package enum Opened {
        case nothing
        case file(StickFile)
        case notAFile
        case failed(Errno)
    }

    package init(_ place: UserPath) throws(ControlFailure) {
        (self.place, path) = (place, place.shown)
        descriptor = open(place.system, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = Errno.current
            throw ControlFailure(
                code: ControlFailure.fileCode(reason),
                message: Phrase("The folder \(path) cannot be opened: \(reason.description)."),
                advice: Phrase("Name a folder that exists, such as the one where the stick is mounted.")
            )
        }
    }

    deinit { close(descriptor) }

    package func read(_ name: String, limit: Int) -> Found {
        switch openFile(name) {
        case .nothing: .nothing
        case .notAFile: .notAFile
        case .failed(let reason): .failed(reason)
        case .file(let file): file.size <= UInt64(limit) ? contents(of: file.descriptor, limit: limit) : .tooLong
        }
    }

    /// Opens a file to read it piece by piece.
    package func openFile(_ name: String) -> Opened {
        guard !name.contains("/") else { return .notAFile }
        // Without O_NONBLOCK a pipe would block until somebody opens its other end.
        let opened = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else {
            switch errno {
            case ENOENT: return .nothing
            // A link, a socket, or a device without a driver.
            case ELOOP, ENXIO: return .notAFile
            default: return .failed(.current)
            }
        }
        let file = StickFile(opened)
        var status = stat()
        guard fstat(opened, &status) == 0 else { return .failed(.current) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .notAFile }
        file.size = UInt64(clamping: status.st_size)
        return .file(file)
    }

    private func contents(of file: Int32, limit: Int) -> Found {
        // One byte more than allowed: a file that grows meanwhile is too long, too.
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count <= limit {
            let more = bytes.withUnsafeMutableBytes { all in
                let rest = UnsafeMutableRawBufferPointer(rebasing: all[count...])
                return pread(file, rest.baseAddress, rest.count, off_t(count))
            }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { return .failed(.current) }
            guard more > 0 else { return .file(Array(bytes[..<count])) }
            count += more
        }
        return .tooLong
    }

    /// Replaces a file as a whole: a stick that is pulled out has the old contents or the new ones. The file is readable
    /// for everybody, since the recipient is another user on another machine, and sealed.
    package func replace(_ name: String, with bytes: [UInt8]) throws(Errno) {
        let file = try draft(of: name)
        try file.write(bytes, mode: Self.mode)
        try file.replace()
    }

    /// The permissions of the files on the stick.
    package static let mode: UInt32 = 0o644

    /// A draft of a file that is written piece by piece, and then replaces the file as a whole.
    package func draft(of name: String) throws(Errno) -> AtomicFile {
        var status = stat()
        if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
            guard status.st_mode & S_IFMT != S_IFDIR else { throw .isDirectory }
            // A link is removed, not followed. The file of another user cannot be taken over.
            if status.st_mode & S_IFMT != S_IFREG || status.st_uid != geteuid() {
                guard unlinkat(descriptor, name, 0) == 0 else { throw .current }
            }
        }
        return try AtomicFile(place.appending(UserPath(name)))
    }

    /// Throws if nothing can be written here, so that nobody has to try file by file.
    package func checkIsWritable() throws(ControlFailure) {
        guard faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) != 0 else { return }
        let reason = Errno.current
        throw ControlFailure(
            code: ControlFailure.fileCode(reason),
            message: "The folder \(path) cannot be written to: \(reason.description).",
            advice: "Nothing was changed. Make it writable for you, or name another one."
        )
    }

    package func remove(_ name: String) throws(Errno) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw .current }
    }

    /// Removes what a killed command has left beside a file.
    package func removeDraft(of name: String) { unlinkat(descriptor, name + AtomicFile.suffix, 0) }

    /// Bytes that can still be written; `nil` if the file system does not tell.
    package var free: UInt64? {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return nil }
        let (bytes, overflows) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflows ? nil : bytes
    }
}
