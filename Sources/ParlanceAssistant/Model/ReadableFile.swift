import Glibc
package import ParlanceEmbedding

/// An open file. It is read by calls, never mapped: a mapped file that somebody shortens ends the process.
final class ReadableFile: RandomAccess {
    let path: String
    let byteCount: Int
    private let descriptor: Int32

    /// Opens a regular file. Throws `missingFile` or `inaccessible`.
    init(path: String) throws(ModelError) {
        // Without waiting, should it be a pipe.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .missingFile(path: path) : .inaccessible(path: path, code: errno)
        }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        guard isKnown, status.st_mode & S_IFMT == S_IFREG else {
            let code = isKnown ? EINVAL : errno
            close(descriptor)
            throw .inaccessible(path: path, code: code)
        }
        self.path = path
        byteCount = Int(status.st_size)
    }

    deinit { close(descriptor) }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(ModelError) {
        guard contains(offset: offset, count: buffer.count) else { throw .truncated }
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .inaccessible(path: path, code: errno) }
            guard count > 0 else { throw .truncated }
            done += count
        }
    }
}

extension MiniLM {
    /// Reads the weights from a file in the format safetensors. `ModelBundle.install` checks whose they are.
    package init(path: String, precision: Precision = .int8) throws(ModelError) {
        try self.init(reading: ReadableFile(path: path), precision: precision)
    }
}
