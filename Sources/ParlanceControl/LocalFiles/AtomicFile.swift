import CParlanceSystem
package import ParlanceWords
package import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file that is replaced as a whole: after a crash it holds either the old contents or the new ones.
///
/// The new contents are written to a draft beside the file, `FILE.new`, and moved into place. The draft is locked from
/// `init` to the end of this object, and a second process waits, so that a change that reads the file in between
/// undoes no other change. A draft that a killed process left is used again. One that others could have opened or linked
/// is removed, since the contents may be secret.
package final class AtomicFile {
    /// What the former group of a file can no longer do with it.
    package enum GroupLoss: Equatable, Sendable {
        case reading
        /// It could only write besides what everybody can.
        case writing

        /// What it loses of the permissions that the file had; `nil` if it could do no more than everybody.
        init?(of mode: UInt32) {
            let rights = (mode & 0o070) >> 3 & ~mode
            guard rights & 0o6 != 0 else { return nil }
            self = rights & 0o4 != 0 ? .reading : .writing
        }
    }

    /// The permissions of the file to replace, as it was found; `nil` if there is none.
    package var oldMode: UInt32? { old.map { $0.st_mode & 0o7777 } }
    private let old: stat?
    private let path: UserPath
    package let draft: UserPath
    /// What stands behind the name of the file in that of its draft.
    static let suffix = ".new"
    private let descriptor: Int32
    private let folder: Int32
    /// Whether the file had a group to which its owner cannot give the new one, as after `sudo chown`.
    private var hasLostGroup = false
    /// What the group that could not be kept can no longer do; `nil` if it was kept, or may do what everybody may.
    package private(set) var groupLoss: GroupLoss?
    /// Whether the draft is in its place.
    package private(set) var isMoved = false
    /// The bytes written so far.
    package private(set) var written = 0

    /// Opens and locks the draft; waits while another process has it.
    package init(_ path: UserPath) throws(Errno) {
        self.path = path
        draft = path + Self.suffix
        folder = open(path.parts.folder.system, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        try Self.check(folder)
        do throws(Errno) {
            descriptor = try Self.locked(draft)
        } catch {
            close(folder)
            throw error
        }
        old = Self.status(of: path)
        try takeOwner()
    }

    package convenience init(_ path: String) throws(Errno) {
        try self.init(UserPath(path))
    }

    deinit {
        if !isMoved { unlink(draft.system) }
        close(descriptor)
        close(folder)
    }

    /// Writes the whole contents to the draft and syncs it.
    package func write(_ bytes: [UInt8], mode: UInt32 = 0o600) throws(Errno) {
        written = 0
        try append(bytes)
        try finish(mode: mode)
    }

    /// Writes a piece of the contents behind those before it. What a killed process left in the draft is dropped.
    package func append(_ bytes: [UInt8]) throws(Errno) {
        if written == 0 { try Self.check(ftruncate(descriptor, 0)) }
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[done...])
                return pwrite(descriptor, rest.baseAddress, rest.count, off_t(written + done))
            }
            if count < 0, errno == EINTR { continue }
            if count == 0 { throw .noSpace }
            try Self.check(count)
            done += count
        }
        written += done
    }

    /// Syncs what was appended, which then is the whole contents. If the group was lost, the new group gets only what
    /// everybody has.
    package func finish(mode: UInt32 = 0o600) throws(Errno) {
        if written == 0 { try Self.check(ftruncate(descriptor, 0)) }
        try Self.check(fchmod(descriptor, hasLostGroup ? Self.withoutGroup(mode) : mode))
        groupLoss = hasLostGroup ? GroupLoss(of: mode) : nil
        try Self.check(fsync(descriptor))
    }

    /// Moves the draft into the place of the file.
    ///
    /// If this throws after the move (`isMoved`), the file has its new contents, and a crash may bring the old ones back.
    package func replace() throws(Errno) {
        try Self.check(rename(draft.system, path.system))
        isMoved = true
        try syncFolder()
    }

    /// Moves the draft into place if there is no file.
    ///
    /// - Returns: `false` if there is one; it stays.
    package func make() throws(Errno) -> Bool {
        if link(draft.system, path.system) != 0 {
            if errno == EEXIST { return false }
            // The file systems of most USB sticks have no links.
            guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno), Self.status(of: path) == nil else { throw .current }
            try replace()
            return true
        }
        try syncFolder()
        return true
    }

    /// Permissions in which the group may do only what everybody may.
    static func withoutGroup(_ mode: UInt32) -> UInt32 {
        mode & ~0o2070 | mode & 0o070 & (mode & 0o007) << 3
    }

    /// Gives the draft the owner and the group of the old file, so that its user can still read it after root has
    /// changed it; root gives a first file to the owner of the folder. A group that only root could give is not kept.
    private func takeOwner() throws(Errno) {
        var (above, own) = (stat(), stat())
        try Self.check(fstat(folder, &above))
        guard let wanted = old ?? (geteuid() == 0 ? above : nil) else { return }
        try Self.check(fstat(descriptor, &own))
        guard own.st_uid != wanted.st_uid || own.st_gid != wanted.st_gid else { return }
        if fchown(descriptor, wanted.st_uid, wanted.st_gid) == 0 { return }
        // Never change the owner: the file would belong to somebody else. EINVAL: the group does not exist in this
        // container.
        guard own.st_uid == wanted.st_uid, [EPERM, EINVAL].contains(errno) else { throw .current }
        hasLostGroup = true
    }

    private func syncFolder() throws(Errno) {
        // Some file systems cannot sync a folder by itself.
        if fsync(folder) != 0, errno != EINVAL { throw .current }
    }

    private static func locked(_ draft: UserPath) throws(Errno) -> Int32 {
        while true {
            let descriptor = open(draft.system, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            try check(descriptor)
            do throws(Errno) {
                var opened = stat()
                guard parlance_wait_for_lock(descriptor) == 0, fstat(descriptor, &opened) == 0 else { throw .current }
                // Whoever had the lock has moved this draft into place, or removed it.
                if let now = status(of: draft), now.st_dev == opened.st_dev, now.st_ino == opened.st_ino {
                    if opened.isOwn {
                        try check(fchmod(descriptor, 0o600))
                        return descriptor
                    }
                    try check(unlink(draft.system))
                }
                close(descriptor)
            } catch {
                close(descriptor)
                throw error
            }
        }
    }

    private static func status(of path: UserPath) -> stat? {
        var status = stat()
        return lstat(path.system, &status) == 0 ? status : nil
    }

    private static func check(_ result: some FixedWidthInteger) throws(Errno) {
        if result < 0 { throw .current }
    }
}

extension stat {
    /// Whether it is a file of this user under one name.
    fileprivate var isOwn: Bool { st_mode & S_IFMT == S_IFREG && st_uid == geteuid() && st_nlink == 1 }
}

extension Errno {
    /// The reason of the last failure.
    package static var current: Errno { Errno(rawValue: errno) }
}
