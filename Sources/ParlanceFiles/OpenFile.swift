import Glibc
import ParlanceWire
import ParlanceWords

/// A descriptor that is closed when nobody has it any more.
struct OpenFile: ~Copyable {
    let descriptor: Int32

    /// Opens a file or a folder. Links are not followed.
    init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(ShelfError) {
        try self.init(UserPath(path), flags, mode: mode)
    }

    /// Opens a file or a folder that the user named. Links are not followed.
    init(_ path: UserPath, _ flags: Int32, mode: mode_t = 0o600) throws(ShelfError) {
        descriptor = open(path.system, flags | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw .lastFailure }
    }

    /// Opens a file in an open folder.
    init(_ name: String, in folder: borrowing OpenFile, _ flags: Int32, mode: mode_t = 0o600) throws(ShelfError) {
        descriptor = openat(folder.descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw .lastFailure }
    }

    /// Takes over a descriptor.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Bytes of the file, if it is an ordinary one.
    func size() throws(ShelfError) -> UInt64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .lastFailure }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0 else { throw .notAFile }
        return UInt64(status.st_size)
    }

    /// Reads up to `buffer.count` bytes, fewer only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ShelfError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor,
                buffer.baseAddress?.advanced(by: done),
                buffer.count - done,
                off_t(clamping: offset) + off_t(done)
            )
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw .lastFailure
            }
            done += count
        }
        return done
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(ShelfError) {
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor,
                bytes.baseAddress?.advanced(by: done),
                bytes.count - done,
                off_t(clamping: offset) + off_t(done)
            )
            if count < 0 {
                if errno == EINTR { continue }
                throw .lastFailure
            }
            done += count
        }
    }

    /// The names in this folder survive a loss of power after this, on file systems that can make them: some of USB sticks
    /// and of networks cannot.
    func syncNames() throws(ShelfError) {
        guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP].contains(errno) else { throw .lastFailure }
    }

    /// Watches the room on the disk of this folder, into which something is copied.
    ///
    /// - Parameter source: the file that is copied. Only the disk on which it is has a reserve: the messages are there, too.
    func room(beside source: borrowing OpenFile) throws(ShelfError) -> RoomWatch {
        var (here, there) = (stat(), stat())
        guard fstat(descriptor, &here) == 0, fstat(source.descriptor, &there) == 0 else { throw .lastFailure }
        return RoomWatch(reserve: here.st_dev == there.st_dev ? Limits.diskReserveBytes : 0)
    }

    /// What was written survives a loss of power after this.
    func sync() throws(ShelfError) {
        guard fsync(descriptor) == 0 else { throw .lastFailure }
    }
}

extension ShelfError {
    /// What the last call of the system reported.
    static var lastFailure: ShelfError {
        switch errno {
        case ENOENT: .missing
        case ELOOP, EISDIR: .notAFile
        case let code: .failed(code)
        }
    }
}
