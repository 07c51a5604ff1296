import Glibc
import ParlanceWords

/// The name of a file in a folder of the user, which may be no text.
struct FileNameBytes: Hashable {
    /// Ended by a zero.
    let bytes: [CChar]

    /// Whether `text` is the name.
    var isText: Bool { UserPath(bytes: bytes.dropLast().map { UInt8(bitPattern: $0) }).isText }

    /// As text; bytes that are not UTF-8 become U+FFFD.
    var text: String { String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }
}

extension OpenFile {
    /// Opens a file or folder for reading, at the end of any links: the user has named it.
    init(following path: UserPath, _ flags: Int32 = 0) throws(ShelfError) {
        let descriptor = open(path.system, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags)
        guard descriptor >= 0 else { throw .lastFailure }
        self.init(descriptor: descriptor)
    }

    /// Opens a file or folder for reading that is in an open folder. Links are not followed.
    init(_ name: FileNameBytes, in folder: borrowing OpenFile, _ flags: Int32) throws(ShelfError) {
        let descriptor = openat(folder.descriptor, name.bytes, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | flags)
        guard descriptor >= 0 else { throw .lastFailure }
        self.init(descriptor: descriptor)
    }

    /// What is under a name in this folder (`S_IFREG` and so on), which is not opened.
    func kind(of name: FileNameBytes) throws(ShelfError) -> mode_t {
        var status = stat()
        guard fstatat(descriptor, name.bytes, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .lastFailure }
        return status.st_mode & S_IFMT
    }

    /// The names in this folder, at most so many.
    func names(limit: Int) throws(ShelfError) -> [FileNameBytes] {
        // The stream closes its descriptor.
        let other = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard other >= 0 else { throw .lastFailure }
        guard let stream = fdopendir(other) else {
            close(other)
            throw .lastFailure
        }
        defer { closedir(stream) }
        var names: [FileNameBytes] = []
        while names.count < limit {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw .lastFailure }
                break
            }
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
            names.append(FileNameBytes(bytes: name.map { CChar(bitPattern: $0) } + [0]))
        }
        return names
    }
}
