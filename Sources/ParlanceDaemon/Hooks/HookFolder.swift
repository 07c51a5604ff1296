import CParlanceSystem
import Glibc

/// The folder of hooks, beside the configuration file.
struct HookFolder: Sendable {
    let path: String

    /// The folder is there and cannot be read.
    struct Unreadable: Error, Equatable {
        /// The system's error code.
        let code: Int32
        /// The first folder above it that cannot be entered, if that is why.
        var closed: String?
    }

    /// The hooks in the order of their names, those with a fault too; none if the folder does not exist.
    func look() throws(Unreadable) -> [HookFile] {
        let hooks = try names().filter { HookKind.FileName($0) != .other }.sorted()
        return hooks.prefix(2 * HookLimits.files).enumerated().map { index, name in
            HookFile(name: name, in: path, isOneTooMany: index >= HookLimits.files)
        }
    }

    /// All names in it; what is not UTF-8 in them becomes U+FFFD.
    private func names() throws(Unreadable) -> [String] {
        guard let stream = opendir(path) else {
            let code = errno
            var status = stat()
            // A link that leads nowhere is there too.
            if code == ENOENT, lstat(path, &status) != 0 { return [] }
            throw Unreadable(code: code, closed: code == EACCES ? FolderPath.closed(above: path) : nil)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw Unreadable(code: errno) }
                return names
            }
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { name in
                    String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
                }
            )
        }
    }
}
