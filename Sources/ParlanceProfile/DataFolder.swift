import CParlanceSystem
import Foundation
import ParlanceWords

/// Where the data folder may be: not behind a link, and on a disk of this machine.
package struct DataFolder {
    private let path: String
    /// Finds the name of the network file system that a path is on.
    private let system: (_ path: String) -> String?

    package init(path: String, system: @escaping (_ path: String) -> String? = Self.networkFileSystem) {
        (self.path, self.system) = (path, system)
    }

    /// Throws if the folder is a link, or lies on another machine. Nothing is written.
    ///
    /// A link can be turned to somebody else's folder while the node runs, and gives one store two names, so that two
    /// daemons do not see each other.
    package func check() throws(DaemonError) {
        var info = stat()
        if lstat(Self.withoutEnd(path), &info) == 0, info.st_mode & S_IFMT == S_IFLNK {
            throw DaemonError(
                "The data folder \(path) is a link.",
                advice: Self.target(of: path).map { Phrase("Name the folder that it leads to: --data-dir \($0)") }
                    ?? "It leads nowhere. Remove it, or name a folder with --data-dir."
            )
        }
        guard let system = system(path) else { return }
        throw DaemonError(
            "The data folder \(path) is on another machine (\(system)). There the message store can be damaged.",
            advice: "Name a folder on a disk of this machine with --data-dir or XDG_DATA_HOME."
        )
    }

    private static func target(of path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return ShellWord.quoted(String(cString: resolved))
    }

    /// A path whose last part is a name: `lstat` follows a link before a slash.
    private static func withoutEnd(_ path: String) -> String {
        var path = Substring(path)
        while path.utf8.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
        return String(path)
    }

    /// The name of the network file system that a path is on, or will be on; `nil` if the disk is in this machine.
    static func networkFileSystem(of path: String) -> String? {
        #if os(Linux)
        var path = path
        var type: UInt32 = 0
        while parlance_file_system(path, &type) != 0 {
            guard errno == ENOENT, let above = Self.above(path) else { return nil }
            path = above
        }
        guard type == NetworkFileSystem.fuse else { return NetworkFileSystem.kinds[type] }
        var info = stat()
        // The kernel gives such a file in parts: a read to the end of a file of no size takes only the first.
        guard stat(path, &info) == 0,
            let table = try? FileHandle(forReadingAtPath: "/proc/self/mountinfo")?.readToEnd()
        else { return nil }
        let mounts = String(decoding: table, as: UTF8.self)
        let number = UInt64(info.st_dev)
        let device = "\(parlance_device_major(number)):\(parlance_device_minor(number))"
        return NetworkFileSystem.program(of: device, in: mounts)
        #else
        var path = path
        var system = statfs()
        while statfs(path, &system) != 0 {
            guard errno == ENOENT, let above = Self.above(path) else { return nil }
            path = above
        }
        guard system.f_flags & UInt32(MNT_LOCAL) == 0 else { return nil }
        return withUnsafeBytes(of: system.f_fstypename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        #endif
    }

    private static func above(_ path: String) -> String? {
        guard path != "/", let slash = path.lastIndex(of: "/") else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
