import CParlanceSystem
import Glibc
import ParlanceWords

/// A new file in somebody's folder that has a hidden name until it is complete, so that nobody takes a part of it for the
/// whole. If the process is killed, the hidden file stays.
struct DraftCopy: ~Copyable {
    let file: OpenFile
    private let folder: Int32
    private let draft: String

    /// - Parameter folder: an open folder, which has to stay open as long as this.
    init(in folder: borrowing OpenFile) throws(ShelfError) {
        self.folder = folder.descriptor
        draft = ".parlance-\(getpid())-\(folder.descriptor)"
        // One that a killed process of this number has left.
        unlinkat(folder.descriptor, draft, 0)
        file = try OpenFile(draft, in: folder, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
    }

    /// Gives it a name, if nothing has that name.
    ///
    /// - Returns: whether it has it.
    func appear(as name: UserPath) throws(ShelfError) -> Bool {
        let name = name.system
        if parlance_rename_exclusive(folder, draft, name) == 0 { return true }
        if errno == EEXIST { return false }
        // Some file systems cannot do this in one step, but have links, which replace nothing either.
        if linkat(folder, draft, folder, name, 0) == 0 { return true }
        if errno == EEXIST { return false }
        // Some have neither; then another program must not take the name between these two calls.
        guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) else { throw .lastFailure }
        if faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { return false }
        guard renameat(folder, draft, folder, name) == 0 else { throw .lastFailure }
        return true
    }

    deinit { unlinkat(folder, draft, 0) }
}

// Not beside `OpenFile`: a file that imports CParlanceSystem and names `stat` can make the compiler think that this type is
// of that module, and refuse it in others. It depends on which files are compiled together.
extension OpenFile {
    /// Advises the system to write bytes to the disk now. A sync then finds little left to write, and other programs that
    /// sync wait for less. It promises nothing.
    func beginSync(_ count: Int, at offset: UInt64) {
        _ = parlance_begin_sync(descriptor, Int64(clamping: offset), Int64(count))
    }
}
