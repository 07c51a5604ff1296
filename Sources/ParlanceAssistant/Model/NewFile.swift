import Glibc

/// A file that replaces another one of the same folder in one step, or never existed.
final class NewFile {
    private let name: String
    private let temporaryName: String
    private let folder: InstallFolder
    private let descriptor: Int32
    private var isKept = false

    init(_ name: String, in folder: InstallFolder) throws(ModelError) {
        self.name = name
        self.folder = folder
        temporaryName = name + ".new"
        // What a run left that was cut off. The lock of the folder keeps out a second one.
        unlinkat(folder.descriptor, temporaryName, 0)
        descriptor = openat(
            folder.descriptor,
            temporaryName,
            O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
            S_IRUSR | S_IWUSR
        )
        guard descriptor >= 0 else { throw folder.failure(temporaryName) }
    }

    deinit {
        close(descriptor)
        if !isKept { unlinkat(folder.descriptor, temporaryName, 0) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(ModelError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw folder.failure(temporaryName) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Waits until the contents are on the disk.
    func synchronize() throws(ModelError) {
        guard fsync(descriptor) == 0 else { throw folder.failure(temporaryName) }
    }

    /// Gives the file its name.
    func keep() throws(ModelError) {
        guard renameat(folder.descriptor, temporaryName, folder.descriptor, name) == 0 else {
            throw folder.failure(name)
        }
        isKept = true
    }
}

/// A folder that files are installed into, by one process at a time.
final class InstallFolder {
    let descriptor: Int32
    private let path: String

    /// Makes the folder if it is missing, but not those above it, and locks it. Throws `inaccessible`: with EWOULDBLOCK
    /// if another installation is running.
    init(path: String) throws(ModelError) {
        mkdir(path, S_IRWXU)
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .inaccessible(path: path, code: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw .inaccessible(path: path, code: errno)
        }
    }

    deinit { close(descriptor) }

    /// Waits until the names are on the disk.
    func synchronize() throws(ModelError) {
        guard fsync(descriptor) == 0 else { throw .inaccessible(path: path, code: errno) }
    }

    /// The error that `errno` stands for.
    func failure(_ name: String) -> ModelError {
        let code = errno
        return .inaccessible(path: "\(path)/\(name)", code: code)
    }
}
