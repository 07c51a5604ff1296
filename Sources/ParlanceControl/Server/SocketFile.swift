import CParlanceSystem
import ParlanceErrorCode
import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The file and folder of the socket, created so that no other user can reach or fake them.
enum SocketFile {
    static var ownUser: UInt32 { getuid() }

    /// Creates the folder, and removes a stale socket at the path.
    static func prepare(_ path: String) throws(ControlError) {
        if path.utf8.count > ControlLimits.socketPathBytes {
            throw cannotListen(path, Phrase("its path is \(path.utf8.count) bytes long, and a socket's may be 107"))
        }
        try prepareFolder(folder(of: path), for: path)
        guard let info = status(of: path) else { return }
        guard info.st_mode & S_IFMT == S_IFSOCK else {
            throw cannotListen(path, Phrase("something that is not a socket is in its place"))
        }
        if answers(path) {
            throw ControlError(
                .socketFailed,
                "Another daemon already answers at \(path).",
                advice: "Use that one, or give this one another --profile, or without a profile another --data-dir."
            )
        }
        if unlink(path) != 0 { throw cannotListen(path, Phrase("the old socket cannot be removed: \(reason())")) }
    }

    /// Restricts the socket to its owner.
    static func restrict(_ path: String) throws(ControlError) {
        if chmod(path, 0o600) != 0 { throw cannotListen(path, Phrase("its rights cannot be set: \(reason())")) }
    }

    static func cannotListen(_ path: String, _ why: Phrase) -> ControlError {
        ControlError(
            .socketFailed,
            "The control socket \(path) cannot be made: \(why).",
            advice: "Give another place with --socket PATH or PARLANCE_SOCKET."
        )
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Creates a folder and its parents for this user alone, or checks that nobody else can write into it.
    static func prepareFolder(_ folder: String, for path: String) throws(ControlError) {
        if status(of: folder) == nil {
            let above = Self.folder(of: folder)
            if above != folder, status(of: above) == nil { try prepareFolder(above, for: path) }
            if mkdir(folder, 0o700) != 0, errno != EEXIST {
                throw cannotListen(path, Phrase("its folder \(folder) cannot be made: \(reason())"))
            }
        }
        guard let info = status(of: folder), info.st_mode & S_IFMT == S_IFDIR else {
            throw cannotListen(path, Phrase("\(folder) is not a folder"))
        }
        if info.st_uid != ownUser { throw cannotListen(path, Phrase("its folder \(folder) belongs to another user")) }
        if info.st_mode & 0o022 != 0 {
            throw cannotListen(path, Phrase("other users can write into its folder \(folder) (chmod 700 mends that)"))
        }
    }

    /// The status of the file at a path, without following a link.
    private static func status(of path: String) -> stat? {
        var info = stat()
        return lstat(path, &info) == 0 ? info : nil
    }

    /// Whether somebody listens there. A local connect does not block, except on a full backlog, which counts as an
    /// answer.
    private static func answers(_ path: String) -> Bool {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 || errno != ECONNREFUSED && errno != ENOENT
    }

    private static func reason() -> String {
        String(cString: strerror(errno))
    }
}
